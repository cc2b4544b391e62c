/** Checks several histories. Results arrive in the order of the files, whichever is checked first. */
import { UsageError } from '../../config/usage-error.js';
import { abandonedResult, type CommandResult } from '../model/command-result.js';
import type { CheckJob } from '../model/job.js';
import type { CheckTask, Executor, RunControl, TaskOutcome, TaskSource } from '../model/task.js';
import { ThreadExecutor } from './thread-executor.js';

/** Checks on threads of this process. Of `threads`, those that are left over search inside the histories. */
export function checkOnThreads(
  jobs: readonly CheckJob[],
  threads: number,
  stop: CheckJob['stop'],
  onProgress: (text: string) => void,
): AsyncGenerator<CommandResult> {
  const workers = Math.max(1, Math.min(threads, jobs.length));
  const helpers = Math.floor(threads / workers);
  const tasks = jobs.map(
    ({ kind, file, stop: _, ...job }): CheckTask => ({
      kind,
      file,
      run: '',
      name: file,
      code: '',
      job: { ...job, jobs: helpers },
    }),
  );
  const bytes = jobs[0].limits.maxMemory;
  const executor = new ThreadExecutor({ threads: workers, bytes, stop, onProgress });
  // running checks notice `stop` themselves, and report what they have
  return checkFiles(executor, jobs, tasks, { isOver: () => false, onNews: onProgress });
}

/**
 * Runs the tasks of jobs, which are given in the same order. A job whose file cannot be read has its result instead of a
 * task. An interruption ends the results early.
 */
export async function* checkFiles(
  executor: Executor,
  jobs: readonly CheckJob[],
  tasks: readonly (CheckTask | CommandResult)[],
  control: RunControl,
): AsyncGenerator<CommandResult> {
  const files = new CheckFiles(jobs, tasks);
  let isEnded = false;
  const ended = executor.run(files, control).finally(() => {
    isEnded = true;
    files.wake();
  });
  // thrown below
  ended.catch(() => {});
  try {
    for (let i = 0; i < jobs.length; i++) {
      while (!files.results.has(i) && !isEnded)
        await new Promise<void>((resolve) => {
          files.wake = resolve;
        });
      const result = files.results.get(i);
      if (result === undefined) break;
      files.results.delete(i);
      yield result;
    }
  } finally {
    await ended;
  }
}

class CheckFiles implements TaskSource<CheckTask> {
  /** By the number of the file. */
  readonly results = new Map<number, CommandResult>();
  /** Called after each result. */
  wake: () => void = () => {};
  readonly #jobs: readonly CheckJob[];
  readonly #numbers = new Map<CheckTask, number>();
  readonly #remaining: Iterator<CheckTask>;

  constructor(jobs: readonly CheckJob[], tasks: readonly (CheckTask | CommandResult)[]) {
    this.#jobs = jobs;
    for (const [i, task] of tasks.entries())
      if ('kind' in task) this.#numbers.set(task, i);
      else this.results.set(i, task);
    this.#remaining = this.#numbers.keys();
  }

  next(): CheckTask | undefined {
    return Atomics.load(this.#jobs[0].stop, 0) === 0 ? this.#remaining.next().value : undefined;
  }

  complete(task: CheckTask, outcome: TaskOutcome<CheckTask>): void {
    if (outcome.kind === 'refused') throw new UsageError(outcome.message);
    const i = this.#numbers.get(task) as number;
    this.results.set(
      i,
      outcome.kind === 'done' ? outcome.result : abandonedResult(this.#jobs[i], outcome.reason),
    );
    this.wake();
  }
}
