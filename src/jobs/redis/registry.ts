/** Who is in a fleet, as they say themselves in Redis: a worker that says nothing for a while is gone. */
import type { Redis } from 'ioredis';
import { PREFIX } from './connect.js';

export interface WorkerNote {
  /** `host:pid`. */
  readonly id: string;
  /** How many tasks it does at once. */
  readonly jobs: number;
  readonly done: number;
  readonly failed: number;
  readonly version: string;
}

const WORKERS = `${PREFIX}:workers`;
const EXPIRES = 10_000;
/** How often a worker has to say that it is there. */
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

/** Those who are there, by name. */
export async function workersIn(redis: Redis): Promise<WorkerNote[]> {
  const ids = (await redis.smembers(WORKERS)).sort();
  const notes = ids.length === 0 ? [] : await redis.mget(ids.map(workerKey));
  const gone = ids.filter((_, i) => notes[i] === null);
  if (gone.length > 0) await redis.srem(WORKERS, ...gone);
  return notes.flatMap((note) => (note === null ? [] : [JSON.parse(note) as WorkerNote]));
}

/** Worker to why it does not take the tasks of a run. */
export const refusalsOf = (redis: Redis, run: string): Promise<Record<string, string>> =>
  redis.hgetall(refusalsKey(run));

export async function noteRefusal(redis: Redis, run: string, id: string, why: string): Promise<void> {
  await redis.hset(refusalsKey(run), id, why);
  await redis.pexpire(refusalsKey(run), REFUSALS_EXPIRE);
}

export const forgetRefusals = (redis: Redis, run: string): Promise<number> => redis.del(refusalsKey(run));
