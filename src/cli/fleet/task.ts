/**
 * A task: a small piece of work that comes to the same wherever and however often it is done. Plain data.
 *
 * No code travels: a task names the code that it is about by path, and by a hash of what stands there.
 */
import type { Notes, Task as Test } from '../../explore/index.js';
import { hashOf } from '../code-of.js';
import type { Ending } from '../ending.js';
import type { BatchName, Sent } from '../explored-elsewhere.js';
import type { CheckJob, ExploreJob } from '../job.js';

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

export interface ExploreTask extends CommonTask {
  readonly kind: 'explore';
  readonly options: ExploreJob['options'];
  readonly spuriousWakeups: boolean;
  /** Tests of one batch. */
  readonly batch: BatchName;
  readonly tests: readonly Pick<Test, 'test' | 'options'>[];
  /** For so many milliseconds nothing may move. */
  readonly silence: number;
}

export interface CheckTask extends CommonTask {
  readonly kind: 'check';
  /** A hash of the history; and the history itself, packed, unless it is too large. */
  readonly history: { readonly hash: string; readonly packed?: string };
  readonly job: Omit<CheckJob, 'kind' | 'file' | 'stop' | 'jobs' | 'report'>;
}

/** What came of each test. */
export interface TestsResult {
  readonly tests: readonly Sent[];
  readonly notes: Notes;
}

export type Task = ExploreTask | CheckTask;

/** What came of a task; or what is wrong with the user's code or files, wherever it is done. */
export type TaskAnswer<T extends Task = Task> =
  | { readonly kind: 'done'; readonly result: T extends ExploreTask ? TestsResult : Ending }
  | { readonly kind: 'refused'; readonly message: string };

/** Under which a task is known to the queue. */
export const idOf = ({ run, name }: Pick<Task, 'run' | 'name'>): string => `${run}-${name}`;

/** The name of a run: a hash of all that tells what comes of it. */
export const runOf = (...what: readonly unknown[]): string => hashOf(JSON.stringify(what)).slice(0, 16);
