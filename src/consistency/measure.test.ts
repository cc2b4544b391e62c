import { describe, expect, test } from 'vitest';
import { share } from '../../test/support/share.js';
import { Random } from '../base/random.js';
import { check } from '../check/check.js';
import { HistoryBuilder } from '../history/builder/builder.js';
import { queue, stack } from '../objects/collections/container.js';
import { map } from '../objects/collections/map.js';
import { priorityQueue } from '../objects/collections/priority-queue.js';
import type { Spec } from '../spec/spec.js';
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

function shuffle<T>(items: readonly T[], random: Random): T[] {
  const keys = new Map(items.map((item) => [item, random.below(1 << 30)]));
  return [...items].sort((a, b) => (keys.get(a) as number) - (keys.get(b) as number));
}

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

test.each([
  ['queue', queue(), 'enqueue', 'dequeue'],
  ['stack', stack(), 'push', 'pop'],
] as const)(
  'the faulty operation is the first removal that is called duplicated: %s',
  (_, spec, put, take) => {
    const random = new Random(7);
    for (let i = 0; i < share(2_000, 200); i++) {
      // all removals overlap, so they may take values in any order
      const values = Array.from({ length: 1 + random.below(4) }, (_value, v) => v);
      const removed = [...values, ...values.filter(() => random.withProbability(50)), random.pick(values)];
      const times = shuffle(
        removed.map((_value, r) => 200 + r),
        random,
      );
      const operations = [
        ...values.map((v) => ['A', put, [v], undefined, 2 * v, 2 * v + 1] as const),
        ...removed.map((v, r) => [`B${r}`, take, [], v, 100 + r, times[r]] as const),
      ];
      const builder = new HistoryBuilder();
      for (const [process, method, args, value, call, end] of shuffle(operations, random))
        add(builder, [process, method, [...args], value, call, end]);
      const history = builder.finish();
      const verdict = check(history, spec);
      if (verdict.kind !== 'violation') throw new Error('expected a violation');
      const { return: returned } = history.columns;
      const position = history.positionsById();
      const { duplicated = [] } = measureConsistency(history, spec, { brief: true }).values ?? {};
      expect(duplicated).toHaveLength(removed.length - values.length);
      const first = duplicated.reduce((a, b) => (returned[position[a]] < returned[position[b]] ? a : b));
      expect(first).toBe(verdict.counterexample.cause.operation);
    }
  },
);

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

test('each part has a Δ of its own', () => {
  const builder = new HistoryBuilder({ keepTimes: true });
  add(builder, ['A', 'put', ['x', 1], undefined, 0, 10]);
  add(builder, ['A', 'put', ['x', 2], undefined, 20, 30]);
  add(builder, ['B', 'get', ['x'], 1, 42, 50]);
  // two writes that overlap, seen in both orders: no read is stale alone
  add(builder, ['C', 'put', ['y', 1], undefined, 0, 100]);
  add(builder, ['D', 'put', ['y', 2], undefined, 0, 100]);
  add(builder, ['E', 'get', ['y'], 1, 10, 20]);
  add(builder, ['E', 'get', ['y'], 2, 30, 40]);
  add(builder, ['E', 'get', ['y'], 1, 50, 60]);
  add(builder, ['E', 'get', ['z'], null, 70, 80]);
  const { stale } = measureConsistency(builder.finish(), map());
  expect(stale.byPart).toEqual([
    { name: 'x', reads: 1, by: 12, versions: 1, isAtLeast: false, delta: 12 },
    { name: 'y', reads: 0, by: undefined, versions: 0, isAtLeast: false, delta: 10 },
  ]);
  expect(stale.delta).toBe(12);
});

describe('the reason why reads or values are not measured', () => {
  const AFTER = 'the history has "after", an order that its times do not show';
  const EQUAL = 'equal time stamps leave the order of some calls open';
  const ERROR = 'the clock error leaves the order of some calls open';
  /** Two processes call and return at one time, or in the unit of a clock error. */
  const history = (put: string, times: 'equal' | 'distinct', clockError?: number, hasAfter = false) => {
    const builder = new HistoryBuilder({ clockError });
    const outcome = { kind: 'returned', value: undefined } as const;
    const entries = ['A', 'B'].flatMap((process, i) =>
      [0, 1].map((n) => {
        const call = n + (times === 'equal' ? 0 : i / 4);
        const end = times === 'equal' ? n + 1 : call + 0.1;
        return builder.operation({
          process,
          method: put,
          args: put === 'put' ? ['x', 2 * i + n] : [2 * i + n],
          outcome,
          call,
          return: end,
        });
      }),
    );
    if (hasAfter) builder.after(entries[1], [entries[2]]);
    return builder.finish();
  };

  test.each([
    ['after', 'distinct', undefined, true, AFTER],
    ['equal times', 'equal', undefined, false, EQUAL],
    ['a clock error', 'distinct', 5, false, ERROR],
    ['after and a clock error', 'distinct', 5, true, AFTER],
    ['nothing', 'distinct', undefined, false, undefined],
  ] as const)('%s', (_, times, clockError, hasAfter, reason) => {
    for (const [put, spec] of [
      ['put', map()],
      ['enqueue', queue()],
    ] as const) {
      const { notMeasured, contradictions } = measureConsistency(
        history(put, times, clockError, hasAfter),
        spec as Spec,
      );
      expect(notMeasured.map((one) => one.reason)).toEqual(reason === undefined ? [] : [reason]);
      expect(contradictions.extent).toBe(reason === undefined ? 'all' : 'none');
    }
  });

  test('a kind of object without a measure counts as not counted', () => {
    const builder = new HistoryBuilder();
    add(builder, ['A', 'insert', [1], undefined, 1, 2]);
    expect(measureConsistency(builder.finish(), priorityQueue()).contradictions.extent).toBe('none');
  });
});
