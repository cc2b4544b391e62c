import { expect, test } from 'vitest';
import { HistoryBuilder } from '../history/builder/builder.js';
import { queue } from '../objects/collections/container.js';
import { map } from '../objects/collections/map.js';
import { measureConsistency } from './measure.js';

const add = (
  builder: HistoryBuilder,
  [process, method, args, value, call, end]: readonly [string, string, unknown[], unknown, number, number?],
): void => {
  builder.operation({
    process,
    method,
    args,
    outcome: end === undefined ? { kind: 'pending' } : { kind: 'returned', value },
    call,
    return: end,
  });
};

test('a long queue is measured', () => {
  const builder = new HistoryBuilder();
  for (let i = 0; i < 70_000; i++) {
    add(builder, ['A', 'enqueue', [i], undefined, 4 * i, 4 * i + 1]);
    add(builder, ['A', 'dequeue', [], i === 5 ? null : i, 4 * i + 2, 4 * i + 3]);
  }
  const { values } = measureConsistency(builder.finish(), queue(), { brief: true });
  expect(values?.missing).toEqual([{ value: 5, put: 10 }]);
  expect(values?.notEmpty).toEqual([11]);
});

test('many processes cost more steps, not more memory', () => {
  const builder = new HistoryBuilder();
  for (let i = 0; i < 1_000; i++) add(builder, [`P${i}`, 'enqueue', [i], undefined, i, 3_000 + i]);
  add(builder, ['A', 'dequeue', [], -1, 20_000, 20_001]);
  const { sequential } = measureConsistency(builder.finish(), queue(), { maxSteps: 5_000 });
  expect(sequential).toEqual({ kind: 'not measured', reason: 'the search stopped after 5,000 steps' });
});

test('a call that overlaps an earlier one of its process, not the last, is noticed', () => {
  const builder = new HistoryBuilder();
  const call = (key: string, method: string, value: number, from: number, to: number): void => {
    builder.operation({
      process: 'A',
      method,
      args: method === 'put' ? [key, value] : [key],
      outcome: { kind: 'returned', value: method === 'put' ? undefined : value },
      call: from,
      return: to,
      overlapping: true,
    });
  };
  call('y', 'put', 1, 0, 100);
  call('x', 'put', 2, 10, 20);
  call('y', 'put', 3, 30, 40);
  const { notMeasured } = measureConsistency(builder.finish(), map());
  expect(notMeasured.map(({ part, reason }) => `${part}: ${reason}`).sort()).toEqual([
    'x: calls of one process overlap',
    'y: calls of one process overlap',
  ]);
});

test('a stuck history has no sequential order that ignores its pending calls', () => {
  const builder = new HistoryBuilder();
  add(builder, ['A', 'dequeue', [], undefined, 0]);
  add(builder, ['B', 'enqueue', [1], undefined, 1, 2]);
  builder.markStuck();
  expect(measureConsistency(builder.finish(), queue()).sequential.kind).toBe('not measured');
});

test('a brief measure checks no part', () => {
  const builder = new HistoryBuilder();
  add(builder, ['A', 'put', ['x', 1], undefined, 0, 1]);
  add(builder, ['A', 'get', ['x'], 7, 2, 3]);
  const { parts, extent, neverWritten } = measureConsistency(builder.finish(), map(), { brief: true });
  expect({ parts: parts.violations.length, extent, neverWritten }).toEqual({
    parts: 0,
    extent: 'brief',
    neverWritten: [1],
  });
});
