/** `straightedge worker`: this machine does tasks for whoever uses the same Redis. */
import { availableParallelism, totalmem } from 'node:os';
import { Command } from 'commander';
import { parseSize } from '../../config/quantities.js';
import { MEMORY, parsePositive } from '../../jobs/load/parse-flags.js';
import { takeTasks } from '../../jobs/redis/take-tasks.js';
import { interruptible } from '../terminal/interrupt.js';

interface Flags {
  readonly jobs?: number;
  readonly maxMemory?: number;
  readonly quiet?: boolean;
}

const EXAMPLES = `
Example:
  straightedge worker redis://box:6379

Start it in a checkout of the same code, in the same folder as the command with --engine. Ctrl-C ends it when
the tasks that it has begun are done; docs/many-machines.md tells the rest.`;

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
