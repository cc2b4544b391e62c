/** `straightedge stress`: rounds of real concurrency, recorded and checked. */
import type { Command } from '@commander-js/extra-typings';
import { parseCount, parsePositive, parseTime } from '../../config/usage-error.js';
import {
  ASCII,
  HTML,
  JSON_OUTPUT,
  MAX_MEMORY,
  QUIET,
  REDIS,
  RESUME,
  timeoutOption,
  toRedisOptions,
} from '../common/flags.js';
import { interruptible, type Terminal } from '../common/terminal.js';
import { runExploration, toExplorationJob } from './run-exploration.js';

const DETAILS = `
Examples:
  npx straightedge stress pool.scenario.ts
  npx straightedge stress pool.scenario.ts --rounds 1000 --threads 8 --calls-per-thread 20 --timeout 5m
  npx straightedge stress pool.scenario.ts --rounds 1000 --jobs 4

Exit codes: 0 no violation, 1 violation, 2 invalid input, 3 limit reached before all rounds were run,
            70 unexpected error, 130 interrupted`;

const addFlags = (command: Command) =>
  command
    .argument('<scenario>', 'module whose default export is a scenario with a spec')
    .optionsGroup('Rounds:')
    .option('--rounds <n>', 'run n rounds (default: as in the scenario, or 100)', parsePositive)
    .option('--threads <n>', 'run n threads per round (default: as in the scenario)', parsePositive)
    .option('--calls-per-thread <n>', 'run n calls per thread (default: as in the scenario)', parsePositive)
    .option('--seed <n>', 'set the seed for random choices', parseCount, 1)
    .option(
      '--settle <time>',
      'end a round after this time without progress, if the spec allows every pending call to block (default: 100ms)',
      parseTime,
    )
    .option(
      '--stall-timeout <time>',
      'treat a round as stuck after this time without progress (default: 2s)',
      parseTime,
    )
    .optionsGroup('Limits:')
    .addOption(timeoutOption())
    .option(...MAX_MEMORY)
    .option('--jobs <n>', 'run n rounds at the same time, each with its own object', parsePositive, 1)
    .optionsGroup('Output:')
    .option(...HTML)
    .option(JSON_OUTPUT[0], 'print one JSON document')
    .option(...QUIET)
    .option(...ASCII)
    .optionsGroup('Distribution:')
    .option(...REDIS)
    .option(...RESUME);

export function define(command: Command, terminal: Terminal): void {
  addFlags(command)
    .addHelpText('after', DETAILS)
    .action(async (file, flags) => {
      const { seed, rounds, threads, callsPerThread, settle, stallTimeout, jobs } = flags;
      const options = { seed, rounds, threads, callsPerThread, settle, stallTimeout };
      const redis = await toRedisOptions(flags);
      terminal.exitCode = await interruptible((stop) => {
        const job = toExplorationJob(file, flags, stop, terminal);
        return runExploration({ ...job, kind: 'stress', options, jobs, redis }, flags, terminal);
      });
    });
}
