import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../history/builder/builder.js';
import { sketch } from '../history/drawing/sketch.js';
import type { History } from '../history/history.js';
import type { AnyObject } from '../history/model/operation.js';
import { queue } from '../objects/collections/container.js';
import { map } from '../objects/collections/map.js';
import { mutex } from '../objects/locks/mutex.js';
import type { Spec } from '../spec/spec.js';
import { check } from './check.js';
import type { Fault, Wait } from './model/verdict.js';
import { verifyWitness } from './verify-witness.js';

const anyQueue = queue() as unknown as Spec;

function fault(
  history: History<AnyObject>,
  order: number[],
  waits?: Wait[],
  spec: Spec = anyQueue,
): Fault | undefined {
  return verifyWitness(history, spec, { order: Int32Array.from(order), ...(waits && { waits }) });
}

const history = sketch`
  A  |- enqueue(1) -|   |- enqueue(2) ----|   |- dequeue() -> 1 -|
  B                       |- peek() -> 1 -|
  C  |- enqueue(3) -x     |- enqueue(4) -?
`;
const [enqueue1, failed, enqueue2, peek, pending, dequeue] = [0, 1, 2, 3, 4, 5];

test('the operations of the history have the numbers that these tests use', () => {
  expect(Array.from(history, ({ method, args }) => [method, ...args].join(' '))).toEqual([
    'enqueue 1',
    'enqueue 3',
    'enqueue 2',
    'peek',
    'enqueue 4',
    'dequeue',
  ]);
});

test('a witness proves the history linearizable', () => {
  expect(fault(history, [enqueue1, enqueue2, peek, dequeue])).toBeUndefined();
  expect(fault(history, [enqueue1, peek, enqueue2, dequeue])).toBeUndefined();
});

test('a witness may include a pending operation or omit it', () => {
  expect(fault(history, [enqueue1, enqueue2, peek, dequeue, pending])).toBeUndefined();
  expect(fault(history, [enqueue1, pending, enqueue2, peek, dequeue])).toBeUndefined();
});

describe('an invalid witness breaks a rule', () => {
  test('unknown: it includes an operation that does not exist', () => {
    expect(fault(history, [enqueue1, 17])).toEqual({ operation: 17, rule: 'unknown' });
    expect(fault(history, [-1])).toEqual({ operation: -1, rule: 'unknown' });
  });

  test('unknown: it includes a failed operation', () => {
    expect(fault(history, [enqueue1, failed])).toEqual({ operation: failed, rule: 'unknown' });
  });

  test('twice: it repeats an operation', () => {
    expect(fault(history, [enqueue1, enqueue2, enqueue1])).toEqual({ operation: enqueue1, rule: 'twice' });
  });

  test('missing: it omits a completed operation', () => {
    expect(fault(history, [enqueue1, enqueue2, peek])).toEqual({ operation: dequeue, rule: 'missing' });
    expect(fault(history, [])).toEqual({ operation: enqueue1, rule: 'missing' });
  });

  test('real-time: an operation follows one that was called after its return', () => {
    expect(fault(history, [enqueue2, enqueue1, peek, dequeue])).toEqual({
      operation: enqueue1,
      rule: 'real-time',
    });
    expect(fault(history, [pending, enqueue1, enqueue2, peek, dequeue])).toEqual({
      operation: enqueue1,
      rule: 'real-time',
    });
  });

  test('spec: a result is not allowed in the state reached there', () => {
    const wrong = sketch`
      A  |- enqueue(1) ---|   |- dequeue() -> 1 -|
      B  |- enqueue(2) ---|
    `;
    expect(fault(wrong, [0, 1, 2])).toBeUndefined();
    expect(fault(wrong, [1, 0, 2])).toEqual({ operation: 2, rule: 'spec' });
  });

  test('after: an operation precedes one that it is "after"', () => {
    const builder = new HistoryBuilder();
    const done = { kind: 'returned', value: undefined } as const;
    const first = builder.call({ process: 'A', method: 'enqueue', args: [1] });
    const second = builder.call({ process: 'B', method: 'enqueue', args: [2] });
    const waiting = builder.call({ process: 'C', method: 'enqueue', args: [3] });
    builder.end(first, done);
    builder.end(second, done);
    builder.after(first, [second]);
    const ordered = builder.finish();
    expect(fault(ordered, [second, first])).toBeUndefined();
    expect(fault(ordered, [first, second])).toEqual({ operation: first, rule: 'after' });
    builder.after(second, [waiting]);
    expect(fault(builder.finish(), [second, first])).toEqual({ operation: second, rule: 'after' });
  });
});

describe('a witness of a stuck history', () => {
  const builder = new HistoryBuilder();
  const lock = builder.call({ process: 'A', method: 'lock' });
  builder.end(lock, { kind: 'returned', value: undefined });
  const waiting = builder.call({ process: 'B', method: 'lock' });
  builder.markStuck();
  const stuck = builder.finish();
  const anyMutex = mutex() as unknown as Spec;
  const wait = (...order: number[]): Wait[] => [{ operation: waiting, order: Int32Array.from(order) }];

  test('needs a linearization for each blocked operation', () => {
    expect(fault(stuck, [lock], wait(lock), anyMutex)).toBeUndefined();
    expect(fault(stuck, [lock], [], anyMutex)).toEqual({ operation: waiting, rule: 'waits' });
  });

  test('needs linearizations of exactly the completed operations', () => {
    expect(fault(stuck, [lock], wait(), anyMutex)).toEqual({ operation: lock, rule: 'missing' });
    expect(fault(stuck, [lock], wait(lock, waiting), anyMutex)).toEqual({
      operation: waiting,
      rule: 'unknown',
    });
  });

  test('needs final states in which the operations block', () => {
    const free = sketch`
      A  |- lock() -|  |- unlock() -|
      B  |- lock() -?
    `;
    const builder = new HistoryBuilder();
    for (const { call, return: end, ...operation } of free)
      builder.operation({ ...operation, call, return: end === Number.POSITIVE_INFINITY ? undefined : end });
    builder.markStuck();
    const [first, waits, last] = [0, 1, 2];
    const claim = [{ operation: waits, order: Int32Array.of(first, last) }];
    expect(fault(builder.finish(), [first, last], claim, anyMutex)).toEqual({
      operation: waits,
      rule: 'waits',
    });
  });
});

test('a witness over parts and objects is verified as a whole', () => {
  const several = sketch`
    A  |- m.put("a", 1) -|   |- q.dequeue() -> 5 -|
    B  |- q.enqueue(5) --|   |- m.get("a") -> 1 -|
    C  |- m.put("b", 2) -|   |- m.get("b") -> 2 -|
  `;
  const specOf = (object: string | undefined) => (object === 'q' ? queue() : map()) as unknown as Spec;
  const verdict = check(several, specOf, { algorithm: 'search' });
  if (verdict.kind !== 'linearizable') throw new Error(verdict.kind);
  expect(verdict.stats.parts).toBe(3);
  expect(verifyWitness(several, specOf, verdict.witness)).toBeUndefined();
  const doctored = verdict.witness.order.toReversed();
  expect(verifyWitness(several, specOf, { order: doctored })).toMatchObject({ rule: 'real-time' });
});
