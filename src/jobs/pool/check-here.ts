/**
 * Several histories checked here, some at once: what each ends in, in the order of the files.
 *
 * Threads that are left over search within one history. Memory is the process's, so who runs out of it beside others is
 * checked again when they are done: what comes of a history does not depend on how many jobs there are.
 */
import { type CommandResult, toCommandResult } from '../model/command-result.js';
import type { CheckJob, Reply } from '../model/job.js';
import { atOnce } from './at-once.js';
import { runWorker } from './run-worker.js';

export async function* checkHere(
  jobs: readonly CheckJob[],
  threads: number,
  stop: CheckJob['stop'],
  onProgress: (text: string) => void,
): AsyncGenerator<CommandResult> {
  const most = Math.max(1, Math.min(threads, jobs.length));
  const limited = atOnce(most);
  const each = Math.floor(threads / most);
  const run = async (job: CheckJob): Promise<Reply<CheckJob>> =>
    Atomics.load(stop, 0) === 0
      ? runWorker({ ...job, jobs: each }, onProgress)
      : { kind: 'cut short', reason: 'interrupted' };
  const answers = jobs.map((job) => limited(() => run(job)));
  const all = Promise.allSettled(answers);
  try {
    for (const [i, job] of jobs.entries()) {
      const answer = await answers[i];
      const isAgain = most > 1 && ranOutOfMemory(answer);
      if (isAgain) await all;
      yield toCommandResult(job, isAgain ? await runWorker({ ...job, jobs: threads }, onProgress) : answer);
    }
  } catch (error) {
    // nobody wants to know of the others any more
    Atomics.store(stop, 0, 1);
    throw error;
  } finally {
    await all;
  }
}

const ranOutOfMemory = (answer: Reply<CheckJob>): boolean => 'reason' in answer && answer.reason === 'memory';
