/**
 * Long histories as a simulated run of several processes would record them: linearizable, since each call takes effect once,
 * between call and return, on one plain object. Some calls may never return; half of these took effect.
 */
import type { Random } from '../../../src/base/random.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import type { History } from '../../../src/history/history.js';

type Call = readonly [method: string, ...args: unknown[]];

interface Simulation {
  readonly operations: number;
  readonly processes: number;
  /** A plain object, and its next call. */
  readonly object: Readonly<Record<string, (...args: never[]) => unknown>>;
  readonly draw: (number: number) => Call;
  /** So many of 100 calls never return. */
  readonly pending?: number;
  /** What is recorded instead of an answer. */
  readonly spoil?: (answer: unknown, number: number) => unknown;
}

export function simulatedHistory(random: Random, simulation: Simulation): History {
  const { operations, processes, object, draw, pending = 0, spoil = (answer) => answer } = simulation;
  const builder = new HistoryBuilder();
  const running: (
    | { call: Call; time: number; number: number; crashes: boolean; answer?: { value: unknown } }
    | undefined
  )[] = [];
  let [begun, ended] = [0, 0];
  for (let time = 0; ended < operations; time++) {
    const p = random.below(processes);
    const own = running[p];
    if (!own) {
      if (begun < operations)
        running[p] = { call: draw(begun), time, number: begun++, crashes: random.withProbability(pending) };
      continue;
    }
    const [method, ...args] = own.call;
    if (!own.answer) {
      const happens = !own.crashes || random.withProbability(50);
      own.answer = { value: happens ? object[method](...(args as never[])) : undefined };
      continue;
    }
    builder.operation({
      process: `p${p}`,
      method,
      args,
      outcome: own.crashes
        ? { kind: 'pending' }
        : { kind: 'returned', value: spoil(own.answer.value, own.number) },
      call: own.time,
      return: own.crashes ? undefined : time,
      overlapping: true,
    });
    running[p] = undefined;
    ended++;
  }
  return builder.finish();
}
