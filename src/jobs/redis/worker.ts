/**
 * A worker of the Redis queue: takes up to `jobs` tasks at once and runs each in a thread.
 *
 * BullMQ gives a task to one worker at a time, under a lock that the worker renews in this thread, which runs no user code.
 * When a worker is lost, its locks expire and other workers take its tasks.
 */
import { hostname } from 'node:os';
import type { Job } from 'bullmq';
import { CodeMismatch, checkCode } from '../model/code-mismatch.js';
import type { Task, TaskOutcome } from '../model/task.js';
import { TaskWorker } from '../pool/task-worker.js';
import {
  type Connected,
  connect,
  noteRefusal,
  PREFIX,
  QUEUE,
  SAYS_SO,
  sayGone,
  sayHere,
  type WorkerNote,
} from './connect.js';
import { modulesOf, withHistory } from './packed-history.js';

export interface RedisWorkerOptions {
  readonly jobs: number;
  readonly bytes: number;
  readonly version: string;
  readonly stop: Int32Array<SharedArrayBuffer>;
  readonly onNews: (text: string) => void;
}

/** Milliseconds: how long a lock lasts without renewal, and between two checks for expired locks. */
const LOCK = 5_000;
const STALL_INTERVAL = 2_000;
/** How often a task may be lost with its worker. */
const MAX_LOSSES = 2;
/** Milliseconds after which another worker may take a refused task. */
const RETURN_DELAY = 500;
const STOP_INTERVAL = 100;

/** Runs until `stop` is set; then it finishes the tasks that it has started. */
export async function runRedisWorker(text: string, options: RedisWorkerOptions): Promise<void> {
  const connected = await connect(text);
  const { bullmq, redis, address } = connected;
  const { jobs, stop, onNews } = options;
  const id = `${hostname()}:${process.pid}`;
  // the coordinator, not Ctrl-C here, ends a task early
  const running = { stop: new Int32Array(new SharedArrayBuffer(4)) };
  const idle = Array.from({ length: jobs }, () => new TaskWorker(running));
  const counts = { done: 0, failed: 0 };
  const refused = new Set<string>();
  const says = () =>
    sayHere(redis, { id, jobs, ...counts, version: options.version } satisfies WorkerNote).catch(() => {});

  const worker = new bullmq.Worker<Task, TaskOutcome>(
    QUEUE,
    async (job, token) => {
      const taskWorker = idle.find((one) => one.has(job.data)) ?? idle[0] ?? new TaskWorker(running);
      if (idle.includes(taskWorker)) idle.splice(idle.indexOf(taskWorker), 1);
      try {
        return await runTask(job.data, taskWorker, options.bytes / jobs);
      } catch (error) {
        if (!(error instanceof CodeMismatch)) throw error;
        if (!refused.has(error.message)) onNews(`refused: ${error.message}`);
        refused.add(error.message);
        await returnTask(connected, id, job, token, error.message);
        throw new bullmq.DelayedError();
      } finally {
        idle.push(taskWorker);
      }
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
    onNews(`failed: ${job?.data.file ?? 'a task'}: ${error.message}`);
  });
  const cut = onceUntil(() => onNews(`the connection to ${address.shown} is cut; waiting for it`));
  worker.on('error', cut.tell);
  worker.on('ready', cut.reset);
  await worker.waitUntilReady();
  await says();
  const here = setInterval(() => void says(), SAYS_SO);
  onNews(`taking tasks from ${address.shown}, ${jobs} at once, as ${id}`);
  while (Atomics.load(stop, 0) === 0) await new Promise((resolve) => setTimeout(resolve, STOP_INTERVAL));
  clearInterval(here);
  onNews('finishing running tasks');
  await worker.close();
  await Promise.all(idle.map((one) => one.end()));
  await sayGone(redis, id).catch(() => {});
  redis.disconnect();
}

/** Throws if the task has to be tried again, by this worker or another. */
async function runTask(task: Task, worker: TaskWorker, bytes: number): Promise<TaskOutcome> {
  const isCheck = task.kind === 'check';
  if (!worker.has(task)) checkCode(isCheck ? modulesOf(task.job) : [task.file], task.code);
  const outcome = isCheck
    ? await withHistory(task, bytes, (own) => worker.run(own, bytes))
    : await worker.run(task, bytes);
  if (outcome.kind === 'abandoned') throw new Error(outcome.reason);
  return outcome;
}

async function returnTask(
  { redis }: Connected,
  id: string,
  job: Job<Task>,
  token: string | undefined,
  why: string,
): Promise<void> {
  await noteRefusal(redis, job.data.run, id, why);
  await job.moveToDelayed(Date.now() + RETURN_DELAY, token);
}

/** Calls `tell` once until it is reset. */
function onceUntil(tell: () => void): { tell: () => void; reset: () => void } {
  let isTold = false;
  return {
    tell: () => {
      if (!isTold) tell();
      isTold = true;
    },
    reset: () => {
      isTold = false;
    },
  };
}
