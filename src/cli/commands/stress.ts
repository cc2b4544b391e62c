/** `straightedge stress`: real concurrency, recorded and checked, round after round. */
import { Command } from 'commander';
import { parseTime } from '../../config/usage-error.js';
import { parseCount, parsePositive } from '../../jobs/load/parse-flags.js';
import { addExploringFlags, type ExploringFlags } from '../flags/exploring-flags.js';
import { addFleetFlags, fleetFlags } from '../flags/read-flags.js';
import { interruptible } from '../terminal/progress.js';
import { exploringJob, runExploring } from './run-exploration.js';

interface Flags extends ExploringFlags {
  readonly seed: number;
  readonly rounds?: number;
  readonly threads?: number;
  readonly callsPerThread?: number;
  readonly settle?: number;
  readonly watchdog?: number;
  readonly jobs: number;
  readonly engine?: string;
  readonly resume?: boolean;
}

const EXAMPLES = `
Examples:
  straightedge stress pool.scenario.ts
  straightedge stress pool.scenario.ts --rounds 1000 --threads 8 --calls-per-thread 20 --timeout 5m
  straightedge stress pool.scenario.ts --rounds 1000 --jobs 4

Exit code: 0 no violation in all rounds, 1 violation, 2 bad input, 3 time ran out before all rounds were run, 130
interrupted.`;

export function stressCommand(): Command {
  const command = new Command('stress')
    .description('is an object right when it is really used by many at once?')
    .argument('<scenario>', 'a module whose default export is a scenario with a spec')
    .option('--seed <n>', 'which calls are chosen', parseCount, 1)
    .option('--rounds <n>', 'how many rounds: 100 if neither this nor the scenario says so', parsePositive)
    .option('--threads <n>', 'clients, or threads', parsePositive)
    .option('--calls-per-thread <n>', 'calls of each in one round', parsePositive)
    .option(
      '--settle <time>',
      'without a move for this long, a round in which all may wait is over: 100ms if not given',
      parseTime,
    )
    .option(
      '--watchdog <time>',
      'without a move for this long, any round is stuck: 2s if not given',
      parseTime,
    )
    .option('--report <file>', 'also write a page to look at: out.html')
    .option('--jobs <n>', 'rounds at once, each with an object of its own', parsePositive, 1);
  return addExploringFlags(addFleetFlags(command, 'run them'))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: Flags) => {
      const { seed, rounds, threads, callsPerThread, settle, watchdog, jobs } = flags;
      const options = { seed, rounds, threads, callsPerThread, settle, watchdog };
      const redis = fleetFlags(flags);
      process.exitCode = await interruptible((stop) =>
        runExploring({ ...exploringJob(file, flags, stop), kind: 'stress', options, jobs, redis }, flags),
      );
    });
}
