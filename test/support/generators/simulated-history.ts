/**
 * Simulates long histories of several processes on one plain object.
 *
 * Each call takes effect once between call and return, so the history is linearizable. Some calls may be pending; half
 * of these took effect.
 */
import type { Random } from '../../../src/base/random.js';
import { HistoryBuilder } from '../../../src/history/builder/builder.js';
import type { History } from '../../../src/history/history.js';

type Call = readonly [method: string, ...args: unknown[]];

interface Simulation {
  readonly operations: number;
  readonly processes: number;
  /** A plain object; `draw` gives its next call. */
  readonly object: Readonly<Record<string, (...args: never[]) => unknown>>;
  readonly draw: (number: number) => Call;
  /** Pending calls, in per cent. */
  readonly pending?: number;
  /** Replaces the result of a call in the record. */
  readonly corrupt?: (result: unknown, number: number) => unknown;
}

export function simulatedHistory(random: Random, simulation: Simulation): History {
  const { operations, processes, object, draw, pending = 0, corrupt = (result) => result } = simulation;
  const builder = new HistoryBuilder();
  const running: (
    | { call: Call; time: number; number: number; crashes: boolean; result?: { value: unknown } }
    | undefined
  )[] = [];
  let [started, ended] = [0, 0];
  for (let time = 0; ended < operations; time++) {
    const p = random.below(processes);
    const own = running[p];
    if (!own) {
      if (started < operations)
        running[p] = {
          call: draw(started),
          time,
          number: started++,
          crashes: random.withProbability(pending),
        };
      continue;
    }
    const [method, ...args] = own.call;
    if (!own.result) {
      const happens = !own.crashes || random.withProbability(50);
      own.result = { value: happens ? object[method](...(args as never[])) : undefined };
      continue;
    }
    builder.operation({
      process: `p${p}`,
      method,
      args,
      outcome: own.crashes
        ? { kind: 'pending' }
        : { kind: 'returned', value: corrupt(own.result.value, own.number) },
      call: own.time,
      return: own.crashes ? undefined : time,
      overlapping: true,
    });
    running[p] = undefined;
    ended++;
  }
  return builder.finish();
}
