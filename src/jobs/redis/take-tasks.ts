/**
 * A worker of a fleet: takes tasks from the queue, so many at once, and does each in a thread.
 *
 * BullMQ gives a task to one worker at a time, under a lock that the worker renews: here, in the thread that runs no code of
 * the user's. When a worker is lost, its locks run out and others take its tasks.
 */
import { hostname } from 'node:os';
import type { Job } from 'bullmq';
import { checkCode, OtherCode } from '../model/code-mismatch.js';
import type { Task, TaskAnswer } from '../model/task.js';
import { Slot } from '../pool/slot.js';
import { checkTask } from './check-task.js';
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

export interface TakeOptions {
  readonly jobs: number;
  readonly bytes: number;
  readonly version: string;
  readonly stop: Int32Array<SharedArrayBuffer>;
  readonly onNews: (text: string) => void;
}

/** Milliseconds: how long a lock lasts without being renewed, and between two looks at others' locks. */
const LOCK = 5_000;
const LOOK_EVERY = 2_000;
/** A task may be lost with its worker so often. */
const LOST = 2;
/** After so many milliseconds somebody else may take what was refused here. */
const BACK_AFTER = 500;
const STOP_EVERY = 100;

/** Until it is told to stop; then what was begun is ended. */
export async function takeTasks(text: string, options: TakeOptions): Promise<void> {
  const connected = await connect(text);
  const { bullmq, redis, address } = connected;
  const { jobs, stop, onNews } = options;
  const id = `${hostname()}:${process.pid}`;
  const slots = Array.from({ length: jobs }, () => new Slot(options.bytes / jobs));
  const counts = { done: 0, failed: 0 };
  const refused = new Set<string>();
  const says = () =>
    sayHere(redis, { id, jobs, ...counts, version: options.version } satisfies WorkerNote).catch(() => {});

  const worker = new bullmq.Worker<Task, TaskAnswer>(
    QUEUE,
    async (job, token) => {
      const slot = slots.pop() ?? new Slot(options.bytes / jobs);
      try {
        return await answerOf(job.data, slot, options);
      } catch (error) {
        if (!(error instanceof OtherCode)) throw error;
        if (!refused.has(error.message)) onNews(`refused: ${error.message}`);
        refused.add(error.message);
        await giveBack(connected, id, job, token, error.message);
        throw new bullmq.DelayedError();
      } finally {
        slots.push(slot);
      }
    },
    {
      connection: connected.options,
      prefix: PREFIX,
      concurrency: jobs,
      lockDuration: LOCK,
      stalledInterval: LOOK_EVERY,
      maxStalledCount: LOST,
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
  while (Atomics.load(stop, 0) === 0) await new Promise((resolve) => setTimeout(resolve, STOP_EVERY));
  clearInterval(here);
  onNews('ending what was begun');
  await worker.close();
  await Promise.all(slots.map((slot) => slot.end()));
  await sayGone(redis, id).catch(() => {});
  redis.disconnect();
}

async function answerOf(task: Task, slot: Slot, { bytes, jobs }: TakeOptions): Promise<TaskAnswer> {
  if (task.kind === 'check') return checkTask(task, bytes / jobs);
  if (!slot.has(task)) checkCode([task.file], task.code);
  return slot.run(task);
}

async function giveBack(
  { redis }: Connected,
  id: string,
  job: Job<Task>,
  token: string | undefined,
  why: string,
): Promise<void> {
  await noteRefusal(redis, job.data.run, id, why);
  await job.moveToDelayed(Date.now() + BACK_AFTER, token);
}

/** Tells once, until it is reset. */
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
