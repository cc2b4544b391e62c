/**
 * Simulates histories of a concurrent system.
 *
 * A process calls; its call takes effect at a later tick and returns at a tick after that. The next process is drawn
 * from a seed. So the history is linearizable, and its results come from a sequential object that shares no code with
 * the spec.
 *
 *   next process       drawn for each tick; with `haste`, in that percentage of the ticks the same
 *                      process as before; `inRounds`, all call, all take effect, all return,
 *                      each time in a new order: everything in a round overlaps
 *   `pending`          this many calls, evenly spread, never return: a random choice decides whether
 *                      they took effect, and their process continues under a new name
 *   `violating`        one result in the last tenth is a value that the object never returns
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { type History, HistoryBuilder } from 'straightedge';

/** A number from 0 to n - 1. */
export type Dice = (n: number) => number;

/** An object to simulate: its calls, their effects, and an incorrect result. */
export interface Subject {
  readonly create: () => Readonly<Record<string, (...args: never[]) => unknown>>;
  readonly draw: (below: Dice) => Call;
  /** Methods that return a value, and a value that was never inserted. */
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

/** A simulated operation; a pending one has no `return`. */
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
  /** Absent until the operation has taken effect, or should have. */
  answer?: { readonly value: unknown };
}

/** A call, or the end of one, when its operation is completely known. */
export interface Moment {
  readonly isCall: boolean;
  readonly operation: Simulated;
}

/** The operations in the order of their ends. */
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

/** An endless sequence of processes. */
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
