/**
 * A connection to the Redis of a fleet. bullmq and ioredis are the user's to install: loaded only here.
 *
 * The first connection has to come about, or there is a message; what is cut later is made again, and commands wait.
 */
import type { Redis } from 'ioredis';
import { UsageError } from '../../config/usage-error.js';
import { parseRedis, type RedisAddress } from './redis-address.js';

export interface Connected {
  readonly address: RedisAddress;
  readonly redis: Redis;
  readonly bullmq: typeof import('bullmq');
  /** For what of BullMQ makes its own connections. */
  readonly options: RedisAddress['options'] & {
    readonly maxRetriesPerRequest: null;
    readonly retryStrategy: (times: number) => number;
  };
}

/** What all our keys begin with; in braces, so that a cluster keeps them together. */
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
    const told = why || (error as Error).message;
    throw new UsageError(
      `no answer of a Redis at ${address.shown}: ${told}. Is it running, and are the credentials right?`,
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
      'a fleet needs two packages that are not installed here: npm install bullmq@6 ioredis@6',
    );
  }
}
