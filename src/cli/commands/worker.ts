/**
 * `straightedge worker`: run tasks from a Redis queue. `worker secret` writes the secret that signs tasks and results;
 * `worker status` and `worker clean` show and empty the queue.
 */
import { availableParallelism, totalmem } from 'node:os';
import type { Command } from '@commander-js/extra-typings';
import { printable, printableJson } from '../../base/values/show.js';
import { parsePositive } from '../../config/usage-error.js';
import { writeSecret } from '../../jobs/redis/address.js';
import {
  askOnce,
  type Connected,
  PREFIX,
  QUEUE,
  queueOf,
  readStored,
  sealerFor,
  type WorkerNote,
  workersIn,
} from '../../jobs/redis/connect.js';
import { openTask, type Sealer } from '../../jobs/redis/messages.js';
import { runRedisWorker } from '../../jobs/redis/worker.js';
import { MAX_MEMORY, QUIET } from '../common/flags.js';
import { interruptible, type Terminal, VERSION } from '../common/terminal.js';

const DETAILS = `
Examples:
  npx straightedge worker secret ~/.straightedge-secret
  STRAIGHTEDGE_REDIS_SECRET_FILE=~/.straightedge-secret npx straightedge worker redis://box:6379
  npx straightedge worker status redis://box:6379
  npx straightedge worker clean redis://box:6379

Workers and coordinators share a secret. Only a Redis on the same machine works without one.
Start a worker in a checkout of the same code, in the same folder as the command with --redis.
Ctrl-C finishes the current tasks, then stops. See node_modules/straightedge/docs/guide/workers.md.

Exit codes: 0 stopped or done, 2 invalid input or no answer from Redis, 70 unexpected error`;

/** Milliseconds after which a worker that has stopped ends its process. */
const LINGERING = 1_000;

const URL_HELP = 'address of the Redis server: redis://host:6379, or rediss:// for TLS';

export function define(command: Command, terminal: Terminal): void {
  const { stdout, stderr } = terminal;
  command
    .argument('<url>', URL_HELP)
    .optionsGroup('Limits:')
    .option('--jobs <n>', 'run n tasks at the same time (default: number of cores)', parsePositive)
    .option(
      MAX_MEMORY[0],
      'stop at this memory for all tasks: 512mb, 4gb (default: half of RAM)',
      MAX_MEMORY[2],
    )
    .optionsGroup('Output:')
    .option(...QUIET)
    .addHelpText('after', DETAILS)
    .action(async (url, flags) => {
      await interruptible((stop) =>
        runRedisWorker(url, {
          jobs: flags.jobs ?? availableParallelism(),
          bytes: flags.maxMemory ?? totalmem() / 2,
          version: VERSION,
          stop,
          // added to every command
          hasConfig: (flags as { readonly config?: boolean }).config !== false,
          onNews: (text) => {
            if (!flags.quiet) stderr.write(`${text}\n`);
          },
        }),
      );
      // connections may still wait for an unreachable Redis
      setTimeout(() => process.exit(), LINGERING).unref();
    });
  command
    .command('secret')
    .description('Write a new secret to a file that only you can read. It signs tasks and results.')
    .argument('<file>', 'file to write; it must not exist')
    .action((file) => {
      writeSecret(file);
      stderr.write(
        `wrote ${printable(file)}; copy it to each machine and name it in STRAIGHTEDGE_REDIS_SECRET_FILE\n`,
      );
    });
  command
    .command('status')
    .description('Show the workers, the queue and the abandoned tasks.')
    .argument('<url>', URL_HELP)
    .option('--json', 'print one JSON document')
    .action(async (url, { json }) => {
      const sealer = sealerFor(url);
      const status = await askOnce(url, (connected) => readStatus(connected, sealer));
      stdout.write(json ? `${printableJson(JSON.stringify(status))}\n` : statusText(status));
    });
  command
    .command('clean')
    .description(
      'Remove the tasks, results and worker records of straightedge from Redis, and no other keys.',
    )
    .argument('<url>', URL_HELP)
    .action(async (url) => {
      const { keys, address } = await askOnce(url, clean);
      stdout.write(`${keys} keys removed from ${address}\n`);
    });
}

interface QueueStatus {
  readonly address: string;
  readonly workers: readonly WorkerNote[];
  /** Workers with another secret, or none. */
  readonly strangers: number;
  readonly tasks: Readonly<Record<'waiting' | 'active' | 'delayed' | 'completed' | 'failed', number>>;
  /** The most recent tasks that were abandoned. */
  readonly abandoned: readonly { readonly file: string; readonly task: string; readonly reason: string }[];
}

const MAX_ABANDONED = 20;

async function readStatus(connected: Connected, sealer: Sealer): Promise<QueueStatus> {
  const { redis, address } = connected;
  const queue = queueOf(connected, () => {});
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'completed', 'failed');
  const failed = await redis.zrevrange(`${PREFIX}:${QUEUE}:failed`, 0, MAX_ABANDONED - 1);
  return {
    address: address.shown,
    ...(await workersIn(redis, sealer)),
    tasks: counts as QueueStatus['tasks'],
    abandoned: await Promise.all(failed.map((task) => readAbandoned(redis, sealer, task))),
  };
}

/** Anyone may have written it: nothing of it is parsed without a limit. */
async function readAbandoned(
  redis: Connected['redis'],
  sealer: Sealer,
  task: string,
): Promise<QueueStatus['abandoned'][number]> {
  const stored = await readStored(redis, task);
  if (typeof stored === 'string') return { file: 'unknown', task, reason: `it is ${stored}` };
  const file = await openTask(sealer, task, stored.data).then(
    (opened) => opened.task.file,
    () => 'another secret',
  );
  return { file, task, reason: stored.failure };
}

function statusText({ address, workers, strangers, tasks, abandoned }: QueueStatus): string {
  const lines = [
    `${address}: ${workers.length === 1 ? '1 worker' : `${workers.length} workers`}`,
    ...workers.map(
      ({ id, jobs, done, failed, version }) =>
        `  ${id}  ${jobs} at the same time, ${done} done, ${failed} failed, version ${version}`,
    ),
    ...(strangers === 0 ? [] : [`  ${strangers} with another secret, or none`]),
    `tasks: ${Object.entries(tasks)
      .map(([state, count]) => `${count} ${state}`)
      .join(', ')}`,
    ...abandoned.map(({ file, task, reason }) => `  abandoned: ${task} of ${file}: ${reason}`),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

/** Removes the keys that start with our prefix, and returns their number. */
async function clean({
  redis,
  address,
}: Connected): Promise<{ readonly address: string; readonly keys: number }> {
  let keys = 0;
  for (let cursor = ''; cursor !== '0'; ) {
    const [next, found] = await redis.scan(cursor || '0', 'MATCH', `${PREFIX}:*`, 'COUNT', 1_000);
    const own = found.filter((key) => key.startsWith(`${PREFIX}:`));
    if (own.length > 0) keys += await redis.unlink(...own);
    cursor = next;
  }
  return { address: address.shown, keys };
}
