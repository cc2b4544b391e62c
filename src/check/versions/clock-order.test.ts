import { describe, expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { parseHistory } from '../../formats/read-history.js';
import type { History } from '../../history/history.js';
import { map } from '../../objects/collections/map.js';
import type { Spec } from '../../spec/spec.js';
import { check } from '../check.js';
import { verifyWitness } from '../verify-witness.js';
import { orderByClocks } from './clock-order.js';

const spec = map() as Spec;
const ERROR = 10_000;

interface Simulation {
  readonly operations: number;
  readonly processes: number;
  /** The error of the clock of a process at a time. */
  readonly errorOf: (process: number, time: number) => number;
  /** From this operation on, reads return the first value. */
  readonly staleFrom?: number;
}

/** A history of a map with ten keys whose clocks have errors; calls take up to 600 units. */
function simulated(
  random: Random,
  { operations, processes, errorOf, staleFrom = operations }: Simulation,
): History {
  const free = Array.from({ length: processes }, () => 0);
  const calls = Array.from({ length: operations }, () => {
    const p = free.indexOf(Math.min(...free));
    const call = free[p] + 10 + random.below(200);
    const at = call + random.below(300);
    free[p] = at + 1 + random.below(300);
    return { p, call, at, end: free[p] };
  });
  const [state, first] = [new Map<string, number>(), new Map<string, number>()];
  const lines = calls
    .sort((a, b) => a.at - b.at)
    .map(({ p, call, end }, i) => {
      const key = `k${random.below(10)}`;
      const isRead = random.withProbability(60);
      const seen = i < staleFrom ? state : first;
      const record = isRead
        ? { method: 'get', args: [key], result: seen.get(key) ?? null }
        : { method: 'put', args: [key, i + 1] };
      if (!isRead) {
        if (!first.has(key)) first.set(key, i + 1);
        state.set(key, i + 1);
      }
      const recorded = (time: number) => time + Math.round(errorOf(p, time)) + 10 * ERROR;
      return JSON.stringify({
        process: `P${p}`,
        ...record,
        call: recorded(call),
        return: recorded(end),
      });
    });
  return parseHistory(lines.join('\n'), { clockError: ERROR });
}

/** Clocks that are wrong by a constant, or that drift. */
const CLOCKS = {
  constant: (random: Random) => {
    const errors = Array.from({ length: 40 }, () => random.below(2 * ERROR) - ERROR);
    return (process: number) => errors[process];
  },
  drifting: (random: Random) => {
    const errors = Array.from({ length: 40 }, () => [random.below(ERROR), random.below(ERROR)]);
    return (process: number, time: number) =>
      errors[process][0] * Math.cos(time / 40_000) * Math.cos(errors[process][1]);
  },
};

describe.each(Object.entries(CLOCKS))('%s errors of clocks', (_, clocks) => {
  test.each([3, 10, 20])('a history of %i processes has an order that is verified', (processes) => {
    for (let seed = 1; seed <= share(20, 2); seed++) {
      const random = new Random(seed);
      const history = simulated(random, {
        operations: share(20_000, 2_000),
        processes,
        errorOf: clocks(random),
      });
      const order = orderByClocks(history, spec, () => false);
      expect(order && verifyWitness(history, spec, { order })).toBeUndefined();
      expect(order).toHaveLength(history.length);
      const { kind, stats } = check(history, spec);
      expect(kind).toBe('linearizable');
      // no search has tried orders
      expect(stats.steps).toBeLessThan(12 * history.length);
    }
  });
});

test('reads of values that were replaced long ago have no order', () => {
  const random = new Random(1);
  const errorOf = CLOCKS.constant(random);
  const history = simulated(random, { operations: 1_200, processes: 5, errorOf, staleFrom: 1_000 });
  expect(orderByClocks(history, spec, () => false)).toBeUndefined();
});
