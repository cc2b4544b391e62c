import { describe, expect, test } from 'vitest';
import { subjects } from '../../../../test/support/fixtures/subjects.js';
import { randomHistory } from '../../../../test/support/generators/random-history.js';
import { Random } from '../../../base/random.js';
import { HistoryBuilder } from '../../../history/builder/builder.js';
import { sketch } from '../../../history/drawing/sketch.js';
import type { History } from '../../../history/history.js';
import type { AnyObject, Outcome } from '../../../history/model/operation.js';
import { counter, fetchAndAdd } from '../../../objects/cells/counter.js';
import { register } from '../../../objects/cells/register.js';
import { map } from '../../../objects/collections/map.js';
import { Machine } from '../../../spec/machine/machine.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';
import type { SearchResult } from '../../model/search.js';
import { verifyWitness } from '../../verify-witness.js';
import { JitGraph } from './jit-graph.js';

type Call = readonly [method: string, args: readonly unknown[], value?: unknown];
const returned = (value: unknown): Outcome => ({ kind: 'returned', value });

/** Calls that all overlap and return in order or by `returnOrder`, then sequential calls. */
function overlapping(
  calls: readonly Call[],
  then: readonly Call[],
  returnOrder?: readonly number[],
): History<AnyObject> {
  const builder = new HistoryBuilder();
  const entries = calls.map(([method, args], i) => builder.call({ process: `P${i}`, method, args }));
  for (const i of returnOrder ?? calls.keys()) builder.end(entries[i], returned(calls[i][2]));
  for (const [method, args, value] of then)
    builder.end(builder.call({ process: 'Z', method, args }), returned(value));
  return builder.finish();
}

/** Pending calls, then sequential calls. */
function pending(calls: readonly Call[], then: readonly Call[]): History<AnyObject> {
  const builder = new HistoryBuilder();
  for (const [i, [method, args]] of calls.entries()) builder.call({ process: `P${i}`, method, args });
  for (const [method, args, value] of then)
    builder.end(builder.call({ process: 'Z', method, args }), returned(value));
  return builder.finish();
}

const times = (length: number, call: (i: number) => Call): Call[] =>
  Array.from({ length }, (_, i) => call(i));
const SEARCH = { algorithm: 'search' } as const;
const anyRegister = register() as unknown as Spec;

function expectLinearizable(history: History<AnyObject>, spec: Spec): { configurations: number } {
  const verdict = check(history, spec, SEARCH);
  if (verdict.kind !== 'linearizable') throw new Error(verdict.kind);
  expect(verifyWitness(history, spec, verdict.witness)).toBeUndefined();
  return verdict.stats;
}

function expectViolation(history: History<AnyObject>, spec: Spec): { configurations: number } {
  const verdict = check(history, spec, SEARCH);
  expect(verdict.kind).toBe('violation');
  return verdict.stats;
}

describe('n overlapping operations cost at most 2^n configurations, not n!', () => {
  test.each([8, 12])('%i writes of a register', (n) => {
    const writes = times(n, (i) => ['write', [i]]);
    const bound = 2 ** n * (n + 1);
    expect(
      expectLinearizable(overlapping(writes, [['read', [], n - 1]]), anyRegister).configurations,
    ).toBeLessThan(bound);
    expect(
      expectLinearizable(overlapping(writes, [['read', [], 0]]), anyRegister).configurations,
    ).toBeLessThan(bound);
    expect(expectViolation(overlapping(writes, [['read', [], 99]]), anyRegister).configurations).toBeLessThan(
      bound,
    );
  });

  test.each([8, 12])('%i puts into a map of four keys that is not split into parts', (n) => {
    const { part: _, ...whole } = map() as unknown as Spec;
    const puts = times(n, (i) => ['put', [`k${i % 4}`, i]]);
    // each key holds nothing or one of its n/4 values
    const bound = 2 ** n * (n / 4 + 1) ** 4;
    expect(expectLinearizable(overlapping(puts, [['get', ['k0'], 0]]), whole).configurations).toBeLessThan(
      bound / 4,
    );
    expect(expectViolation(overlapping(puts, [['get', ['k0'], 99]]), whole).configurations).toBeLessThan(
      bound / 4,
    );
  });

  test('12 puts into a map that is split by its keys', () => {
    const puts = times(12, (i) => ['put', [`k${i % 4}`, i]]);
    const spec = map() as unknown as Spec;
    expect(expectViolation(overlapping(puts, [['get', ['k0'], 99]]), spec).configurations).toBeLessThan(100);
  });

  test('reads take effect as soon as they fit, so they add few configurations', () => {
    const writes = times(6, (i) => ['write', [i]]);
    const reads = times(12, (i) => ['read', [], i % 6]);
    const alone = expectViolation(overlapping(writes, [['read', [], 99]]), anyRegister).configurations;
    const both = expectViolation(
      overlapping([...writes, ...reads], [['read', [], 99]]),
      anyRegister,
    ).configurations;
    // a read may still have to wait for its write, so some masks differ
    expect(both).toBeLessThan(12 * alone);
    expect(both).toBeLessThan(2 ** 18 / 20);
  });
});

describe('many open operations', () => {
  /** Each adds 1 and gets the sum before it; they return in another order. */
  const adders = (n: number): History<AnyObject> => {
    const order = times(n, (i) => ['', [(i * 7 + 3) % n]]).map(([, [i]]) => i as number);
    const calls = times(n, (i) => ['add', [1], (n - 1 - i + 5) % n]);
    return overlapping(calls, [['read', [], n]], order);
  };

  test.each([31, 32, 33, 40, 64, 65, 100])('%i overlapping operations are distinguished', (n) => {
    const spec = fetchAndAdd() as unknown as Spec;
    expectLinearizable(adders(n), spec);
  });

  test.each([33, 65, 100])('the incorrect result among %i overlapping operations is found', (n) => {
    const spec = fetchAndAdd() as unknown as Spec;
    const calls = times(n, (i) => ['add', [1], i === n - 1 ? n + 5 : i]);
    const verdict = check(overlapping(calls, []), spec, SEARCH);
    expect(verdict).toMatchObject({
      kind: 'violation',
      counterexample: { cause: { operation: n - 1, allowed: [returned(n - 1)] } },
    });
  });

  test.each([31, 32, 33, 64, 70])('%i pending operations may take effect or not', (n) => {
    const spec = counter() as unknown as Spec;
    const history = pending(
      times(n, () => ['increment', []]),
      [
        ['read', [], 0],
        ['read', [], n - 1],
        ['read', [], n],
      ],
    );
    const verdict = check(history, spec, SEARCH);
    if (verdict.kind !== 'linearizable') throw new Error(verdict.kind);
    expect(verdict.witness.order).toHaveLength(n + 3);
  });

  test('pending operations are distinguished from open ones', () => {
    const builder = new HistoryBuilder();
    for (let i = 0; i < 40; i++) builder.call({ process: `never ${i}`, method: 'write', args: [i] });
    const open = times(40, (i) => ['write', [100 + i]]).map(([method, args], i) =>
      builder.call({ process: `P${i}`, method, args }),
    );
    const read = (value: unknown) =>
      builder.end(builder.call({ process: 'Z', method: 'read' }), returned(value));
    for (let i = 0; i < 40; i++) read(100 + i);
    for (const entry of open) builder.end(entry, returned(undefined));
    for (let i = 0; i < 40; i++) read(i);
    expectLinearizable(builder.finish(), anyRegister);
  });

  test('a pending operation takes effect at most once', () => {
    const history = sketch`
      A  |- write(1) -?
      B                |- read() -> 1 -|  |- write(2) -|  |- read() -> 1 -|
    `;
    expect(check(history, anyRegister, SEARCH)).toMatchObject({
      kind: 'violation',
      counterexample: { cause: { operation: 3, allowed: [returned(2)] } },
    });
  });
});

describe('a search that is resumed', () => {
  /** The result of a search that takes `stepBudget` steps per call. */
  function answerBy(
    stepBudget: number,
    history: History<AnyObject>,
    spec: Spec,
  ): { answer: SearchResult; search: JitGraph } {
    const search = new JitGraph(history, new Machine(history, spec));
    for (;;) {
      const before = search.steps;
      const answer = search.advance(stepBudget);
      if (answer) return { answer, search };
      // the search does not stop between steps without a choice, at most 16 returns
      expect(search.steps).toBeGreaterThanOrEqual(before + stepBudget);
      expect(search.steps).toBeLessThan(before + stepBudget + 16);
    }
  }

  const resultOf = ({ answer, search }: ReturnType<typeof answerBy>) => ({
    ...(answer.kind === 'linearizable'
      ? { order: [...answer.witness] }
      : { moment: answer.refutation.moment, states: answer.refutation.states }),
    steps: search.steps,
    configurations: search.configurations,
    explained: search.explained,
  });

  test.each(['register', 'queue', 'set', 'lossy queue', 'box'])('gives the same result: %s', (name) => {
    const subject = subjects[name];
    const random = new Random(5);
    for (let round = 0; round < 200; round++) {
      const history = randomHistory(subject, random, 10).withoutFailed();
      const atOnce = resultOf(answerBy(1e9, history, subject.spec));
      expect(resultOf(answerBy(1, history, subject.spec))).toEqual(atOnce);
      expect(resultOf(answerBy(3, history, subject.spec))).toEqual(atOnce);
    }
  });

  test('reports how many returns it explains', () => {
    const history = overlapping(
      times(4, (i) => ['write', [i]]),
      [
        ['read', [], 3],
        ['read', [], 99],
      ],
    );
    const search = new JitGraph(history, new Machine(history, anyRegister));
    expect(search.returns).toBe(6);
    search.advance(2);
    const soon = search.explained;
    search.advance(1e9);
    expect(soon).toBeLessThan(search.explained);
    expect(search.explained).toBe(5);
    expect(search.bytes).toBeGreaterThan(0);
  });
});

test('a read-only operation with a nondeterministic outcome is not linearized eagerly', () => {
  const subject = subjects['lossy queue'];
  const history = sketch`
    A  |- enqueue(1) -|  |- enqueue(2) -|  |- dequeue() -?
    B                                        |- dequeue() -> 2 -|  |- dequeue() -> 1 -|
  `;
  expectLinearizable(history, subject.spec);
});
