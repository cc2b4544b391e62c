import { expect, test } from 'vitest';
import { evaluateInstrumented } from '../../../test/support/fixtures/instrumented.js';
import { type ObservationSet, parseObservations } from '../learning/read-observations.js';
import { observationsText } from '../learning/write-observations.js';
import { lineUp } from '../line-up.js';
import { Deadline } from '../model/deadline.js';
import type { TestResult } from '../result.js';
import { scenario } from '../scenario/scenario.js';
import type { TestCase } from '../scenario/test-case.js';
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
