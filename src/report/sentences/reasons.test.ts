import { describe, expect, test } from 'vitest';
import { PICTURES } from '../../../test/support/fixtures/pictures.js';
import { Random } from '../../base/random.js';
import { check } from '../../check/check.js';
import { parseHistory } from '../../formats/read-history.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { register } from '../../objects/cells/register.js';
import { queue, stack } from '../../objects/collections/container.js';
import { map } from '../../objects/collections/map.js';
import type { AnySpec } from '../../spec/rendezvous/sync-spec.js';
import { reasons } from './reasons.js';
import { join, operationsIn, SIGNS, say } from './words.js';

const violations = PICTURES.flatMap(({ name, history, spec, algorithm, steps }) => {
  const verdict = check(history, () => spec, { algorithm, maxSteps: steps });
  return verdict.kind === 'violation' ? [{ name, history, counterexample: verdict.counterexample }] : [];
});

describe.each(violations)('$name', ({ history, counterexample }) => {
  const explanation = reasons(counterexample, history, SIGNS);

  test('is explained in at most six sentences', () => {
    expect(explanation.length).toBeGreaterThan(0);
    expect(explanation.length).toBeLessThanOrEqual(6);
  });

  test('begins with the operation at fault', () => {
    expect(operationsIn(explanation[0].sentence)).toContain(counterexample.cause.operation);
  });

  test('points only at operations of the history', () => {
    const ids = explanation.flatMap(({ sentence, steps = [] }) => [sentence, ...steps].flatMap(operationsIn));
    expect(ids.filter((id) => history.positionsById()[id] === undefined)).toEqual([]);
  });
});

test('most explanations point at more than one operation', () => {
  const several = violations.filter(
    ({ history, counterexample }) =>
      new Set(
        reasons(counterexample, history, SIGNS).flatMap(({ sentence, steps = [] }) =>
          [sentence, ...steps].flatMap(operationsIn),
        ),
      ).size > 1,
  );
  expect(several.length).toBeGreaterThan(violations.length * 0.75);
});

test('a long result whose difference is left out is not printed twice', () => {
  const lines = (middle: string) => Array.from({ length: 41 }, (_, i) => (i === 20 ? middle : `line ${i}`));
  const write = { process: 'A', method: 'write', args: [lines('last')], result: null, call: 0, return: 1 };
  const read = { process: 'B', method: 'read', args: [], result: lines('lost'), call: 2, return: 3 };
  const history = parseHistory(`${JSON.stringify(write)}\n${JSON.stringify(read)}\n`);
  const verdict = check(history, () => register());
  if (verdict.kind !== 'violation') throw new Error(verdict.kind);
  const texts = reasons(verdict.counterexample, history, SIGNS).map(({ sentence }) =>
    sentence.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''),
  );
  expect(texts[0]).toMatch(/, which is not allowed\.$/);
  expect(texts[1]).toBe('Compared with the allowed result, [20] is "lost" instead of "last".');
});

test('sentences are made of texts, phrases and other sentences', () => {
  const who = { text: 'pop()', operations: [3] };
  const inner = say`${who} took ${{ text: '1', tone: 'strong' }}`;
  const sentence = say`But ${inner}${''}.`;
  expect(sentence).toEqual([
    { text: 'But ' },
    who,
    { text: ' took ' },
    { text: '1', tone: 'strong' },
    { text: '.' },
  ]);
  expect(operationsIn(join([sentence, [who]], ' '))).toEqual([3]);
});

describe('a result that looks like no value suggests the missing option', () => {
  const explain = (text: string, spec: AnySpec): string => {
    const history = parseHistory(text);
    const verdict = check(history, () => spec);
    if (verdict.kind !== 'violation') return verdict.kind;
    return reasons(verdict.counterexample, history, SIGNS)
      .flatMap(({ sentence }) => sentence.map((phrase) => phrase.text))
      .join('');
  };
  const read = (method: string, result: unknown): string =>
    JSON.stringify({ process: 'A', method, args: method === 'get' ? ['k'] : [], result, call: 1, return: 2 });

  test.each(['', 0, false, [], 'nil', 'EMPTY'])('%j', (value) => {
    const text = JSON.stringify(value);
    expect(explain(read('read', value), register())).toContain(`(--initial '${text}')`);
    expect(explain(read('read', value), register({ initial: value }))).toBe('linearizable');
    expect(explain(read('get', value), map())).toContain(`(--initial '${text}')`);
    expect(explain(read('dequeue', value), queue())).toContain(`(--empty '${text}')`);
    expect(explain(read('dequeue', value), queue({ empty: value }))).toBe('linearizable');
  });

  test.each(['x', 7, [0]])('but not %j, and not where null is not allowed', (value) => {
    expect(explain(read('read', value), register())).not.toContain('(--');
    expect(explain(read('read', ''), register({ initial: 1 }))).not.toContain('(--');
    expect(explain(read('pop', value), stack())).not.toContain('(--');
  });
});

describe('a value that only failed operations had as an argument', () => {
  const SUBJECTS: readonly (readonly [AnySpec, string, string, readonly unknown[]])[] = [
    [register() as AnySpec, 'write', 'read', []],
    [map() as AnySpec, 'put', 'get', ['k']],
    [queue() as AnySpec, 'enqueue', 'dequeue', []],
    [stack() as AnySpec, 'push', 'pop', []],
  ];

  test.each(SUBJECTS)('is explained by these, and only then: $name', (spec, write, read, key) => {
    const random = new Random(9);
    let [explained, others] = [0, 0];
    for (let round = 0; round < 150; round++) {
      const builder = new HistoryBuilder();
      const outcomes = Array.from({ length: 1 + random.below(3) }, (_, i) => {
        const kind = random.pick(['failed', 'failed', 'returned', 'pending'] as const);
        const value = random.below(2) + 7;
        const outcome = kind === 'returned' ? { kind, value: undefined } : { kind };
        const times = kind === 'pending' ? { call: 10 * i } : { call: 10 * i, return: 10 * i + 1 };
        builder.operation({ process: `P${i}`, method: write, args: [...key, value], outcome, ...times });
        return { kind, value };
      });
      const found = 7;
      const result = { kind: 'returned', value: found } as const;
      builder.operation({
        process: 'R',
        method: read,
        args: [...key],
        outcome: result,
        call: 100,
        return: 101,
      });
      const history = builder.finish();
      const verdict = check(history, () => spec);
      const own = outcomes.filter(({ value }) => value === found);
      const isFailed = own.length > 0 && own.every(({ kind }) => kind === 'failed');
      if (isFailed) expect(verdict.kind).toBe('violation');
      if (verdict.kind !== 'violation') continue;
      const text = reasons(verdict.counterexample, history, SIGNS)
        .map(({ sentence }) => sentence.map((piece) => piece.text).join(''))
        .join(' ');
      expect(text.includes('recorded as failed'), text).toBe(isFailed);
      if (isFailed) expect(text).not.toMatch(/never (written|inserted)/);
      if (isFailed) explained++;
      else others++;
    }
    expect(explained).toBeGreaterThan(20);
    expect(others).toBeGreaterThan(5);
  });
});
