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
  /** Of an uncaught error: its source and text. */
  readonly error?: string;
  readonly isLostWakeUp?: boolean;
  readonly isUnfair?: boolean;
  /** Only with atomic blocks: the deadlock exists because this thread waits inside a block, or before one that it cannot start. */
  readonly blocked?: BlockedThread;
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
