/**
 * Runs tasks on threads of this process. Outcomes do not depend on the number of threads:
 *
 * - Threads share the memory limit. A task that exceeds its share beside others runs again, alone, with the whole limit.
 * - Sources take outcomes in the order of their tasks, not of completion.
 *
 * Most explorations finish before a second thread has loaded the scenario. So the tasks of a source with `runHere` run in
 * this thread for the first `startAfter` milliseconds.
 */

import type { Worker } from 'node:worker_threads';
import { InputError } from '../../base/errors.js';
import { isOutOfMemory, startWorker } from '../../base/package-file.js';
import { toCommandResult } from '../model/command-result.js';
import type { CheckJob } from '../model/job.js';
import type {
  CheckTask,
  Executor,
  RunControl,
  ScenarioTask,
  Task,
  TaskOutcome,
  TaskSource,
  ThreadData,
  ThreadMessage,
} from '../model/task.js';
import { JobThread } from './job-thread.js';

export interface ThreadOptions {
  readonly threads: number;
  /** The memory limit of all threads together. */
  readonly bytes: number;
  /** One integer of shared memory; not 0 asks running tasks to finish. */
  readonly stop: CheckJob['stop'];
  readonly startAfter?: number;
  readonly onProgress?: (text: string) => void;
}

/** Milliseconds between two checks whether the run is over. */
const CLOCK_INTERVAL = 50;

export class ThreadExecutor implements Executor {
  readonly #options: ThreadOptions;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  async run<T extends Task>(source: TaskSource<T>, control: RunControl): Promise<void> {
    const first = await this.#runHere(source);
    if (first !== undefined) await new ThreadRun(this.#options, source, control).run(first);
  }

  /** Gives the first task that is left for other threads. */
  async #runHere<T extends Task>(source: TaskSource<T>): Promise<T | undefined> {
    const { threads, startAfter = 0 } = this.#options;
    const begin = performance.now();
    const isHere = () => source.runHere && (threads === 1 || performance.now() - begin < startAfter);
    let task = source.next(isHere() ? 1 : threads);
    for (; task !== undefined && isHere(); task = source.next(1)) await source.runHere?.(task);
    return task;
  }
}

/** One call of `ThreadExecutor.run`. */
class ThreadRun<T extends Task> {
  readonly #options: ThreadOptions;
  readonly #source: TaskSource<T>;
  readonly #control: RunControl;
  readonly #workers: readonly TaskWorker[];
  readonly #running = new Map<TaskWorker, { readonly task: T; readonly ended: Promise<void> }>();
  /** Tasks that ran out of memory beside others. */
  readonly #retries: T[] = [];
  #isClosed = false;

  constructor(options: ThreadOptions, source: TaskSource<T>, control: RunControl) {
    this.#options = options;
    this.#source = source;
    this.#control = control;
    this.#workers = Array.from({ length: options.threads }, () => new TaskWorker(options));
  }

  async run(first: T): Promise<void> {
    const clock = setInterval(() => {
      if (this.#control.isOver()) void this.#endAll();
    }, CLOCK_INTERVAL);
    try {
      this.#start(this.#workers[0], first);
      for (;;) {
        this.#feed();
        if (this.#running.size > 0) await Promise.race([...this.#running.values()].map(({ ended }) => ended));
        else if (this.#retries.length > 0 && !this.#control.isOver()) await this.#retry();
        else return;
      }
    } finally {
      clearInterval(clock);
      this.#isClosed = true;
      await this.#endAll();
    }
  }

  /** Each idle worker gets the next task. */
  #feed(): void {
    for (const worker of this.#workers) {
      if (this.#running.has(worker)) continue;
      const task = this.#control.isOver() ? undefined : this.#source.next(this.#workers.length);
      if (task === undefined) return;
      this.#start(worker, task);
    }
  }

  #start(worker: TaskWorker, task: T): void {
    this.#running.set(worker, { task, ended: this.#runOn(worker, task) });
  }

  async #runOn(worker: TaskWorker, task: T): Promise<void> {
    const outcome = await worker.run(task, this.#options.bytes / this.#workers.length);
    const isShared = this.#workers.length > 1 || worker.isReused;
    if (isShared && ranOutOfMemory(outcome)) {
      this.#running.delete(worker);
      this.#retries.push(task);
    } else {
      await this.#complete(task, outcome);
      this.#running.delete(worker);
      for (const [other, own] of this.#running) if (this.#source.isObsolete?.(own.task)) void other.end();
    }
  }

  /** While no other task runs. */
  async #retry(): Promise<void> {
    await this.#endAll();
    const task = this.#retries.shift() as T;
    const outcome = await this.#workers[0].run(task, this.#options.bytes);
    await this.#complete(task, outcome);
    await this.#endAll();
  }

  async #complete(task: T, outcome: TaskOutcome<T>): Promise<void> {
    if (this.#isClosed || this.#control.isOver()) return;
    await this.#source.complete(task, outcome);
  }

  async #endAll(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.end()));
  }
}

const ranOutOfMemory = (outcome: TaskOutcome): boolean =>
  outcome.kind === 'abandoned'
    ? outcome.isOutOfMemory === true
    : outcome.kind === 'done' && 'limit' in outcome.result && outcome.result.limit === 'memory';

export interface TaskWorkerOptions {
  readonly stop: CheckJob['stop'];
  readonly onProgress?: (text: string) => void;
}

/**
 * One task at a time in one thread, which is reused for the next task of the same kind and code.
 *
 * A check runs as a job (job-thread.ts). A task of a scenario runs in a thread that has loaded it, since loading and
 * instrumenting take longer than most tasks. If that thread makes no progress, runs out of memory or ends itself, it is
 * terminated and the task is abandoned. A refusal by the scenario is an outcome: every worker would refuse the task.
 */
export class TaskWorker {
  readonly #options: TaskWorkerOptions;
  #thread: CheckThread | ScenarioThread | undefined;
  #key = '';
  #isReused = false;

  constructor(options: TaskWorkerOptions) {
    this.#options = options;
  }

  /** Was the last task run in a thread that had run another one before? */
  get isReused(): boolean {
    return this.#isReused;
  }

  /** Can a task run without loading its code? */
  has(task: Task): boolean {
    return this.#thread !== undefined && this.#key.startsWith(`${codeKey(task)} `);
  }

  /** `bytes`: the memory limit, which a check may lower. */
  async run<T extends Task>(task: T, bytes: number): Promise<TaskOutcome<T>> {
    const key = `${codeKey(task)} ${task.kind === 'check' ? task.job.limits.maxMemory : bytes}`;
    this.#isReused = this.#thread !== undefined && this.#key === key;
    if (!this.#isReused) await this.end();
    this.#key = key;
    this.#thread ??=
      task.kind === 'check' ? new CheckThread(this.#options) : new ScenarioThread(task, bytes, this.#options);
    const { thread, outcome } = { thread: this.#thread, outcome: await this.#thread.run(task as never) };
    if (thread.isEnded && this.#thread === thread) this.#thread = undefined;
    return outcome as TaskOutcome<T>;
  }

  async end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
  }
}

/** Tasks with an equal key run the same code. */
const codeKey = (task: Task): string =>
  JSON.stringify(
    task.kind === 'check' ? [task.kind, task.code] : [task.kind, task.code, task.file, task.hasConfig],
  );

class CheckThread {
  readonly #options: TaskWorkerOptions;
  readonly #thread = new JobThread();

  constructor(options: TaskWorkerOptions) {
    this.#options = options;
  }

  get isEnded(): boolean {
    return this.#thread.isEnded;
  }

  async run({ file, job: own }: CheckTask): Promise<TaskOutcome<CheckTask>> {
    const { stop, onProgress = () => {} } = this.#options;
    const job: CheckJob = { ...own, kind: 'check', file, stop };
    try {
      return { kind: 'done', result: toCommandResult(job, await this.#thread.run(job, onProgress)) };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { kind: 'refused', message: error.message };
    }
  }

  end(): Promise<void> {
    return this.#thread.end();
  }
}

/** Milliseconds in which a scenario has to be loaded. */
const LOADING = 60_000;

/** The last message of a task or of loading; or why there is none. */
type Received = Exclude<ThreadMessage, { kind: 'moves' }> | Extract<TaskOutcome, { kind: 'abandoned' }>;

class ScenarioThread {
  readonly #worker: Worker;
  /** Runs whose setup the thread has. */
  readonly #runs = new Set<string>();
  #isLoaded = false;
  isEnded = false;

  constructor({ kind, file, hasConfig }: ScenarioTask, bytes: number, { stop }: TaskWorkerOptions) {
    const data: ThreadData = { kind, file, hasConfig, stop };
    this.#worker = startWorker('#task-thread', data, { bytes });
    const end = () => {
      this.isEnded = true;
    };
    this.#worker.on('error', end).on('exit', end);
  }

  async run(task: ScenarioTask): Promise<TaskOutcome> {
    if (!this.#isLoaded) {
      const message = await this.#receive(LOADING, task.kind === 'explore' ? task.time?.until : undefined);
      if (message.kind !== 'loaded') {
        await this.end();
        return message as TaskOutcome;
      }
      this.#isLoaded = true;
    }
    this.#worker.postMessage(this.#runs.has(task.run) ? { ...task, setup: undefined } : task);
    this.#runs.add(task.run);
    return (await this.#receive(task.silence)) as TaskOutcome;
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await this.#worker.terminate();
  }

  /** `silence`: the longest time without a sign of progress, in milliseconds. `until`: when the task is not started any more. */
  async #receive(silence: number, until = Number.POSITIVE_INFINITY): Promise<Received> {
    const listening = new AbortController();
    const listen = <A>(event: string, listener: (value: A) => void) => {
      this.#worker.on(event, listener);
      listening.signal.addEventListener('abort', () => this.#worker.off(event, listener));
    };
    let timer: NodeJS.Timeout | undefined;
    let end: NodeJS.Timeout | undefined;
    let isFailed = false;
    const received = await new Promise<Received>((resolve) => {
      const fail = (reason: string, ranOut = false) => {
        isFailed = true;
        resolve({ kind: 'abandoned', reason, ...(ranOut && { isOutOfMemory: true }) });
      };
      const wait = () => {
        clearTimeout(timer);
        if (silence === Number.POSITIVE_INFINITY) return;
        const reason = `no progress for ${silence / 1_000} s; the scenario may contain an infinite loop`;
        timer = setTimeout(fail, silence, reason);
      };
      wait();
      if (until < Number.POSITIVE_INFINITY)
        end = setTimeout(
          () => resolve({ kind: 'abandoned', reason: 'time limit reached', isNotStarted: true }),
          Math.max(0, until - Date.now()),
        );
      listen('message', (message: ThreadMessage) => (message.kind === 'moves' ? wait() : resolve(message)));
      listen('error', (error: Error) =>
        isOutOfMemory(error) ? fail('memory ran out', true) : fail(error.message),
      );
      listen('exit', (code: number) => fail(`the scenario ended its thread with code ${code}`));
      if (this.isEnded) fail('the thread has ended');
    });
    clearTimeout(timer);
    clearTimeout(end);
    listening.abort();
    if (isFailed) await this.end();
    return received;
  }
}
