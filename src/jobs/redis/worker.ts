/**
 * A worker of the Redis queue: takes up to `jobs` tasks at once and runs each in a thread.
 *
 * It runs only tasks that are signed with its secret, and signs their outcomes (messages.ts).
 *
 * BullMQ gives a task to one worker at a time, under a lock that the worker renews in this thread, which runs no user code.
 * When a worker is lost, its locks expire and other workers take its tasks.
 */
import { hostname } from 'node:os';
import type { Job } from 'bullmq';
import { printable } from '../../base/values/show.js';
import { CodeMismatch, checkCode } from '../model/code-mismatch.js';
import type { Task, TaskOutcome } from '../model/task.js';
import { TaskWorker } from '../pool/thread-executor.js';
import {
  type Connected,
  connect,
  expectOwnKeys,
  noteRefusal,
  PREFIX,
  problemText,
  QUEUE,
  SAYS_SO,
  sayGone,
  sayHere,
  sealerFor,
  type WorkerNote,
} from './connect.js';
import { openTask, SealError, type Sealed, type Sealer, sealOutcome } from './messages.js';
import { modulesOf, withHistory } from './packed-history.js';

export interface RedisWorkerOptions {
  readonly jobs: number;
  readonly bytes: number;
  readonly version: string;
  readonly stop: Int32Array<SharedArrayBuffer>;
  readonly onNews: (text: string) => void;
  /** May a configuration name the files to instrument? */
  readonly hasConfig: boolean;
}

/** Milliseconds: how long a lock lasts without renewal, and between two checks for expired locks. */
const LOCK = 5_000;
const STALL_INTERVAL = 2_000;
/** How often a task may be lost with its worker. */
const MAX_LOSSES = 2;
/** Milliseconds after which another worker may take a refused task. */
const RETURN_DELAY = 500;
/** How often workers may return a task whose signature is invalid. */
const MAX_RETURNS = 100;
const STOP_INTERVAL = 100;
/** Milliseconds in which an idle worker says goodbye to Redis. */
const CLOSING = 2_000;

/** Why a task does not run here; and in which session, if its signature is valid. */
interface Refusal {
  readonly session?: string;
  readonly why: string;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Runs until `stop` is set; then it finishes the tasks that it has started, and does not wait for an unreachable Redis. */
export async function runRedisWorker(text: string, options: RedisWorkerOptions): Promise<void> {
  const sealer = sealerFor(text);
  let clock: NodeJS.Timeout | undefined;
  const stopped = new Promise<void>((resolve) => {
    clock = setInterval(() => {
      if (Atomics.load(options.stop, 0) !== 0) resolve();
    }, STOP_INTERVAL);
  });
  try {
    const connecting = connect(text);
    const connected = await Promise.race([connecting, stopped]);
    if (connected) await serveTasks(connected, sealer, options, stopped);
    // it may fail later
    else connecting.catch(() => {});
  } finally {
    clearInterval(clock);
  }
}

async function serveTasks(
  connected: Connected,
  sealer: Sealer,
  options: RedisWorkerOptions,
  stopped: Promise<void>,
): Promise<void> {
  const { bullmq, redis, address } = connected;
  try {
    await Promise.race([expectOwnKeys(connected), stopped]);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  const { jobs, onNews } = options;
  const id = `${hostname()}:${process.pid}`;
  // the coordinator, not Ctrl-C here, ends a task early
  const running = { stop: new Int32Array(new SharedArrayBuffer(4)) };
  const idle = Array.from({ length: jobs }, () => new TaskWorker(running));
  const counts = { done: 0, failed: 0 };
  /** Tasks that are opened, run or signed. Those that wait for Redis are not among them: it may never answer. */
  let busy = 0;
  const refused = new Set<string>();
  const refuse = (why: string) => {
    if (!refused.has(why)) onNews(printable(`refused: ${why}`));
    refused.add(why);
  };
  const says = () =>
    sayHere(redis, sealer, { id, jobs, ...counts, version: options.version } satisfies WorkerNote).catch(
      () => {},
    );

  /** The signed result of a task, or the reason why there is none. Does not wait for Redis. */
  const serve = async ({ id: taskId = '', data: asked }: Job<Sealed>): Promise<Sealed | Refusal> => {
    const { session, task: given } = await openTask(sealer, taskId, asked);
    const task = 'hasConfig' in given ? { ...given, hasConfig: given.hasConfig && options.hasConfig } : given;
    const taskWorker = idle.find((one) => one.has(task)) ?? idle[0] ?? new TaskWorker(running);
    if (idle.includes(taskWorker)) idle.splice(idle.indexOf(taskWorker), 1);
    try {
      const outcome = await runTask(task, taskWorker, options.bytes / jobs, sealer);
      return await sealOutcome(sealer, taskId, asked, outcome);
    } catch (error) {
      if (!(error instanceof CodeMismatch)) throw error;
      return { session: session.name, why: error.message };
    } finally {
      idle.push(taskWorker);
    }
  };

  const worker = new bullmq.Worker<Sealed, Sealed>(
    QUEUE,
    async (job, token) => {
      busy++;
      const served = await serve(job)
        .catch((error: unknown): Refusal => {
          if (!(error instanceof SealError)) throw error;
          return { why: `a task in Redis ${error.message}` };
        })
        .finally(() => busy--);
      if ('mac' in served) return served;
      const { session, why } = served;
      refuse(why);
      if (session !== undefined) await noteRefusal(redis, sealer, session, id, why);
      // another worker may have its secret
      else if (job.attemptsStarted > MAX_RETURNS) throw new bullmq.UnrecoverableError('no worker accepts it');
      await job.moveToDelayed(Date.now() + RETURN_DELAY, token);
      throw new bullmq.DelayedError();
    },
    {
      connection: connected.options,
      prefix: PREFIX,
      concurrency: jobs,
      lockDuration: LOCK,
      stalledInterval: STALL_INTERVAL,
      maxStalledCount: MAX_LOSSES,
    },
  );
  worker.on('completed', () => counts.done++);
  worker.on('failed', (job, error) => {
    counts.failed++;
    onNews(printable(`failed: ${job?.id ?? 'a task'}: ${error.message}`));
  });
  const problems = new Set<string>();
  worker.on('error', (error) => {
    const text = problemText(error, address.shown);
    if (!problems.has(text)) onNews(text);
    problems.add(text);
  });
  worker.on('ready', () => problems.clear());
  let isReady = false;
  const ready = worker.waitUntilReady().then(() => {
    isReady = true;
    return says();
  });
  await Promise.race([ready, stopped]);
  const here = setInterval(() => void says(), SAYS_SO);
  onNews(`taking tasks from ${address.shown}, ${jobs} at once, as ${id}`);
  await stopped;
  clearInterval(here);
  onNews('finishing running tasks');
  // closing it removes its listeners, and an error of a connection that is not there yet would end the process
  const closing = isReady ? worker.close().catch(() => {}) : Promise.resolve();
  while (busy > 0) await pause(STOP_INTERVAL);
  await Promise.race([closing, pause(CLOSING)]);
  await Promise.all(idle.map((one) => one.end()));
  await Promise.race([sayGone(redis, id).catch(() => {}), pause(CLOSING / 4)]);
  redis.disconnect();
}

/** Throws if the task has to be tried again, by this worker or another. */
async function runTask(task: Task, worker: TaskWorker, bytes: number, sealer: Sealer): Promise<TaskOutcome> {
  const isCheck = task.kind === 'check';
  const modules = isCheck ? modulesOf(task.job) : [task.file];
  if (!worker.has(task)) checkCode(modules, task.code, (code) => sealer.conceal(code));
  const outcome = isCheck
    ? await withHistory(task, bytes, (own) => worker.run(own, bytes))
    : await worker.run(task, bytes);
  if (outcome.kind === 'abandoned') throw new Error(outcome.reason);
  return outcome;
}
