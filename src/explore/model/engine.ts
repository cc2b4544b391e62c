/** What engines share: the tree of choices that they walk, their interface, and what they report. */
import { grown, lowestBit } from '../../base/collections/ints.js';

/*
 * A depth-first walk over all sequences of choices, path by path.
 *
 * The caller starts each path at the root. At each place it passes the possible choices, as bits, and `take` returns the
 * one to follow. At the end of a path, `next` backtracks to the last place with an untried choice.
 */

export class ChoiceTree {
  /** The place at which this path takes another choice than the previous one; -1 on the first path. */
  repeated = -1;
  #length = 0;
  /** Place to the choice taken there, and to the untried ones, as bits. */
  #taken: Int32Array = new Int32Array(64);
  #left: Int32Array = new Int32Array(64);

  /** Returns the choice to follow at a place; call it for the places of a path in order. Prefers `first` if it is possible. */
  take(place: number, choices: number, first = -1): number {
    if (place < this.#length) return this.#taken[place];
    if (place === this.#taken.length) {
      this.#taken = grown(this.#taken, 0);
      this.#left = grown(this.#left, 0);
    }
    const taken = first >= 0 && choices & (1 << first) ? first : lowestBit(choices);
    this.#taken[place] = taken;
    this.#left[place] = choices & ~(1 << taken);
    this.#length++;
    return taken;
  }

  /** Leaves out what is untried at a place. */
  drop(place: number): void {
    this.#left[place] = 0;
  }

  /** The length of the path so far. */
  get length(): number {
    return this.#length;
  }

  /** Moves to the next path. Returns false if all paths were walked. */
  next(): boolean {
    for (let place = this.#length - 1; place >= 0; place--) {
      const left = this.#left[place];
      if (left === 0) continue;
      this.#taken[place] = lowestBit(left);
      this.#left[place] = left & (left - 1);
      this.#length = place + 1;
      this.repeated = place;
      return true;
    }
    return false;
  }

  /** Is a choice untried at this place of the path, or after it? */
  hasMore(place: number): boolean {
    return this.#left.subarray(place, this.#length).some((left) => left !== 0);
  }

  /** The choices of the path so far. */
  get path(): readonly number[] {
    return Array.from(this.#taken.subarray(0, this.#length));
  }
}

/**
 * Runs a function in which new errors have no stack. An exploration throws the errors of its subject a hundred thousand
 * times. Reports show only name and message; the trace of the schedule shows where the error was thrown.
 */
export function withoutStacks<R>(run: () => R): R {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * An engine explores schedules in slices and is resumable, like a `Search`.
 *
 * A slice is measured in steps of threads. The line-up checks limits, reports progress and chooses the next engine.
 */
export interface Engine {
  /** Which engine this is, for reports. */
  readonly name: string;
  /** Explores until it finds a violation, has finished, or has spent the step budget. Can be resumed after a violation. */
  advance(budget: number): ScheduleViolation | 'done' | undefined;
  readonly stats: ExplorationStats;
  /** What has been covered so far, if anything can be said. */
  readonly coverage: Coverage | undefined;
  /** Can no other engine cover more? Then some run never ends. */
  readonly hasEndlessRun?: boolean;
}

/** Runs all sequential histories, a few at a time. */
export interface Learner {
  /** Returns true when all are known. */
  advance(budget: number): boolean;
  readonly stats: ExplorationStats;
}

/** Which schedules of a test were explored: all, all with at most n preemptions, or n random samples. */
export type Coverage =
  | { readonly kind: 'all' }
  | { readonly kind: 'bound'; readonly preemptions: number }
  | { readonly kind: 'samples'; readonly count: number };

export interface ExplorationStats {
  /** Runs of the program, from its beginning. */
  executions: number;
  /** Steps of threads, repeated ones included. */
  steps: number;
  /** The longest run. */
  depth: number;
  /** Runs that were abandoned at the limit of steps: their outcomes are unknown. */
  unfinished: number;
  /** Distinct states; equivalence classes; distinct outcomes, each with an order of calls and returns, that were judged. */
  states: number;
  classes: number;
  histories: number;
}

export const noStats = (): ExplorationStats => ({
  executions: 0,
  steps: 0,
  depth: 0,
  unfinished: 0,
  states: 0,
  classes: 0,
  histories: 0,
});

/** A violation and the schedule that leads to it. `Violation` explains the kinds. */
export interface ScheduleViolation {
  readonly kind: 'outcome' | 'wait' | 'uncaught';
  /** The operation that is blocked, or whose return no linearization includes. */
  readonly operation: number;
  readonly schedule: Schedule;
  /** The size of the schedule, if no failing schedule of the test is smaller. */
  readonly smallest?: ScheduleSize | undefined;
  /** Of an uncaught error: its source and text. */
  readonly error?: string;
  readonly isLostWakeUp?: boolean;
  readonly isUnfair?: boolean;
  readonly exclusive?: HeldResources;
  /** Only with atomic blocks: the deadlock exists because this thread waits inside a block, or before one that it cannot start. */
  readonly blocked?: BlockedThread;
}

/** Schedules are compared by preemptions, then by switches between threads, then by steps. */
export interface ScheduleSize {
  /** Switches away from a thread that could continue. */
  readonly preemptions: number;
  readonly switches: number;
  readonly steps: number;
}

/** A violation of `exclusive`: what the call got, whether it is one of those that others hold, and the calls that took them. */
export interface HeldResources {
  /** Empty if the call got nothing. */
  readonly resource: string;
  readonly isSame: boolean;
  readonly holders: readonly number[];
  /** How many may be held at once, if that is limited. */
  readonly max?: number;
}

export interface BlockedThread {
  readonly operation: number;
  /** Where it waits. */
  readonly site: number;
}

/** The thread that takes each step; if a thread has to choose, the number of the alternative. For async code, of the task. */
export type Schedule = readonly number[];

/** Checks the result of an execution. */
export interface Judge {
  /** The execution has finished: all calls have returned, or no thread is enabled. */
  judge(): ScheduleViolation | undefined;
  /** Distinct outcomes, or orders of calls and returns, so far. */
  readonly histories: number;
  /** False if every finished execution was excluded, because atomic blocks make it impossible. */
  readonly hasSeen?: boolean;
}

/**
 * Runs are abandoned after this many steps, unless `maxSteps` says otherwise: a loop that changes something forever has no end. A
 * step is an access of a thread, or a macrotask of asynchronous code.
 */
export const DEFAULT_MAX_STEPS = { threads: 2_000, async: 100 } as const;

/** What `explore --prove` is to establish, beside linearizability for any number of calls. */
export interface ProveOptions {
  /** Methods that get a new object for each argument, so that the result holds for all objects as values. */
  readonly fresh?: readonly string[] | undefined;
  /** Threads add a value only while fewer are inside: passed to a call, and not returned by one. */
  readonly maxElements?: number | undefined;
  /** Must the object be lock-free too? */
  readonly lockFree?: boolean | undefined;
  /** Give up after this many states. Default: 2,000,000. */
  readonly maxStates?: number | undefined;
}

/** Why less was proved than asked for, if that is all that is missing. */
export const NOT_LOCK_FREE =
  'the object is not lock-free: threads can wait, or take steps forever while no call returns; everything else that was asked for holds';
