/**
 * A task: a small piece of work that comes to the same wherever and however often it is done. Plain data.
 *
 * No code travels: a task names the code that it is about by path, and by a hash of what stands there.
 */
import type { TestTask as Test } from '../../explore/agenda.js';
import type { Batch } from '../../explore/batches.js';
import type { Notes } from '../../explore/explore.js';
import type { TestResult } from '../../explore/result.js';
import { hashOf } from './code-mismatch.js';
import type { CommandResult } from './command-result.js';
import type { CheckJob, ExploreJob, StressJob } from './job.js';

/* How much goes into one task, and how long its worker may be silent. */

/** All becomes about so many tasks, of no more than so many pieces. */
const TASKS = 64;
const MOST_PIECES = 32;
/** A worker may be silent for this share of the time that there is, within limits. */
const SILENT = 0.1;
const SILENCE = { least: 1_000, most: 30_000 } as const;

/** Small pieces travel together, so that they are worth the way; of few, each travels alone. */
export const piecesInTask = (pieces: number): number => Math.min(MOST_PIECES, Math.ceil(pieces / TASKS));

/** In milliseconds, as what it is given. */
export const silenceIn = (milliseconds: number): number =>
  Math.min(SILENCE.most, Math.max(SILENCE.least, SILENT * milliseconds));

interface CommonTask {
  /** Of which run it is: the same for the same work, so that it can be taken up again. */
  readonly run: string;
  /** Which of its tasks. */
  readonly name: string;
  /** The path of what it is about, from the folder in which coordinator and workers were started. */
  readonly file: string;
  /** A hash of the code that is run. */
  readonly code: string;
}

interface ScenarioCommon extends CommonTask {
  /** For so many milliseconds nothing may move. */
  readonly silence: number;
}

export interface ExploreTask extends ScenarioCommon {
  readonly kind: 'explore';
  readonly options: ExploreJob['options'];
  readonly spuriousWakeups: boolean;
  /** Tests of one batch. */
  readonly batch: BatchName;
  readonly tests: readonly Pick<Test, 'test' | 'options'>[];
}

export interface StressTask extends ScenarioCommon {
  readonly kind: 'stress';
  readonly options: Omit<StressJob['options'], 'rounds'>;
  readonly first: number;
  readonly rounds: number;
}

export interface CheckTask extends CommonTask {
  readonly kind: 'check';
  /** A hash of the history; and the history itself, packed, unless it is too large. */
  readonly history: { readonly hash: string; readonly packed?: string };
  readonly job: Omit<CheckJob, 'kind' | 'file' | 'stop' | 'jobs' | 'html'>;
}

/** What came of each test. */
export interface TestsResult {
  readonly tests: readonly Sent[];
  readonly notes: Notes;
}

/** What came of some rounds. */
export interface SentRounds {
  readonly rounds: number;
  readonly operations: number;
  readonly undecided: number;
  readonly unknown: readonly (readonly [error: string, times: number])[];
  /** The history of the round that is wrong, in lines of JSON. */
  readonly failure?: { readonly round: number; readonly lines: string };
}

/** Tasks that are done in a thread that has loaded a scenario. */
export type ScenarioTask = ExploreTask | StressTask;
export type Task = ScenarioTask | CheckTask;

interface ResultOf {
  readonly explore: TestsResult;
  readonly stress: SentRounds;
  readonly check: CommandResult;
}

/** What came of a task; or what is wrong with the user's code or files, wherever it is done. */
export type TaskAnswer<T extends Task = Task> =
  | { readonly kind: 'done'; readonly result: ResultOf[T['kind']] }
  | { readonly kind: 'refused'; readonly message: string };

/** Under which a task is known to the queue. */
export const idOf = ({ run, name }: Pick<Task, 'run' | 'name'>): string => `${run}-${name}`;

/** The name of a run: a hash of all that tells what comes of it. */
export const runOf = (...what: readonly unknown[]): string => hashOf(JSON.stringify(what)).slice(0, 16);

/** A batch, by what no other of the same scenario has. */
export type BatchName = Pick<Batch, 'choice' | 'threads' | 'callsPerThread'>;

export interface Sent {
  readonly explored: Omit<TestResult, 'backend' | 'test'>;
  /** Was it a violation by nondeterminism, whose histories can not be sent? */
  readonly isUndetermined: boolean;
}

/** What came of a task; or why it was set aside. */
export type Outcome<T extends Task> =
  | { readonly task: T; readonly answer: TaskAnswer<T> }
  | { readonly task: T; readonly setAside: string };

export interface Work<T extends Task> {
  /** Undefined where there is none; or none yet, as long as some are not done. */
  next(): T | undefined;
  take(outcome: Outcome<T>): void;
  /** Does nobody want to know what comes of a task any more? */
  isVain?(task: T): boolean;
}

export type ThreadData = Pick<ScenarioTask, 'kind' | 'file'>;

/** The last word of a task, or of a scenario that can not be loaded; or a sign that something moves. */
export type ThreadMessage =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'moves' }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly message: string };
