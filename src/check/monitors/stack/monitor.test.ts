import { expect, test } from 'vitest';
import { simulatedHistory } from '../../../../test/support/generators/simulated-history.js';
import { expectLinearizable, expectViolation } from '../../../../test/support/oracles/evidence.js';
import { share } from '../../../../test/support/share.js';
import { Random } from '../../../base/random.js';
import { HistoryBuilder } from '../../../history/builder/builder.js';
import { sketch } from '../../../history/drawing/sketch.js';
import type { History } from '../../../history/history.js';
import { stack } from '../../../objects/collections/container.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';
import { verifyWitness } from '../../verify-witness.js';
import type { Reading } from '../common/monitor.js';
import { verifyCause } from '../registry.js';
import { stackMonitor } from './monitor.js';

const spec = stack() as Spec;

test('a value that leaves from below another forms a cyclic core with it', () => {
  const { cause, core, minimal } = expectViolation(
    sketch`
      A  |- push(0) -| |- push(1) -|              |- pop() -> 1 -|              |- pop() -> 2 -|
      B                              |- push(2) -|                |- push(3) -|                  |- pop() -> 3 -|`,
    spec,
  );
  expect(cause).toMatchObject({
    kind: 'cyclic core',
    operation: 3,
    intervals: [
      { value: 1, put: 1, taken: 3 },
      { value: 2, put: 2, taken: undefined },
    ],
    blocked: [3, 2],
  });
  // operation 5 comes later, and is not needed
  expect([...core.columns.id]).toEqual([1, 2, 3]);
  expect(minimal).toBe(true);
});

test('initial values leave in reverse order', () => {
  const started = stack({ initial: [1, 2] }) as Spec;
  expectLinearizable(sketch`A |- pop() -> 2 -| |- pop() -> 1 -| |- pop() -> null -|`, started);
  const { cause } = expectViolation(sketch`A |- pop() -> 1 -| |- pop() -> 2 -|`, started);
  expect(cause).toMatchObject({ kind: 'cyclic core', operation: 0, blocked: [0, undefined] });
});

test('a peek returns a value with none above it', () => {
  const { cause } = expectViolation(
    sketch`
      A  |- push(1) -| |- push(2) -| |- peek() -> 1 -| |- pop() -> 2 -| |- pop() -> 1 -|`,
    spec,
  );
  expect(cause).toMatchObject({ kind: 'cyclic core', operation: 2, blocked: expect.arrayContaining([2]) });
  expectLinearizable(
    sketch`
      A  |- push(1) -| |- push(2) -------| |- pop() -> 2 -| |- pop() -> 1 -|
      B               |- peek() -> 1 -|`,
    spec,
  );
});

test('a pop may be called before the last peek at its value', () => {
  expectLinearizable(
    sketch`
      A  |- push(1) -| |- push(2) -| |- peek() -> 2 -|  |- peek() -> 2 -|
      B                               |- pop() -> 2 --------------------------|`,
    spec,
  );
  const { cause } = expectViolation(
    sketch`
      A  |- push(1) -| |- push(2) -| |- pop() -> 1 -|  |- peek() -> 2 -|
      B                               |- pop() -> 2 --------------------------|`,
    spec,
  );
  // until the peek returns, the other pop may have come first
  expect(cause.operation).toBe(4);
});

/** As in the proof of LiMo's lemma 3.1: each value is present together with the next one, and neither the first nor the last is at the bottom. */
function staggered(values: number): History {
  const builder = new HistoryBuilder();
  let time = 0;
  const [pushed, inside, asked]: number[][] = [[], [], []];
  for (let v = 1; v <= values; v++) {
    pushed[v] = time++;
    if (v === 1) inside[v] = time++;
  }
  for (let v = 1; v < values; v++) {
    inside[v + 1] = time++;
    asked[v] = time++;
  }
  const ended = time++;
  asked[values] = time++;
  const operation = (v: number, method: string, call: number, end: number): void => {
    builder.operation({
      process: `${method}${v}`,
      method,
      args: method === 'push' ? [v] : [],
      outcome: { kind: 'returned', value: method === 'push' ? undefined : v },
      call,
      return: end,
    });
  };
  for (let v = 1; v <= values; v++) {
    operation(v, 'push', pushed[v], inside[v]);
    operation(v, 'pop', asked[v], v < values ? ended : time);
  }
  return builder.finish();
}

test('a counterexample can need any number of values', () => {
  for (let values = 2; values <= share(30, 8); values++) {
    const history = staggered(values);
    const result = (stackMonitor.read(history, spec) as Reading).decide(() => 'steps');
    const refutation = result.kind === 'violation' ? result.refutation : undefined;
    if (!refutation || !('cause' in refutation) || refutation.cause.kind !== 'cyclic core')
      throw new Error(result.kind);
    expect(refutation.operations).toHaveLength(2 * values);
    expect(verifyCause(history, spec, refutation.cause)).toBe(true);
    // without any one of its values, the core is rejected
    for (let i = 0; i < values && values <= 15; i++) {
      const without = <T>(items: readonly T[]): T[] => items.filter((_, other) => other !== i);
      const { intervals, blocked } = refutation.cause;
      const less = { ...refutation.cause, intervals: without(intervals), blocked: without(blocked) };
      expect(verifyCause(history, spec, less)).toBe(false);
    }
  }
  const most = share(15, 7);
  // the last value is asked for after the fault
  expect(expectViolation(staggered(most), spec).core).toHaveLength(2 * most - 1);
});

test('an "empty" result needs a moment at which no value is present', () => {
  const { cause } = expectViolation(
    sketch`
      A  |- push(1) -| |- push(2) -|                      |- pop() -> 2 -| |- pop() -> 1 -|
      B                |- pop() -> null -------------|`,
    spec,
  );
  expect(cause).toMatchObject({ kind: 'never empty', intervals: [{ value: 1 }] });
});

test('a pending push takes effect only if its value is returned', () => {
  const order = expectLinearizable(
    sketch`
      A  |- push(1) -?    |- pop() -> 1 -| |- pop() -> null -|
      B  |- push(2) -?`,
    spec,
  );
  expect(order).toHaveLength(3);
});

test('a pending pop takes effect if a result needs it', () => {
  const open = sketch`
    A  |- push(1) -| |- push(2) -|              |- pop() -> 1 -|
    B                             |- pop() -?`;
  expect(expectLinearizable(open, spec)).toHaveLength(4);
  const unused = sketch`
    A  |- push(1) -| |- push(2) -|              |- pop() -> 2 -|
    B                             |- pop() -?`;
  expect(expectLinearizable(unused, spec)).toHaveLength(3);
  const emptied = sketch`
    A  |- push(1) -|             |- pop() -> null -|
    B                |- pop() -?`;
  expect(expectLinearizable(emptied, spec)).toHaveLength(3);
});

test('a pending pop that was called too late does not explain a result', () => {
  const { cause } = expectViolation(
    sketch`
      A  |- push(1) -| |- push(2) -| |- pop() -> 1 -|
      B                                               |- pop() -?`,
    spec,
  );
  expect(cause).toMatchObject({ kind: 'cyclic core', blocked: [2, 1] });
});

test('a search of the remaining operations finds that too few pops are pending', () => {
  const history = sketch`
    A  |- push(0) -| |- pop() -> 0 -| |- push(1) -| |- push(2) -| |- push(3) -|             |- pop() -> 1 -|
    B                                                                            |- pop() -?`;
  const { cause, core } = expectViolation(history, spec, { algorithm: 'monitor' });
  expect(cause).toMatchObject({ kind: 'stuck', operation: 6 });
  expect([...core.columns.id]).not.toContain(0);
});

interface Run {
  readonly peeks?: boolean;
  readonly pending?: number;
  readonly corrupt?: (answer: unknown, number: number) => unknown;
}

const OPERATIONS = share(3_000, 900);

/** Calls of a plain stack by 6 processes. */
function run(seed: number, { peeks = false, ...more }: Run): History {
  const random = new Random(seed);
  const items: number[] = [];
  return simulatedHistory(random, {
    operations: OPERATIONS,
    processes: 6,
    object: {
      push: (value: number) => void items.push(value),
      pop: () => items.pop() ?? null,
      peek: () => items[items.length - 1] ?? null,
    },
    draw: (number) =>
      random.withProbability(50)
        ? ['push', number]
        : peeks && random.withProbability(50)
          ? ['peek']
          : ['pop'],
    ...more,
  });
}

test.each([
  ['plain', { corrupt: undefined }],
  ['with peeks', { peeks: true }],
  ['with pending calls', { peeks: true, pending: 1 }],
] as const)('long histories get a valid witness: %s', (_, more) => {
  for (let seed = 1; seed <= 2; seed++) {
    const history = run(seed, more as Run);
    const verdict = check(history, spec, { algorithm: 'monitor' });
    expect(verdict.kind).toBe('linearizable');
    if (verdict.kind === 'linearizable')
      expect(verifyWitness(history, spec, verdict.witness)).toBeUndefined();
  }
});

test.each([false, true])('two exchanged results in a long history give a small core (peeks: %s)', (peeks) => {
  for (let seed = 1; seed <= share(3, 1); seed++) {
    const answers: unknown[] = [];
    run(seed, { peeks, corrupt: (answer, number) => (answers[number] = answer) });
    const isValue = (number: number): boolean => typeof answers[number] === 'number';
    const one = answers.findIndex((_, number) => number > OPERATIONS / 3 && isValue(number));
    const other = answers.findIndex((_, number) => number > one + 100 && isValue(number));
    const corrupt = (answer: unknown, number: number): unknown =>
      number === one ? answers[other] : number === other ? answers[one] : answer;
    const { cause, core } = expectViolation(run(seed, { peeks, corrupt }), spec);
    expect(['cyclic core', 'too early', 'too late', 'taken twice']).toContain(cause.kind);
    expect(core.length).toBeLessThan(20);
  }
});
