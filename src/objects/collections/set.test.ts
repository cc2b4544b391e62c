import { describe, expect, test } from 'vitest';
import { expectLinearizable, expectViolation } from '../../../test/support/oracles/evidence.js';
import { sketch } from '../../history/drawing/sketch.js';
import { multiset, set } from './set.js';

const { initial, methods, part, readOnly } = set<unknown>();

test('add returns whether the key is new', () => {
  expect(methods.add(initial, 1)).toEqual([new Set([1]), true]);
  expect(methods.add(new Set([1]), 1)).toEqual([new Set([1]), false]);
});

test('remove returns whether the key was present', () => {
  expect(methods.remove(new Set([1, 2]), 1)).toEqual([new Set([2]), true]);
  expect(methods.remove(new Set([2]), 1)).toEqual([new Set([2]), false]);
});

test('contains returns whether a key is present', () => {
  expect(methods.contains(new Set([1]), 1)).toEqual([new Set([1]), true]);
  expect(methods.contains(new Set([1]), '1')).toEqual([new Set([1]), false]);
});

test('insert returns nothing, members returns all keys', () => {
  expect(methods.insert(initial, 1)).toEqual([new Set([1]), undefined]);
  expect(methods.insert(new Set([1]), 1)).toEqual([new Set([1]), undefined]);
  expect(methods.members(new Set([1, 2]))).toEqual([new Set([1, 2]), new Set([1, 2])]);
});

test('members belongs to all parts', () => {
  expect(part?.('members', [])).toBeUndefined();
  expect(part?.('insert', [1])).toBe(part?.('add', [1]));
});

test('keys are checked together if members is called', () => {
  expectLinearizable(
    sketch`
      A  |- insert(1) -|  |- insert(2) -|
      B       |- members() -> {"$":"Set","value":[1]} -|
    `,
    set(),
  );
  const { core } = expectViolation(
    sketch`
      A  |- insert(1) -|  |- insert(2) -|
      B       |- members() -> {"$":"Set","value":[2]} -|
    `,
    set(),
  );
  expect(Array.from(core, ({ method }) => method)).toEqual(['insert', 'members', 'insert']);
});

test('keys are equal by content', () => {
  const pair = new Set([{ a: 1 }]);
  expect(methods.contains(pair, { a: 1 })).toEqual([pair, true]);
  expect(methods.add(pair, { a: 1 })).toEqual([pair, false]);
  expect(methods.remove(pair, { a: 1 })).toEqual([new Set(), true]);
  expect(methods.contains(new Set([Number.NaN, 0]), -0)).toMatchObject({ 1: true });
});

test('a set starts with its initial keys', () => {
  expect(set({ initial: [1, [2], [2], 1] }).initial).toEqual(new Set([1, [2]]));
  expect(() => set({ initial: 'ab' as never })).toThrow('initial of a set: expected a list; got "ab"');
});

test('each key is a part, and different keys are different parts', () => {
  const keys = [1, '1', 1n, true, 'true', null, 'null', undefined, [1], ['1'], { a: 1 }, '#t', '#', '##', ''];
  expect(new Set(keys.map((key) => part?.('add', [key]))).size).toBe(keys.length);
  expect(part?.('add', ['k17'])).toBe('k17');
  expect(part?.('add', [{ a: 1, b: 2 }])).toBe(part?.('remove', [{ b: 2, a: 1 }]));
});

test('calls without an effect are read-only', () => {
  const answers = (value: boolean) => ({ kind: 'returned', value }) as const;
  for (const method of ['add', 'remove']) {
    expect(readOnly?.(method, [1], answers(false), () => false)).toBe(true);
    expect(readOnly?.(method, [1], answers(true), () => false)).toBe(false);
    expect(readOnly?.(method, [1], { kind: 'pending' }, () => false)).toBe(false);
  }
  expect(readOnly?.('contains', [1], { kind: 'pending' }, () => false)).toBe(true);
});

describe('multiset', () => {
  const { initial, methods, part, readOnly } = multiset<unknown>();

  test('a key can be added many times', () => {
    expect(methods.add(initial, 1)).toEqual([new Map([[1, 1]]), undefined]);
    expect(methods.add(new Map([[1, 1]]), 1)).toEqual([new Map([[1, 2]]), undefined]);
  });

  test('remove removes one occurrence', () => {
    expect(methods.remove(new Map([[1, 2]]), 1)).toEqual([new Map([[1, 1]]), true]);
    expect(methods.remove(new Map([[1, 1]]), 1)).toEqual([new Map(), true]);
    expect(methods.remove(initial, 1)).toEqual([new Map(), false]);
  });

  test('contains returns whether a key is present', () => {
    expect(methods.contains(new Map([[1, 2]]), 1)).toEqual([new Map([[1, 2]]), true]);
    expect(methods.contains(initial, 1)).toEqual([new Map(), false]);
  });

  test('keys are equal by content', () => {
    expect(methods.add(new Map([[[1], 1]]), [1])).toEqual([new Map([[[1], 2]]), undefined]);
    expect(methods.remove(new Map([[[1], 1]]), [1])).toEqual([new Map(), true]);
  });

  test('a multiset starts with its initial keys', () => {
    expect(multiset({ initial: ['a', 'b', 'a'] }).initial).toEqual(new Map(Object.entries({ a: 2, b: 1 })));
  });

  test('each key is a part', () => {
    expect(part?.('add', ['a'])).toBe('a');
    expect(part?.('contains', [null])).not.toBe(part?.('contains', ['null']));
  });

  test('a removal of an absent key is read-only', () => {
    expect(readOnly?.('remove', [1], { kind: 'returned', value: false }, () => false)).toBe(true);
    expect(readOnly?.('remove', [1], { kind: 'returned', value: true }, () => false)).toBe(false);
    expect(readOnly?.('add', [1], { kind: 'returned', value: undefined }, () => false)).toBe(false);
    expect(readOnly?.('contains', [1], { kind: 'pending' }, () => false)).toBe(true);
  });
});
