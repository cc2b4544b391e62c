/**
 * Histories as a simulated concurrent system would record them.
 *
 * A process calls, its call takes effect at a later tick, and returns at a later one
 * still; which process goes next is drawn from a seed. So the history is linearizable,
 * and its answers come from a sequential object that shares no code with the spec.
 *
 *   next process       drawn for each tick; with `haste`, in that percentage of the ticks the same
 *                      process as before; `inRounds`, all call, all take effect, all return,
 *                      each time in a new order: everything in a round overlaps
 *   `pending`          this many calls, evenly spread, never return: a coin says whether
 *                      they took effect, and their process continues under a new name
 *   `violating`        one answer of the last tenth is one that the object never gives
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { type History, HistoryBuilder } from 'straightedge';

/** A number from 0 to n - 1. */
export type Dice = (n: number) => number;

/** An object to simulate: its calls, what they do, and how one can be wrong. */
export interface Subject {
  readonly create: () => Readonly<Record<string, (...args: never[]) => unknown>>;
  readonly draw: (below: Dice) => Call;
  /** Methods that answer with a value, and a value that was never put in. */
  readonly answering: readonly string[];
  readonly wrong: unknown;
}

interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface Simulation {
  readonly operations: number;
  readonly processes: number;
  readonly seed: number;
  readonly haste?: number;
  readonly inRounds?: boolean;
  readonly pending?: number;
  readonly violating?: boolean;
}

/** One that never returned has no `return`. */
export interface Simulated extends Call {
  readonly process: string;
  readonly result: unknown;
  readonly call: number;
  readonly return: number | undefined;
}

interface Running {
  readonly call: Call;
  readonly time: number;
  readonly crashes: boolean;
  /** Absent until it took effect, or should have. */
  answer?: { readonly value: unknown };
}

/** A call, or the end of one; all is known of its operation only then. */
export interface Moment {
  readonly isCall: boolean;
  readonly operation: Simulated;
}

/** The operations as they end. */
export function* simulate(subject: Subject, simulation: Simulation): Generator<Simulated> {
  for (const { isCall, operation } of moments(subject, simulation)) if (!isCall) yield operation;
}

export function* moments(subject: Subject, simulation: Simulation): Generator<Moment> {
  const { operations, processes, pending = 0 } = simulation;
  const generator = xoroshiro128plus(simulation.seed);
  const below: Dice = (n) => (generator.next() >>> 0) % n;
  const object = subject.create();
  const running: (Running | undefined)[] = Array.from({ length: processes });
  const names = Array.from({ length: processes }, (_, p) => `p${p}`);
  let isRight = !simulation.violating;
  let [time, called, ended] = [-1, 0, 0];
  for (const p of turns(simulation, below)) {
    if (ended === operations) return;
    time++;
    const own = running[p];
    if (!own) {
      if (called === operations) continue;
      const before = Math.floor((called * pending) / operations);
      const crashes = Math.floor((++called * pending) / operations) > before;
      const call = subject.draw(below);
      running[p] = { call, time, crashes };
      yield {
        isCall: true,
        operation: { process: names[p], ...call, result: undefined, call: time, return: undefined },
      };
    } else if (!own.answer) {
      const { method, args } = own.call;
      const happens = !own.crashes || below(2) === 1;
      own.answer = { value: happens ? object[method](...(args as never[])) : undefined };
    } else {
      const isSpoilt =
        !isRight && ended > 0.9 * operations && !own.crashes && subject.answering.includes(own.call.method);
      if (isSpoilt) isRight = true;
      yield {
        isCall: false,
        operation: {
          process: names[p],
          ...own.call,
          result: isSpoilt ? subject.wrong : own.answer.value,
          call: own.time,
          return: own.crashes ? undefined : time,
        },
      };
      if (own.crashes) names[p] += '′';
      running[p] = undefined;
      ended++;
    }
  }
}

/** The next process, without end. */
function* turns({ processes, haste = 0, inRounds = false }: Simulation, below: Dice): Generator<number> {
  const order = Array.from({ length: processes }, (_, p) => p);
  for (let p = 0; ; ) {
    if (inRounds) {
      for (let i = processes - 1; i > 0; i--) {
        const other = below(i + 1);
        [order[i], order[other]] = [order[other], order[i]];
      }
      yield* order;
    } else {
      if (haste === 0 || below(100) >= haste) p = below(processes);
      yield p;
    }
  }
}

export function simulatedHistory(subject: Subject, simulation: Simulation): History {
  const builder = new HistoryBuilder();
  for (const { result, ...operation } of simulate(subject, simulation))
    builder.operation({
      ...operation,
      outcome: operation.return === undefined ? { kind: 'pending' } : { kind: 'returned', value: result },
    });
  return builder.finish();
}
