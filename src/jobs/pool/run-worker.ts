/**
 * One job in one worker. The worker looks at its limits itself; the main thread
 * only steps in when it does not: user code that never ends, or eats the memory.
 */
import { Worker } from 'node:worker_threads';
import { packageFile } from '../../base/package-file.js';
import type { LimitReason } from '../../check/model/verdict.js';
import { UsageError } from '../../config/usage-error.js';
import type { Job, Message, Reply, ViolationMessage } from '../model/job.js';
import { theirStack } from '../model/limit-exceeded.js';

/** How long a worker may take to notice that it should stop. */
const GRACE = 1_000;
/** How long it may then still explain a violation: longer than it allows itself. */
const EXPLAINING = 4_000;
/** And how long where there is no other limit. */
const EXPLAINING_AT_MOST = 60_000;

export async function runWorker<J extends Job>(
  job: J,
  onProgress: (text: string) => void,
): Promise<Reply<J>> {
  const worker = new Worker(packageFile('#worker'), {
    workerData: job,
    // the worker looks at its own limit; this one is for user code, and a little larger
    resourceLimits: { maxOldGenerationSizeMb: 64 + Math.ceil((1.2 * job.limits.maxMemory) / 2 ** 20) },
  });
  const timers: NodeJS.Timeout[] = [];
  try {
    return await new Promise<Reply<J>>((resolve, reject) => {
      let found: ViolationMessage | undefined;
      let known: Reply<J> | undefined;
      let isExplaining = false;
      const end = (reason: LimitReason) => resolve(known ?? { kind: 'cut short', reason, found });
      const giveUp = (reason: LimitReason) => {
        // a violation that is known gets a little time to be explained
        if (!(found || known) || isExplaining) end(reason);
        else timers.push(setTimeout(giveUp, EXPLAINING, reason));
        isExplaining = true;
      };
      if (job.limits.timeout !== undefined)
        timers.push(setTimeout(giveUp, job.limits.timeout + GRACE, 'time'));
      const watch = setInterval(() => {
        if (Atomics.load(job.stop, 0) === 0) return;
        clearInterval(watch);
        timers.push(setTimeout(giveUp, GRACE, 'interrupted'));
      }, 50);
      timers.push(watch);
      worker.on('message', (message: Message<J>) => {
        if (message.kind === 'progress') onProgress(message.text);
        else if (message.kind === 'news')
          process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[K' : ''}${message.text}\n`);
        else if (message.kind === 'known') known = message.answer;
        else if (message.kind === 'found') {
          found = message;
          timers.push(setTimeout(end, EXPLAINING_AT_MOST, 'time'));
        } else if (message.kind === 'output') process.stdout.write(message.piece);
        else if (message.kind === 'misused') reject(new UsageError(message.message));
        else resolve(message);
      });
      worker.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? end('memory')
          : resolve({ kind: 'refused', message: theirStack(error) }),
      );
      worker.on('exit', (code) =>
        resolve({
          kind: 'refused',
          message: `the ${whose(job)} ended its process with code ${code}`,
        }),
      );
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    // a worker that waits for the system, to open a pipe say, ends when that does: do not wait with it
    await Promise.race([worker.terminate(), new Promise((resolve) => setTimeout(resolve, GRACE).unref())]);
    worker.unref();
  }
}

/** Code of the user's that a job runs. */
function whose(job: Job): string {
  if (job.kind === 'explore' || job.kind === 'replay' || job.kind === 'stress') return 'scenario';
  return job.map === undefined ? 'spec' : 'spec or map';
}
