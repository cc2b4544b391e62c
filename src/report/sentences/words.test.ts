import { describe, expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { Outcome } from '../../history/model/operation.js';
import { ABSENT_VALUE, bad, differencesOf, nearestAllowed, SIGNS, say, Words } from './words.js';

const words = new Words(sketch('A |- read() -> 1 -|'), SIGNS);
const returned = (value: unknown): Outcome => ({ kind: 'returned', value });

describe('a list of allowed results', () => {
  test('distinguishes long values by their first difference', () => {
    const long = (end: number) => ({ name: 'x'.repeat(90), end });
    expect(words.alternatives([returned(long(1)), returned(long(2))])).toMatch(
      /… \(\.end: 1\), .*… \(\.end: 2\)$/,
    );
  });

  test('has no two equal entries, whatever the values', () => {
    const random = new Random(1);
    class Hidden {
      readonly #own: number;
      constructor(own: number) {
        this.#own = own;
      }
      get own(): number {
        return this.#own;
      }
    }
    const value = (depth: number): unknown => {
      const inner = () => value(depth + 1);
      switch (depth > 5 ? 0 : random.below(6)) {
        case 1:
          return Array.from({ length: random.below(30) }, inner);
        case 2:
          return { name: 'x'.repeat(random.below(100)), inside: inner() };
        case 3:
          return new Map([[inner(), inner()]]);
        case 4:
          return new Hidden(random.below(3));
        case 5:
          return 'y'.repeat(78 + random.below(4));
        default:
          return random.below(3);
      }
    };
    for (let i = 0; i < share(300, 60); i++) {
      const outcomes = Array.from({ length: 6 }, () => returned(value(0)));
      const entries: string[] = [];
      const list = words.list.bind(words);
      words.list = (texts, between) => {
        entries.push(...texts);
        return list(texts, between);
      };
      words.alternatives(outcomes);
      words.list = list;
      expect(new Set(entries).size).toBe(6);
    }
  });
});

test.each([
  ['equal values', { a: [1, 2] }, { a: [1, 2] }, []],
  ['a field', { a: 1, b: { c: 2 } }, { a: 1, b: { c: 3 } }, [['.b.c', 2, 3]]],
  [
    'elements',
    [1, 2, 3],
    [1, 4, 3, 5],
    [
      ['[1]', 2, 4],
      ['[3]', ABSENT_VALUE, 5],
    ],
  ],
  ['a field with a space', { 'a b': 1 }, { 'a b': 2 }, [['["a b"]', 1, 2]]],
  ['entries of maps', new Map([['x', 1]]), new Map([['x', 2]]), [['.get("x")', 1, 2]]],
  ['values of different kinds', { a: [1] }, { a: { 0: 1 } }, [['.a', [1], { 0: 1 }]]],
  ['primitives', 1, '1', [['', 1, '1']]],
  ['sets', new Set([1]), new Set([2]), [['', new Set([1]), new Set([2])]]],
])('the differences of %s are named with their paths', (_, left, right, expected) => {
  expect(differencesOf(left, right).map(({ path, left: a, right: b }) => [path, a, b])).toEqual(expected);
});

describe('the nearest allowed result', () => {
  const order = (id: number, paid: boolean) => ({ id, paid, customer: 'a customer with a long name' });

  test('differs in the fewest places', () => {
    const allowed = [order(1, true), order(2, false), 'none'].map(returned);
    expect(nearestAllowed(returned(order(2, true)), allowed)?.value).toEqual(order(1, true));
    expect(nearestAllowed(returned(order(2, true)), allowed.slice(1))?.differences).toEqual([
      { path: '.paid', left: true, right: false },
    ]);
  });

  test('does not exist for a short value, an error, or a value of another structure', () => {
    expect(nearestAllowed(returned({ id: 1 }), [returned({ id: 2 })])).toBeUndefined();
    expect(nearestAllowed({ kind: 'pending' }, [returned(order(1, true))])).toBeUndefined();
    expect(nearestAllowed(returned(order(1, true)), [returned(null)])).toBeUndefined();
  });
});

test('a sentence has one full stop, also after a text that ends with one', () => {
  const text = (piece: Parameters<typeof say>[1]) =>
    say`A threw ${piece}. B waits.`.map((phrase) => phrase.text).join('');
  for (const end of ['.', '!', '?']) {
    expect(text(`Error: closed${end}`)).toBe(`A threw Error: closed${end} B waits.`);
    expect(text(bad(`Error: closed${end}`))).toBe(`A threw Error: closed${end} B waits.`);
    expect(text(say`${bad('Error')}: closed${end}`)).toBe(`A threw Error: closed${end} B waits.`);
  }
  expect(text('Error: closed')).toBe('A threw Error: closed. B waits.');
  expect(say`It is 1.${'5'} or ${'a.'}.5`.map((phrase) => phrase.text).join('')).toBe('It is 1.5 or a..5');
});
