import { expect, test } from 'vitest';
import { simulatedHistory } from '../../../../test/support/generators/simulated-history.js';
import { expectLinearizable, expectViolation } from '../../../../test/support/oracles/evidence.js';
import { Random } from '../../../base/random.js';
import { sketch } from '../../../history/drawing/sketch.js';
import type { History } from '../../../history/history.js';
import { priorityQueue } from '../../../objects/collections/priority-queue.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';
import { AlgorithmError } from '../../search/choose-search.js';
import { verifyWitness } from '../../verify-witness.js';
import { verifyCause } from '../registry.js';

const spec = priorityQueue() as Spec;

test('a value that leaves while a more urgent one is present is a violation', () => {
  const history = sketch`
    A  |- insert(9) -| |- insert(5) -| |- insert(1) -| |- deleteMin() -> 5 -| |- deleteMin() -> 1 -|`;
  const { cause, core, minimal } = expectViolation(history, spec);
  expect(cause).toMatchObject({
    kind: 'not the first',
    operation: 3,
    interval: { value: 5, put: 1, taken: 3 },
    intervals: [{ value: 1, put: 2, taken: undefined }],
  });
  // the removal of 1 comes later, and is not needed
  expect([...core.columns.id]).toEqual([1, 2, 3]);
  expect(minimal).toBe(true);
  // neither a less urgent value nor an empty list of values is evidence
  if (cause.kind !== 'not the first') throw new Error(cause.kind);
  expect(verifyCause(history, spec, { ...cause, intervals: [{ value: 9, put: 0, taken: undefined }] })).toBe(
    false,
  );
  expect(verifyCause(history, spec, { ...cause, intervals: [] })).toBe(false);
});

test('several more urgent values can alternate', () => {
  const { cause } = expectViolation(
    sketch`
      A  |- insert(5) -| |- insert(1) -| |- deleteMin() -> 5 ----------------------------------|
      B                                          |- insert(2) -| |- deleteMin() -> 1 -|`,
    spec,
  );
  expect(cause).toMatchObject({
    kind: 'not the first',
    operation: 2,
    intervals: [{ value: 1 }, { value: 2 }],
  });
});

test('an explicit priority counts, and of values with equal priority any may leave', () => {
  const history = (first: string, second: string): History =>
    sketch(
      [
        'A  |- insert("late", 2) -| |- insert("soon", 1) -| |- insert("now", 1) -|',
        `B                                                                          |- deleteMin() -> "${first}" -| |- deleteMin() -> "${second}" -|`,
      ].join('\n'),
    );
  expectLinearizable(history('now', 'soon'), spec);
  expectLinearizable(history('soon', 'now'), spec);
  expect(expectViolation(history('soon', 'late'), spec).cause).toMatchObject({
    kind: 'not the first',
    intervals: [{ value: 'now' }],
  });
});

test('initial values leave by their priority', () => {
  const started = priorityQueue({ initial: [2, 1] }) as Spec;
  expectLinearizable(sketch`A |- min() -> 1 -| |- deleteMin() -> 1 -| |- deleteMin() -> 2 -|`, started);
  expect(expectViolation(sketch`A |- deleteMin() -> 2 -|`, started).cause).toMatchObject({
    kind: 'not the first',
    intervals: [{ value: 1, put: undefined, taken: undefined }],
  });
});

test('min returns the most urgent value that is present', () => {
  const { cause } = expectViolation(
    sketch`A |- insert(1) -| |- insert(2) -| |- min() -> 2 -| |- deleteMin() -> 1 -|`,
    spec,
  );
  expect(cause).toMatchObject({ kind: 'not the first', operation: 2, interval: { value: 2 } });
  // 2 is seen after 1 was inserted, so it leaves after that
  expectViolation(
    sketch`
      A  |- insert(2) -|  |- insert(1) -| |- min() -> 2 ------------|
      B                 |- deleteMin() -> 2 -------------------------------|
      C                                     |- deleteMin() -> null -|`,
    spec,
  );
});

test('an "empty" result needs a moment at which no value is present', () => {
  const { cause } = expectViolation(sketch`A |- insert(1) -| |- deleteMin() -> null -|`, spec);
  expect(cause).toMatchObject({ kind: 'never empty', intervals: [{ value: 1 }] });
});

test('a pending insert takes effect only if its value is returned', () => {
  const order = expectLinearizable(
    sketch`
      A  |- insert(2) -?  |- deleteMin() -> 2 -|
      B  |- insert(1) -?`,
    spec,
  );
  expect(order).toHaveLength(2);
});

test('a pending removal takes effect if a result needs it', () => {
  const open = sketch`
    A  |- insert(1) -| |- insert(2) -| |- deleteMin() -> 2 -|
    B                   |- deleteMin() -?`;
  expect(expectLinearizable(open, spec)).toHaveLength(4);
  const late = sketch`
    A  |- insert(1) -| |- insert(2) -| |- deleteMin() -> 2 -|
    B                                                          |- deleteMin() -?`;
  expect(expectViolation(late, spec).cause).toMatchObject({
    kind: 'not the first',
    intervals: [{ value: 1 }],
  });
});

test('a search of the remaining operations finds that too few removals are pending', () => {
  const history = sketch`
    A  |- insert(0) -| |- deleteMin() -> 0 -| |- insert(1) -| |- insert(2) -| |- insert(3) -| |- deleteMin() -> 3 -| |- insert(4) -|
    B                                           |- deleteMin() -?`;
  const { cause, core } = expectViolation(history, spec, { algorithm: 'monitor' });
  expect(cause).toMatchObject({ kind: 'stuck', operation: 6 });
  expect([...core.columns.id]).not.toContain(0);
});

test.each([
  [sketch`A |- insert("a") -| |- insert(1) -|`, 'some priorities are numbers and some are strings'],
  [sketch`A |- insert([1]) -|`, 'unsupported priority [1]'],
  [
    sketch`
      A |- insert("a", 1) -| |- insert("b", 1) -| |- min() -> "a" -|
      B |- deleteMin() -?`,
    'one of several equally urgent values that were seen',
  ],
])('an error names what the monitor does not support (%#)', (history, message) => {
  const monitor = (): unknown => check(history, spec, { algorithm: 'monitor' });
  expect(monitor).toThrow(AlgorithmError);
  expect(monitor).toThrow(message);
});

test.each([0, 1])('long histories get a valid witness (%i of 100 calls are pending)', (pending) => {
  for (let seed = 1; seed <= 2; seed++) {
    const history = run(seed, pending);
    const verdict = check(history, spec, { algorithm: 'monitor' });
    expect(verdict.kind).toBe('linearizable');
    if (verdict.kind === 'linearizable')
      expect(verifyWitness(history, spec, verdict.witness)).toBeUndefined();
  }
});

/** Calls of a plain list by 6 processes; priorities are random, and often equal. */
function run(seed: number, pending: number): History {
  const random = new Random(seed);
  const items: (readonly [value: number, priority: number])[] = [];
  const first = (): number => items.findIndex(([, own]) => items.every(([, other]) => own <= other));
  return simulatedHistory(random, {
    operations: pending > 0 ? 500 : 2_000,
    processes: 6,
    pending,
    object: {
      insert: (value: number, priority: number) => void items.push([value, priority]),
      deleteMin: () => items.splice(first(), 1)[0]?.[0] ?? null,
      min: () => items[first()]?.[0] ?? null,
    },
    draw: (number) =>
      random.withProbability(45)
        ? ['insert', number, random.below(50)]
        : pending === 0 && random.withProbability(30)
          ? ['min']
          : ['deleteMin'],
  });
}
