/**
 * Errors made meanwhile have no stack: an exploration throws the errors of its subject a hundred thousand times, and nobody looks at
 * where. What is shown of an error is its name and its message; where it was thrown is told by the trace of the schedule.
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
 * What explores: a little at a time, and can be left and taken up again, like a `Search`.
 *
 * One unit of fuel is one step of a thread. Limits, progress and the choice of
 * another engine when this one takes too long are the business of the loop outside.
 */
export interface Engine {
  /** Which engine this is, for reports. */
  readonly name: string;
  /** Explores until something is found, there is no more to do, or the fuel is used up. May go on after a finding. */
  advance(fuel: number): ScheduleViolation | 'done' | undefined;
  readonly stats: ExplorationStats;
  /** What has been covered so far, if anything can be said. */
  readonly coverage: Coverage | undefined;
}

/** Runs all sequential histories, a few at a time. */
export interface Learner {
  /** Returns true when all are known. */
  advance(fuel: number): boolean;
  readonly stats: ExplorationStats;
}

/** All schedules; all with so many preemptions; some. */
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
  /** Runs that were given up at the bound of steps: what they would have done is not known. */
  unfinished: number;
  /** Different states; runs that stand for a class of their own; outcomes with an order of calls and returns that were judged. */
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

/**
 * A violation, and how to make it happen again.
 *
 *   outcome   no order explains what the calls returned
 *   wait      nobody can go on, and this operation waits though no order leaves it waiting
 */
export interface ScheduleViolation {
  readonly kind: 'outcome' | 'wait';
  /** The operation that waits; of an outcome, the one whose return no order gets past. */
  readonly operation: number;
  readonly schedule: Schedule;
}

/** Who takes each step; where a thread has to choose, the number of the alternative. */
export type Schedule = readonly number[];

/** Looks at what an execution came to. */
export interface Judge {
  /** The execution has come to its end: all have ended, or nobody can go on. */
  judge(): ScheduleViolation | undefined;
  /** Different outcomes, or orders of calls and returns, so far. */
  readonly histories: number;
  /** False where all that came to an end was left out. */
  readonly hasSeen?: boolean;
}

/** Runs are given up after so many steps: a loop that changes something for ever has no end. */
export const MAX_STEPS = 2_000;
