import { describe, expect, test } from 'vitest';
import { isLinearizable } from '../../../test/support/oracles/oracle.js';
import { share } from '../../../test/support/share.js';
import { Random } from '../../base/random.js';
import { parseHistory } from '../../formats/read-history.js';
import type { History } from '../../history/history.js';
import { map } from '../../objects/collections/map.js';
import type { Spec } from '../../spec/spec.js';
import { check } from '../check.js';
import { verifyWitness } from '../verify-witness.js';
import { coreByClocks, orderByClocks } from './clock-order.js';

const spec = map() as Spec;
const ERROR = 10_000;

interface Simulation {
  readonly operations: number;
  readonly processes: number;
  /** The error of the clock of a process at a time. */
  readonly errorOf: (process: number, time: number) => number;
  /** From this operation on, reads return the first value. */
  readonly staleFrom?: number;
  /** A read in the middle returns the value that was replaced this many writes ago. */
  readonly staleBy?: number;
  readonly keys?: number;
  readonly error?: number;
}

/** A history of a map with ten keys whose clocks have errors; calls take up to 600 units. */
function simulated(
  random: Random,
  {
    operations,
    processes,
    errorOf,
    staleFrom = operations,
    staleBy = 0,
    keys = 10,
    error = ERROR,
  }: Simulation,
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
  const values = new Map<string, number[]>();
  let isStale = staleBy === 0;
  const lines = calls
    .sort((a, b) => a.at - b.at)
    .map(({ p, call, end }, i) => {
      const key = `k${random.below(keys)}`;
      const isRead = random.withProbability(60);
      const seen = i < staleFrom ? state : first;
      const own = values.get(key) ?? [];
      const isOld: boolean = isRead && !isStale && i > operations / 2 && own.length > staleBy;
      isStale ||= isOld;
      const result = isOld ? own[own.length - 1 - staleBy] : (seen.get(key) ?? null);
      const record = isRead ? { method: 'get', args: [key], result } : { method: 'put', args: [key, i + 1] };
      if (!isRead) {
        if (!first.has(key)) first.set(key, i + 1);
        state.set(key, i + 1);
        values.set(key, [...own.slice(-staleBy), i + 1]);
      }
      const recorded = (time: number) => time + Math.round(errorOf(p, time)) + 10 * ERROR;
      return JSON.stringify({
        process: `P${p}`,
        ...record,
        call: recorded(call),
        return: recorded(end),
      });
    });
  return parseHistory(lines.join('\n'), { clockError: error });
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

describe('a contradiction that only the order of clocks shows', () => {
  test('is decided by the few operations that show it', () => {
    let shownByOrder = 0;
    for (let seed = 1; seed <= share(40, 6); seed++) {
      const random = new Random(seed);
      const errorOf = CLOCKS.constant(random);
      const history = simulated(random, {
        operations: 3_000,
        processes: 10,
        errorOf,
        staleBy: 6 + (seed % 8),
      });
      const verdict = check(history, spec);
      const core = coreByClocks(history, spec, () => false);
      if (core) expect(isLinearizable(core, spec)).toBe(false);
      expect(verdict.kind).toBe(
        core || !orderByClocks(history, spec, () => false) ? 'violation' : 'linearizable',
      );
      if (!core || check(history.withoutAfter(), spec).kind === 'violation') continue;
      shownByOrder++;
      if (verdict.kind !== 'violation') continue;
      const { core: shown, isFirst, allowedIsComplete, cuts } = verdict.counterexample;
      expect(isLinearizable(shown, spec)).toBe(false);
      expect({ isFirst, allowedIsComplete }).toEqual({ isFirst: false, allowedIsComplete: false });
      expect(cuts).toContain('values');
      expect([...shown].every((own) => history.positionsById()[own.id] >= 0)).toBe(true);
    }
    expect(shownByOrder).toBeGreaterThan(share(5, 0));
  });
  test('is one by the definition', () => {
    const random = new Random(9);
    let found = 0;
    for (let i = 0; i < share(20_000, 400); i++) {
      const errors = [0, 1, 2].map(() => random.below(401) - 200);
      const history = simulated(random, {
        operations: 5 + random.below(6),
        processes: 3,
        errorOf: (process) => errors[process],
        staleBy: 1 + random.below(2),
        keys: 2,
        error: 200,
      });
      const core = coreByClocks(history, spec, () => false);
      if (!core) continue;
      found++;
      expect(isLinearizable(history, spec)).toBe(false);
      expect(isLinearizable(core, spec)).toBe(false);
    }
    expect(found).toBeGreaterThan(5);
  });
});
