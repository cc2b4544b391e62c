/**
 * Runs tasks on threads of this process. Outcomes do not depend on the number of threads:
 *
 * - Threads share the memory limit. A task that exceeds its share beside others runs again, alone, with the whole limit.
 * - Sources take outcomes in the order of their tasks, not of completion.
 *
 * Most explorations finish before a second thread has loaded the scenario. So the tasks of a source with `runHere` run in
 * this thread for the first `startAfter` milliseconds.
 */
import type { CheckJob } from '../model/job.js';
import type { Executor, RunControl, Task, TaskOutcome, TaskSource } from '../model/task.js';
import { TaskWorker } from './task-worker.js';

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
    if (isShared && isOutOfMemory(outcome)) {
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

const isOutOfMemory = (outcome: TaskOutcome): boolean =>
  outcome.kind === 'abandoned'
    ? outcome.isOutOfMemory === true
    : outcome.kind === 'done' && 'limit' in outcome.result && outcome.result.limit === 'memory';
