/** How a fleet stands, for `straightedge fleet`; and the removal of all that we have in Redis. */
import type { Task } from '../model/task.js';
import { connect, PREFIX, QUEUE } from './connect.js';
import { type WorkerNote, workersIn } from './registry.js';

export interface FleetState {
  readonly address: string;
  readonly workers: readonly WorkerNote[];
  readonly tasks: Readonly<Record<'waiting' | 'active' | 'delayed' | 'completed' | 'failed', number>>;
  /** The last tasks that were set aside, and why. */
  readonly setAside: readonly { readonly file: string; readonly task: string; readonly why: string }[];
}

const MOST_SET_ASIDE = 20;

export async function lookAtFleet(text: string): Promise<FleetState> {
  const { bullmq, redis, address, options } = await connect(text);
  const queue = new bullmq.Queue<Task>(QUEUE, { connection: options, prefix: PREFIX });
  queue.on('error', () => {});
  try {
    const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'completed', 'failed');
    const failed = await queue.getFailed(0, MOST_SET_ASIDE - 1);
    return {
      address: address.shown,
      workers: await workersIn(redis),
      tasks: counts as FleetState['tasks'],
      setAside: failed.map(({ id = '', data, failedReason }) => ({
        file: data.file,
        task: id,
        why: failedReason,
      })),
    };
  } finally {
    await queue.close();
    redis.disconnect();
  }
}

/** How many keys there were. Nothing is touched that does not begin with our prefix. */
export async function cleanFleet(text: string): Promise<{ readonly address: string; readonly keys: number }> {
  const { redis, address } = await connect(text);
  let keys = 0;
  try {
    for (let cursor = ''; cursor !== '0'; ) {
      const [next, found] = await redis.scan(cursor || '0', 'MATCH', `${PREFIX}:*`, 'COUNT', 1_000);
      const own = found.filter((key) => key.startsWith(`${PREFIX}:`));
      if (own.length > 0) keys += await redis.unlink(...own);
      cursor = next;
    }
  } finally {
    redis.disconnect();
  }
  return { address: address.shown, keys };
}
