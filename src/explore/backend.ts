/**
 * What runs a test. The line-up (line-up.ts) is the same for all of them:
 *
 *   coroutines     instrumented code, stopped before each shared access (thread-backend.ts)
 *   real threads   worker threads, stopped before each access of shared memory (thread-backend.ts)
 *   async          asynchronous code on a virtual event loop, stopped between tasks (async-backend.ts)
 */

import type { NamedPlace } from '../base/source-position.js';
import type { Block } from '../execution/atomic-blocks.js';
import type { Outcomes } from '../execution/outcomes.js';
import type { SharedStates } from './async/client-names.js';
import type { Held } from './async/quiescent-runs.js';
import type { Automaton } from './automata/configurations.js';
import type { RacePlaces, Warnings } from './classes/data-races.js';
import type { DporOptions } from './engines/dpor.js';
import type { LearnedRuns } from './learning/learned-runs.js';
import type { ObservationSet } from './learning/read-observations.js';
import type { Engine, Learner, Schedule } from './model/engine.js';
import type { Difference, Trace, TraceStep } from './model/trace-types.js';
import type { BackendName } from './scenario/scenario.js';
import type { NumberedCall } from './scenario/test-case.js';

/** The program of one test. */
export interface Backend {
  readonly name: BackendName;
  /** The calls of the test. An operation is a position in this list. */
  readonly calls: readonly NumberedCall[];
  /** May a thread that waits in a monitor wake up without a notification? */
  readonly spuriousWakeups: boolean;
  /** Runs a schedule again, step by step. */
  trace(schedule: Schedule): Trace;
  /** What a step of a trace accesses, and where that stands in the source. */
  describe(step: TraceStep): StepDescription;
  /** `hasExpired`: has a limit of the whole test been reached? */
  start(options: LineUpOptions, hasExpired?: () => boolean): Session;
}

export interface StepDescription {
  /** A verb and a name: `reads taken`. It does not depend on lines, so it survives edits elsewhere in the file. */
  readonly access: string;
  /** `file:line:column`. */
  readonly place: string;
}

/** A step of a saved failure. */
export interface FailureStep extends StepDescription {
  readonly thread: number;
}

/** One exploration of a test. All engines of a session share one execution, so only one may run at a time. */
export interface Session {
  readonly outcomes: Outcomes;
  /** Operation to the error that it threw last. */
  readonly thrown: readonly unknown[];
  /** Steps between two clock checks. */
  readonly stepsPerSlice: number;
  /** Does it learn from quiescent runs, in which calls wait for later ones? Otherwise from sequential runs. */
  readonly hasWaiters: boolean;
  /** What threads hold in learned runs of asynchronous code. */
  held?(learned: LearnedRuns): Held | undefined;
  /** Phase 1: runs the calls one at a time, in every order, and adds these runs. */
  learn(learned: LearnedRuns): Learner;
  /** Phase 2: engines that run concurrent schedules, in the order in which they get time. */
  stages(automaton: Automaton): readonly Stage[];
  /**
   * Compares learned runs with the code itself, and records it in the notes. Without `learned`, a spec gave the expected results, and
   * some runs are learned for that. Returns false if there was no time, so that nothing may be claimed.
   */
  compare?(learned?: LearnedRuns): boolean;
  /** Looks for accesses that were not observed, in what has run so far; notes them in the runtime. */
  audit?(): void;
  notes(): BackendNotes;
}

/** An engine, and the share of the time at which it has to stop. */
export interface Stage {
  readonly until: number;
  readonly begin: () => Engine;
}

/** The shares of the time at which the search of all schedules, and then that of few preemptions, end. */
export const EXHAUSTIVE = 0.5;
export const BOUNDED = 0.8;

/** What a back end noticed, apart from results. */
export interface BackendNotes {
  /** Pairs of accesses that race, of which at least one is plain. */
  readonly races: readonly RacePlaces[];
  /** Executions that are not serializable, if `atomicity` was asked for. */
  readonly warnings: Warnings | undefined;
  /** Sources of time and randomness without a place in the source that were replaced, by name. */
  readonly replaced: readonly string[];
  /** Async: functions that do not report their accesses, by name. No reduction is made after such a call. */
  readonly uninstrumented: readonly string[];
  /** Async: what the stateful search could not see, if it declined. */
  readonly hiddenState?: string | undefined;
  /** Async: did every call return without waiting, and start nothing that ran later? */
  readonly isSynchronous: boolean;
  /** Did the object ask which thread calls? Then threads are not symmetric. */
  readonly seesThreads: boolean;
  /** Was a thread suspended because it would have repeated the same steps forever? Async: could a call repeat them forever while others wait? */
  readonly spins: boolean;
  /** Were learned runs compared with the code itself? The first difference; or why they were not, in words. */
  readonly isCompared: boolean;
  readonly difference?: Difference | undefined;
  readonly uncompared?: string | undefined;
  /** Where runs stood that were abandoned at the limit of steps. */
  readonly unfinishedAt: readonly NamedPlace[];
}

/** What another version of the object showed, for one test. */
export interface Expected {
  readonly learned: LearnedRuns;
  /** The outcomes that the runs number. */
  readonly outcomes: Outcomes;
  readonly seesThreads: boolean;
}

/** Steps of the search of one test that take a few seconds on an idle machine. */
const STEPS: Readonly<Record<BackendName, number>> = {
  instrumented: 4_000_000,
  threads: 40_000,
  async: 60_000,
};

/** A share of these, as a `stepBudget`. */
export const stepsFor = (
  { backend = 'instrumented' }: { readonly backend?: BackendName | undefined },
  share = 1,
): number => STEPS[backend] * share;

/** How a test is explored. */
export interface LineUpOptions {
  readonly seed: number;
  /** At most this many preemptions per schedule. */
  readonly maxPreemptions?: number | undefined;
  /** Abandon a run after this many steps. Default: `DEFAULT_MAX_STEPS`. */
  readonly maxSteps?: number | undefined;
  /** Stop after this many steps of all runs, repeated ones included: a limit that does not depend on the machine. */
  readonly stepBudget?: number | undefined;
  /** At most about this many executions of concurrent schedules. Engines get shares of it. */
  readonly maxExecutions?: number | undefined;
  /** With `maxPreemptions`: find the smallest failing schedule (`ScheduleSize`), not the first. */
  readonly isSmallest?: boolean | undefined;
  /** Use all of the time to search all schedules. */
  readonly isExhaustive?: boolean | undefined;
  /** Run only this schedule. */
  readonly schedule?: Schedule | undefined;
  /** Called for every equivalence class of schedules. The exploration then continues after a violation. */
  readonly onClass?: DporOptions['onClass'];
  /** Threads run these atomically. All schedules are searched, or there is no answer. */
  readonly blocks?: readonly Block[] | undefined;
  readonly allowNondeterminism?: boolean | undefined;
  /** The expected results, instead of those of runs that are learned now. */
  readonly observed?: readonly ObservationSet[] | undefined;
  /** The runs of another version of the object, instead of those that are learned now. A spec comes first. */
  readonly expected?: Expected | undefined;
  /** Async: what the tests of an exploration share. */
  readonly shared?: SharedStates | undefined;
  /** Are the learned runs written as observations? */
  readonly isObserving?: boolean | undefined;
  /** Are the learned runs part of the result? */
  readonly showLearned?: boolean | undefined;
  /** Are learned runs compared with the code itself? */
  readonly isCompared?: boolean | undefined;
  /** Is each execution also checked for conflict serializability? */
  readonly warnRaces?: boolean | undefined;
}
