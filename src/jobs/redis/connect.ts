/**
 * The connection to Redis, and the list of workers there. The user installs bullmq and ioredis; only this file loads them.
 *
 * The first connection has to succeed. A later loss is repaired, and commands wait for that.
 */
import type { Redis } from 'ioredis';
import { UsageError } from '../../config/usage-error.js';
import { parseRedis, type RedisAddress } from './address.js';

export interface Connected {
  readonly address: RedisAddress;
  readonly redis: Redis;
  readonly bullmq: typeof import('bullmq');
  /** For connections that BullMQ makes itself. */
  readonly options: RedisAddress['options'] & {
    readonly maxRetriesPerRequest: null;
    readonly retryStrategy: (times: number) => number;
  };
}

/** The prefix of all our keys; in braces, so that a Redis cluster keeps them together. */
export const PREFIX = '{straightedge}';
export const QUEUE = 'tasks';

const again = (times: number): number => Math.min(100 * times, 2_000);

export async function connect(text: string): Promise<Connected> {
  const address = parseRedis(text);
  const { bullmq, ioredis } = await peers();
  let isThere = false;
  const redis = new ioredis.Redis({
    ...address.options,
    lazyConnect: true,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isThere ? again(times) : null),
  });
  let why = '';
  redis.on('error', (error: NodeJS.ErrnoException) => {
    why = error.code ?? error.message;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    redis.disconnect();
    const problem = why || (error as Error).message;
    throw new UsageError(
      `no answer from Redis at ${address.shown}: ${problem}. Check that it is running, and the credentials`,
    );
  }
  isThere = true;
  const options = { ...address.options, maxRetriesPerRequest: null, retryStrategy: again };
  return { address, redis, bullmq, options };
}

async function peers(): Promise<{
  readonly bullmq: typeof import('bullmq');
  readonly ioredis: Pick<typeof import('ioredis'), 'Redis'>;
}> {
  try {
    return { bullmq: await import('bullmq'), ioredis: await import('ioredis') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      'Redis workers need two packages that are not installed: npm install bullmq@6 ioredis@6',
    );
  }
}

/** How a worker describes itself in Redis. The entry expires unless the worker renews it. */
export interface WorkerNote {
  /** `host:pid`. */
  readonly id: string;
  /** How many tasks it runs at once. */
  readonly jobs: number;
  readonly done: number;
  readonly failed: number;
  readonly version: string;
}

const WORKERS = `${PREFIX}:workers`;
const EXPIRES = 10_000;
/** Milliseconds between two renewals. */
export const SAYS_SO = 3_000;
const REFUSALS_EXPIRE = 3_600_000;

const workerKey = (id: string): string => `${PREFIX}:worker:${id}`;
const refusalsKey = (run: string): string => `${PREFIX}:refusals:${run}`;

export async function sayHere(redis: Redis, note: WorkerNote): Promise<void> {
  await redis.sadd(WORKERS, note.id);
  await redis.set(workerKey(note.id), JSON.stringify(note), 'PX', EXPIRES);
}

export async function sayGone(redis: Redis, id: string): Promise<void> {
  await redis.srem(WORKERS, id);
  await redis.del(workerKey(id));
}

/** The workers, by name. */
export async function workersIn(redis: Redis): Promise<WorkerNote[]> {
  const ids = (await redis.smembers(WORKERS)).sort();
  const notes = ids.length === 0 ? [] : await redis.mget(ids.map(workerKey));
  const gone = ids.filter((_, i) => notes[i] === null);
  if (gone.length > 0) await redis.srem(WORKERS, ...gone);
  return notes.flatMap((note) => (note === null ? [] : [JSON.parse(note) as WorkerNote]));
}

/** Worker to the reason why it does not take the tasks of a run. */
export const refusalsOf = (redis: Redis, run: string): Promise<Record<string, string>> =>
  redis.hgetall(refusalsKey(run));

export async function noteRefusal(redis: Redis, run: string, id: string, why: string): Promise<void> {
  await redis.hset(refusalsKey(run), id, why);
  await redis.pexpire(refusalsKey(run), REFUSALS_EXPIRE);
}

export const forgetRefusals = (redis: Redis, run: string): Promise<number> => redis.del(refusalsKey(run));
