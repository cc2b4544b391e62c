import { describe, expect, test } from 'vitest';
import { evaluateInstrumented } from '../../../test/support/fixtures/instrumented.js';
import { result } from '../../base/values/result-reference.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { exclusive } from '../../objects/locks/mutex.js';
import { type ObservationSet, parseObservations } from '../learning/read-observations.js';
import { observationsText } from '../learning/write-observations.js';
import { lineUp } from '../line-up.js';
import { Deadline } from '../model/deadline.js';
import type { TestResult } from '../result.js';
import { type Scenario, scenario } from '../scenario/scenario.js';
import type { TestCase } from '../scenario/test-case.js';
import { failureOf, failureText, replay, tokenOf } from './failure.js';
import { shrinkSync } from './shrink.js';

/** A counter that increments by `by` in two steps, so two concurrent increments may lose an update. */
const counterBy = (by: number) => {
  const { make } = evaluateInstrumented(
    `class C { n = 0; inc() { const n = this.n; this.n = n + ${by}; return n + ${by} } } export const make = () => new C();`,
  );
  const create = make as () => { inc(): number };
  return scenario({ create, calls: [['inc']], backend: 'instrumented' });
};
const matrixOf = (...calls: readonly number[]): TestCase => ({
  threads: calls.map((count) => Array.from({ length: count }, () => ['inc'] as const)),
  before: [],
  after: [],
});
const unlimited = () => new Deadline(Number.POSITIVE_INFINITY);

function observed(...matrices: readonly TestCase[]): readonly ObservationSet[] {
  const texts = matrices.map(
    (matrix) => lineUp(counterBy(1), matrix, { seed: 1, isObserving: true }, unlimited()).observations!,
  );
  return parseObservations(observationsText(texts));
}

function smallest(...matrices: readonly TestCase[]): TestCase {
  const options = { seed: 1, observed: observed(...matrices) };
  const found = lineUp(counterBy(2), matrixOf(2, 2), options, unlimited());
  return shrinkSync(counterBy(2), found, options, unlimited()).test;
}

test('every call of a failure is needed', () => {
  const found = lineUp(counterBy(1), matrixOf(2, 2), { seed: 1 }, unlimited());
  expect(shrinkSync(counterBy(1), found, { seed: 1 }, unlimited()).test).toEqual(matrixOf(1, 1));
});

test('a failure against observations shrinks only to observed tests', () => {
  expect(smallest(matrixOf(2, 2))).toEqual(matrixOf(2, 2));
  expect(smallest(matrixOf(2, 2), matrixOf(2))).toEqual(matrixOf(2));
  expect(smallest(matrixOf(2, 2), matrixOf(1, 2), matrixOf(1, 1))).toEqual(matrixOf(1, 1));
});

test('two threads become one, in any order of their calls that still fails', () => {
  const { make } = evaluateInstrumented(
    "class C { log = ''; a() { this.log += 'a'; return 0 } b() { return this.log === 'ac' ? 1 : 0 } c() { this.log += 'c'; return 0 } } export const make = () => new C();",
  );
  const nothing = (state: null) => [state, 0] as const;
  const one = scenario({
    create: make as () => { a(): number; b(): number; c(): number },
    spec: { name: 'nothing', initial: null, methods: { a: nothing, b: nothing, c: nothing } },
    calls: [['a'], ['b'], ['c']],
    backend: 'instrumented',
  });
  const matrix: TestCase = { threads: [[['a'], ['b']], [['c']]], before: [], after: [] };
  const found = lineUp(one, matrix, { seed: 1 }, unlimited());
  expect(shrinkSync(one, found, { seed: 1 }, unlimited()).test.threads).toEqual([[['a'], ['c'], ['b']]]);
});

test.each(['', "if (!this.isOpen) throw new RangeError('closed'); "])(
  'a sequence stays together, and the failure stays of its kind: %j',
  (check) => {
    // alone, a second call in sequence would throw another error
    const { make } = evaluateInstrumented(
      `class Door { n = 0; isOpen = false; open() { const { n } = this; this.n = n + 1; this.isOpen = true; return n }
        close() { ${check}this.isOpen = false; if (this.n === 0) throw new TypeError('never opened') } }
      export const make = () => new Door();`,
    );
    const one = scenario({
      create: make as () => { open(): number; close(): void },
      spec: {
        name: 'door',
        initial: 0,
        methods: { open: (n: number) => [n + 1, n] as const, close: (n: number) => [n, undefined] as const },
      },
      calls: [[['open'], ['close']]],
      backend: 'instrumented',
    });
    const [visit] = one.calls as unknown as [TestCase['threads'][0]];
    const all: TestCase = { threads: [[...visit, ...visit], visit], before: [], after: [] };
    const outcomeOf = ({ backend, violation }: TestResult) => {
      if (violation?.kind !== 'outcome') throw new Error('expected an outcome');
      const { history, idOf } = backend.trace(violation.schedule);
      const { outcome } = history.at(history.positionsById()[idOf[violation.operation]]);
      return outcome.kind === 'threw' ? outcome.error : outcome.kind;
    };
    const found = lineUp(one, all, { seed: 1 }, unlimited());
    const shrunk = shrinkSync(one, found, { seed: 1 }, unlimited());
    expect(outcomeOf(shrunk)).toBe(outcomeOf(found));
    expect(shrunk.test.threads).toEqual([visit, visit]);
  },
);

test('a smaller test with another kind of failure is rejected', () => {
  const { make } = evaluateInstrumented(
    `class C { n = 0; isReady = false; init() { this.isReady = true } inc() { const { n } = this; this.n = n + 1; return n }
      use() { if (!this.isReady) throw new RangeError('not ready') } } export const make = () => new C();`,
  );
  const nothing = (n: number) => [n, undefined] as const;
  const one = scenario({
    create: make as () => { init(): void; inc(): number; use(): void },
    spec: {
      name: 'counter',
      initial: 0,
      methods: { init: nothing, use: nothing, inc: (n: number) => [n + 1, n] as const },
    },
    calls: [['inc'], ['use']],
    backend: 'instrumented',
  });
  const all: TestCase = { threads: [[['use'], ['inc']], [['inc']]], before: [['init']], after: [] };
  const found = lineUp(one, all, { seed: 1 }, unlimited());
  expect(shrinkSync(one, found, { seed: 1 }, unlimited()).test).toEqual({
    threads: [[['inc']], [['inc']]],
    before: [],
    after: [],
  });
});

describe('calls that use results', () => {
  class Pool {
    free = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }];
    async take(): Promise<{ id: number }> {
      const [first] = this.free;
      await Promise.resolve();
      this.free = this.free.filter((one) => one !== first);
      return first;
    }
    async give(one: { id: number }): Promise<void> {
      this.free.push(one);
    }
    async size(): Promise<number> {
      return 0;
    }
  }
  const visit = [['take'], ['size'], ['give', result('take')]] as const;
  const spec = exclusive({ take: 'take', give: ['give', 0] });
  const given = { create: () => new Pool(), backend: 'async', spec } as const;
  const shrunk = (one: Scenario, threads: TestCase['threads']): Promise<TestResult> =>
    inOwnTask(() => {
      const found = lineUp(one, { threads, before: [], after: [] }, { seed: 1 }, unlimited());
      return shrinkSync(one, found, { seed: 1 }, unlimited());
    });

  test('leave with the call whose result they use, and a sequence stays together', async () => {
    const one = scenario({ ...given, test: [[['size'], ...visit], visit] });
    expect((await shrunk(one, one.test!)).test.threads).toEqual([[['take']], [['take']]]);
    const kept = scenario({ ...given, calls: [visit] });
    const [sequence] = kept.calls as unknown as [TestCase['threads'][0]];
    expect((await shrunk(kept, [[...sequence, ...sequence], sequence])).test.threads).toEqual([visit, visit]);
  });

  test('are replayed from a file and from a token', async () => {
    const one = scenario({ ...given, test: [visit, visit] });
    const found = await inOwnTask(() =>
      lineUp(one, { threads: one.test!, before: [], after: [] }, { seed: 1 }, unlimited()),
    );
    const failure = await inOwnTask(() => failureOf('', found)!);
    for (const text of [failureText(failure)!, tokenOf(failure)])
      expect((await replay(one, text)).kind).toBe('reproduced');
  });
});
