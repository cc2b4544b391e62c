import { expect, test } from 'vitest';
import { simulate } from '../../../../test/support/generators/simulated.js';
import { simulatedHistory } from '../../../../test/support/generators/simulated-history.js';
import { expectLinearizable, expectViolation } from '../../../../test/support/oracles/evidence.js';
import { expectOracleVerdict } from '../../../../test/support/oracles/monitored.js';
import { Random } from '../../../base/random.js';
import { sketch } from '../../../history/drawing/sketch.js';
import type { History } from '../../../history/history.js';
import { queue, stack } from '../../../objects/collections/container.js';
import { priorityQueue } from '../../../objects/collections/priority-queue.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';
import { monitored } from '../registry.js';

const spec = queue() as Spec;
const isRead = (history: History, own: Spec = spec): boolean => {
  const found = monitored(history, own);
  return found !== undefined && 'reading' in found;
};

test('a value that is added again after its removal is a new epoch', () => {
  const history = sketch`
    A  |- enqueue(1) -| |- dequeue() -> 1 -| |- enqueue(1) -|                    |- dequeue() -> 1 -|
    B        |- enqueue(2) -|                    |- dequeue() -> 2 -| |- peek() -> 1 -|`;
  expect(isRead(history)).toBe(true);
  expectLinearizable(history, spec);
});

test('the core of a missing duplicate shows all duplicates of the value', () => {
  const { cause, core } = expectViolation(
    sketch`
      A  |- enqueue(1) -| |- dequeue() -> 1 -| |- enqueue(1) -| |- dequeue() -> 1 -| |- dequeue() -> 1 -|
      B                                                                                                  |- enqueue(1) -|`,
    spec,
  );
  expect(cause).toMatchObject({ kind: 'stuck', operation: 4, allowed: [{ kind: 'returned', value: null }] });
  expect([...core.columns.id]).toEqual([0, 1, 2, 3, 4]);
});

test('the cause names the recorded value and the operation that added this epoch', () => {
  const { cause, core } = expectViolation(
    sketch`
      A  |- enqueue(1) -| |- dequeue() -> 1 -| |- enqueue(2) -|                 |- dequeue() -> 1 -|
      B                                                         |- enqueue(1) -|                     |- dequeue() -> 2 -|`,
    spec,
  );
  expect(cause).toMatchObject({
    kind: 'overtaken',
    operation: 4,
    first: { value: 2, put: 2, taken: undefined },
    second: { value: 1, put: 3, taken: 4 },
  });
  expect([...core.columns.id]).toEqual([2, 3, 4]);
});

test('the core keeps the removal of an initial value that is added again', () => {
  const started = queue({ initial: [1] }) as Spec;
  const { cause, core } = expectViolation(
    sketch`A  |- dequeue() -> 1 -| |- enqueue(2) -| |- enqueue(1) -| |- dequeue() -> 1 -|`,
    started,
  );
  expect(cause).toMatchObject({ kind: 'overtaken', second: { value: 1, put: 2, taken: 3 } });
  expect([...core.columns.id]).toEqual([0, 1, 2, 3]);
});

test('duplicates that are present together leave in the order of their additions', () => {
  const history = sketch`
    A  |- enqueue(1) -| |- enqueue(2) -| |- enqueue(1) -| |- dequeue() -> 1 -| |- dequeue() -> 2 -| |- dequeue() -> 1 -|
    B     |- enqueue(1) -|                                                   |- dequeue() -> 1 -|`;
  expect(isRead(history)).toBe(true);
  expectLinearizable(history, spec);
  const { cause, core } = expectViolation(
    sketch`A  |- enqueue(1) -| |- enqueue(2) -| |- enqueue(1) -| |- dequeue() -> 1 -| |- dequeue() -> 1 -| |- dequeue() -> 2 -|`,
    spec,
  );
  expect(cause).toMatchObject({
    kind: 'overtaken',
    operation: 4,
    first: { value: 2, put: 1, taken: undefined },
    second: { value: 1, put: 2, taken: 4 },
  });
  expect([...core.columns.id]).toEqual([0, 1, 2, 3, 4]);
});

test.each([
  sketch`
    A  |------ enqueue(1) ------|
    B      |- enqueue(1) -|`,
  sketch`
    A  |- enqueue(1) -| |- enqueue(1) -| |------ dequeue() -> 1 ------|
    B                                        |- dequeue() -> 1 -|`,
  sketch`
    A  |- enqueue(1) -| |- dequeue() -> 1 -| |- enqueue(1) -|
    B                             |- peek() -> 1 -|`,
  sketch`A  |- enqueue(1) -| |- enqueue(1) -| |- dequeue() -?`,
  sketch`A  |- enqueue(1) -| |- enqueue(1) -| |- dequeue() -> 1 -| |- dequeue() -> 1 -| |- dequeue() -> 1 -|`,
])('the monitor tries matchings of results with indistinguishable duplicates (%#)', (history) => {
  expect(isRead(history)).toBe(true);
  expectOracleVerdict(history, spec);
});

test('a stack may return a later duplicate first', () => {
  const history = sketch`A  |- push(1) -| |- push(1) -| |- pop() -> 1 -| |- pop() -> 1 -|`;
  expect(isRead(history, stack() as Spec)).toBe(true);
  expectLinearizable(history, stack() as Spec);
});

test('the cause is found for unambiguous values, even if others are ambiguous', () => {
  const { cause, core } = expectViolation(
    sketch`
      A  |- push(1) -| |- push(2) -| |- push(3) -|  |- pop() -> 3 -| |- pop() -> 1 -| |- pop() -> 2 -|
      B                              |- push(3) -|  |- pop() -> 3 -|`,
    stack() as Spec,
  );
  expect(cause).toMatchObject({ kind: 'cyclic core', intervals: [{ value: 1 }, { value: 2 }] });
  expect([...core.columns.id]).toEqual([0, 1, 6]);
});

test('if no matching fits, only the operations of the contradictions are searched', () => {
  const { cause, core } = expectViolation(
    sketch`
      A  |- push(7) -| |- push(1) -| |- push(2) -| |- push(1) -| |- pop() -> 1 -| |- pop() -> 1 -| |- pop() -> 2 -| |- pop() -> 7 -|`,
    stack() as Spec,
  );
  expect(cause).toMatchObject({ kind: 'stuck', operation: 5, allowed: [{ value: 2 }] });
  expect([...core.columns.id]).not.toContain(0);
});

test('an explicit priority distinguishes duplicates', () => {
  const spec = priorityQueue() as Spec;
  expectLinearizable(
    sketch`A  |- insert(5, 1) -| |- insert(5) -| |- insert(3) -| |- deleteMin() -> 5 -| |- deleteMin() -> 3 -| |- deleteMin() -> 5 -|`,
    spec,
  );
  expectViolation(
    sketch`A  |- insert(5) -| |- insert(5) -| |- insert(3) -| |- deleteMin() -> 5 -| |- deleteMin() -> 3 -| |- deleteMin() -> 5 -|`,
    spec,
  );
});

test('a history with too many matchings is searched', () => {
  const random = new Random(324);
  const items: number[] = [];
  const history = simulatedHistory(random, {
    operations: 300,
    processes: 4,
    object: { push: (value: number) => void items.push(value), pop: () => items.pop() ?? null },
    draw: () => (random.withProbability(50) ? ['push', random.below(20)] : ['pop']),
  });
  const verdict = check(history, stack() as Spec, { algorithm: 'monitor' });
  expect(verdict.kind).toBe('linearizable');
  expect(verdict.stats.checker).toMatch(/^stack monitor and /);
});

test('the monitor reads long histories in which few values are added again after their removal', () => {
  const random = new Random(3);
  let next = 0;
  const history = simulate(
    {
      spec,
      operations: 2_000,
      processes: 4,
      draw: () => (random.withProbability(50) ? ['enqueue', next++ % 300] : ['dequeue']),
    },
    random,
  );
  expect(isRead(history)).toBe(true);
  expectLinearizable(history, spec);
});
