/**
 * A task: a small piece of work whose result does not depend on where and how often it runs. Plain data.
 *
 * No code travels. A task names its code by path and by a hash of the files there. Sources of tasks (pool/explore-tests,
 * handlers/stress-job, pool/check-files) do not know whether threads or Redis workers run them.
 */
import type { TestTask as Test } from '../../explore/agenda.js';
import type { Batch } from '../../explore/batches.js';
import type { Notes, TestResult } from '../../explore/result.js';
import { hashOf } from './code-mismatch.js';
import type { CommandResult } from './command-result.js';
import type { CheckJob, ExploreJob, StressJob } from './job.js';

/** A run becomes about this number of tasks, each of at most this number of tests or rounds. */
const TASKS = 64;
const MAX_PIECES = 32;
/** A worker may be silent for this share of the time limit, within bounds in milliseconds. */
const SILENT_SHARE = 0.1;
const SILENCE = { least: 1_000, most: 30_000 } as const;

/** How many tests or rounds travel together to a Redis worker. */
export const piecesInTask = (pieces: number): number => Math.min(MAX_PIECES, Math.ceil(pieces / TASKS));

/** How long a worker may make no progress, in milliseconds. */
export const silenceIn = (milliseconds: number): number =>
  Math.min(SILENCE.most, Math.max(SILENCE.least, SILENT_SHARE * milliseconds));

interface CommonTask {
  /** The run of this task. Equal work has an equal name, so that it can be resumed. */
  readonly run: string;
  /** The task inside its run. */
  readonly name: string;
  /** The path of the scenario or history, relative to the folder of coordinator and workers. */
  readonly file: string;
  /** A hash of the code that runs; empty for threads of this process. */
  readonly code: string;
}

interface ScenarioCommon extends CommonTask, Pick<ExploreJob, 'hasConfig'> {
  /** After this number of milliseconds without progress the task is abandoned. */
  readonly silence: number;
}

export interface ExploreTask extends ScenarioCommon {
  readonly kind: 'explore';
  /** What all tasks of the run share. A thread receives it once. */
  readonly setup?: ExploreSetup | undefined;
  /** Tests of one batch. */
  readonly batch: BatchName;
  readonly tests: readonly Pick<Test, 'test' | 'options'>[];
  /** For threads of this machine. Clocks of machines differ, so Redis workers count steps instead. */
  readonly time?: {
    readonly milliseconds: number;
    /** The end of the exploration, by `Date.now`. */
    readonly until: number;
  };
}

export interface ExploreSetup {
  readonly options: ExploreJob['options'];
  readonly spuriousWakeups: boolean;
}

export interface StressTask extends ScenarioCommon {
  readonly kind: 'stress';
  readonly options: Omit<StressJob['options'], 'rounds'>;
  readonly first: number;
  readonly rounds: number;
}

export interface CheckTask extends CommonTask {
  readonly kind: 'check';
  /** For Redis workers: a hash of the history, and the compressed history unless it is too large. */
  readonly history?: { readonly hash: string; readonly packed?: string };
  readonly job: Omit<CheckJob, 'kind' | 'file' | 'stop'>;
}

/** The results of the tests of a task. */
export interface TestsResult {
  readonly tests: readonly RemoteResult[];
  readonly notes: Notes;
}

/** The result of one test, as plain data. */
export interface RemoteResult {
  readonly explored: Omit<TestResult, 'backend' | 'test'>;
  /** Was it nondeterminism, whose histories cannot be sent? */
  readonly isUndetermined: boolean;
}

/** The result of some rounds. */
export interface RoundsResult {
  readonly rounds: number;
  readonly operations: number;
  readonly overlapping: number;
  readonly undecided: number;
  readonly unknown: readonly (readonly [error: string, times: number])[];
  /** The history of the first round with a violation, as JSON lines. */
  readonly failure?: { readonly round: number; readonly lines: string };
}

/** A task that runs in a thread with a loaded scenario. */
export type ScenarioTask = ExploreTask | StressTask;
export type Task = ScenarioTask | CheckTask;

interface ResultOf {
  readonly explore: TestsResult;
  readonly stress: RoundsResult;
  readonly check: CommandResult;
}

export type TaskOutcome<T extends Task = Task> =
  | { readonly kind: 'done'; readonly result: ResultOf[T['kind']] }
  /** The user's code or command is invalid, wherever the task runs. */
  | { readonly kind: 'refused'; readonly message: string }
  /** No worker finished the task; or none had loaded the code when the time limit was reached. */
  | {
      readonly kind: 'abandoned';
      readonly reason: string;
      readonly isOutOfMemory?: boolean;
      readonly isNotStarted?: boolean;
    };

/** Where an executor gets its tasks, and where it brings their outcomes. */
export interface TaskSource<T extends Task> {
  /** `workers`: how many share the time. Undefined: no task, or none until a running one is complete. */
  next(workers: number): T | undefined;
  complete(task: T, outcome: TaskOutcome<T>): void | Promise<void>;
  /** Is the outcome of a running task of no interest any more? */
  isObsolete?(task: T): boolean;
  /** Runs and completes a task in the thread of the executor. */
  runHere?(task: T): Promise<void>;
}

export interface RunControl {
  /** Once true, no task starts and running ones are dropped. */
  readonly isOver: () => boolean;
  /** Milliseconds that one task may take, where that is limited. */
  readonly timeout?: number | undefined;
  /** Milliseconds without an answer after which remote tasks are abandoned. Default: no limit. */
  readonly maxSilence?: number;
  /** Receives messages for people. */
  readonly onNews: (text: string) => void;
}

/** Runs all tasks of a source: on threads of this process, or on the workers of a Redis queue. */
export interface Executor {
  run<T extends Task>(source: TaskSource<T>, control: RunControl): Promise<void>;
}

/** The name of a task in the queue. */
export const idOf = ({ run, name }: Pick<Task, 'run' | 'name'>): string => `${run}-${name}`;

/** The name of a run: a hash of everything that determines its result. */
export const runOf = (...what: readonly unknown[]): string => hashOf(JSON.stringify(what)).slice(0, 16);

/** Identifies a batch among those of a scenario. */
export type BatchName = Pick<Batch, 'choice' | 'threads' | 'callsPerThread'>;

/** What a scenario thread loads. */
export interface ThreadData extends Pick<ScenarioTask, 'kind' | 'file' | 'hasConfig'> {
  /** One integer of shared memory; not 0 asks the thread to finish. */
  readonly stop: CheckJob['stop'];
}

/** A sign of progress, or the last message of a task or of loading. */
export type ThreadMessage =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'moves' }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'abandoned'; readonly reason: string };
