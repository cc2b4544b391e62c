/** `straightedge worker`: this machine does tasks for whoever uses the same Redis. */

import { availableParallelism, totalmem } from 'node:os';
import { Command } from 'commander';
import { printable } from '../../base/values/show.js';
import { parseSize } from '../../config/usage-error.js';
import { MEMORY, parsePositive } from '../../jobs/load/parse-flags.js';
import type { Task } from '../../jobs/model/task.js';
import { connect, PREFIX, QUEUE, type WorkerNote, workersIn } from '../../jobs/redis/connect.js';
import { takeTasks } from '../../jobs/redis/take-tasks.js';
import { interruptible } from '../terminal/progress.js';

/* How a fleet stands, for `straightedge fleet`; and the removal of all that we have in Redis. */

interface FleetState {
  readonly address: string;
  readonly workers: readonly WorkerNote[];
  readonly tasks: Readonly<Record<'waiting' | 'active' | 'delayed' | 'completed' | 'failed', number>>;
  /** The last tasks that were set aside, and why. */
  readonly setAside: readonly { readonly file: string; readonly task: string; readonly why: string }[];
}

const MOST_SET_ASIDE = 20;

async function lookAtFleet(text: string): Promise<FleetState> {
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
async function cleanFleet(text: string): Promise<{ readonly address: string; readonly keys: number }> {
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

/* `straightedge fleet`: who works, what waits, what was set aside; `fleet clean` removes what we have in Redis. */

const STATUS_EXAMPLES = `
Examples:
  straightedge fleet redis://box:6379
  straightedge fleet redis://box:6379 --json
  straightedge fleet clean redis://box:6379`;

export function fleetCommand(): Command {
  const clean = new Command('clean')
    .exitOverride()
    .description('removes our keys from a Redis, and no others: tasks, results, what workers say')
    .argument('<address>', 'redis://host:6379')
    .action(async (address: string) => {
      const { keys, address: shown } = await cleanFleet(address);
      process.stdout.write(`${keys} keys removed from ${shown}\n`);
    });
  return new Command('fleet')
    .description('shows the workers of a fleet, its queue and what failed')
    .argument('<address>', 'redis://host:6379, or rediss:// for TLS')
    .option('--json', 'for programs: one JSON document')
    .addCommand(clean)
    .addHelpText('after', STATUS_EXAMPLES)
    .action(async (address: string, { json }: { readonly json?: boolean }) => {
      const state = await lookAtFleet(address);
      process.stdout.write(json ? `${JSON.stringify(state)}\n` : textOf(state));
    });
}

function textOf({ address, workers, tasks, setAside }: FleetState): string {
  const lines = [
    `${address}: ${workers.length === 1 ? '1 worker' : `${workers.length} workers`}`,
    ...workers.map(
      ({ id, jobs, done, failed, version }) =>
        `  ${id}  ${jobs} at once, ${done} done, ${failed} failed, version ${version}`,
    ),
    `tasks: ${Object.entries(tasks)
      .map(([state, count]) => `${count} ${state}`)
      .join(', ')}`,
    ...setAside.map(({ file, task, why }) => `  set aside: ${task} of ${file}: ${why}`),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

interface Flags {
  readonly jobs?: number;
  readonly maxMemory?: number;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Example:
  straightedge worker redis://box:6379

Start it in a checkout of the same code, in the same folder as the command with --engine. Ctrl-C ends it when
the tasks that it has begun are done; docs/guide/workers.md tells the rest.`;

export function workerCommand(version: string): Command {
  return new Command('worker')
    .description('does tasks of explore, stress and check with --engine')
    .argument('<address>', 'redis://host:6379, or rediss:// for TLS')
    .option('--jobs <n>', "tasks at once; the machine's cores if not given", parsePositive)
    .option('--max-memory <size>', `${MEMORY}; for all tasks`, parseSize)
    .option('--quiet', 'print errors only')
    .addHelpText('after', EXAMPLES)
    .action(async (address: string, flags: Flags) => {
      await interruptible((stop) =>
        takeTasks(address, {
          jobs: flags.jobs ?? availableParallelism(),
          bytes: flags.maxMemory ?? totalmem() / 2,
          version,
          stop,
          onNews: (text) => {
            if (!flags.quiet) process.stderr.write(`${text}\n`);
          },
        }),
      );
    });
}
