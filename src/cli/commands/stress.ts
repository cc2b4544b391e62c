/** `straightedge stress`: real concurrency, recorded and checked, round after round. */
import { Command } from 'commander';
import { type ExploringFlags, exploringJob, runExploring } from '../exploring.js';
import { interruptible } from '../interrupt.js';
import { parseCount, parseJobs, parseSize, parseTime } from '../parse-flags.js';

interface Flags extends ExploringFlags {
  readonly seed: number;
  readonly rounds?: number;
  readonly threads?: number;
  readonly callsPerThread?: number;
  readonly watchdog?: number;
}

const EXAMPLES = `
Examples:
  straightedge stress pool.scenario.ts
  straightedge stress pool.scenario.ts --rounds 1000 --threads 8 --calls-per-thread 20 --timeout 5m

Exit code: 0 no violation in all rounds, 1 violation, 2 bad input, 3 time ran out before all rounds were run, 130
interrupted.`;

export function stressCommand(): Command {
  return new Command('stress')
    .description('is an object right when it is really used by many at once?')
    .argument('<scenario>', 'a module whose default export is a scenario with a spec')
    .option('--timeout <time>', '500ms, 60s, 5m', parseTime, 60_000)
    .option('--seed <n>', 'which calls are chosen', parseCount, 1)
    .option('--rounds <n>', 'how many rounds: 100 if neither this nor the scenario says so', parseJobs)
    .option('--threads <n>', 'clients, or threads', parseJobs)
    .option('--calls-per-thread <n>', 'calls of each in one round', parseJobs)
    .option('--watchdog <time>', 'without a move for this long, a round is stuck: 2s if not given', parseTime)
    .option('--max-memory <size>', "for example 4gb; half of the machine's if not given", parseSize)
    .option('--json', 'print one document for programs')
    .option('--quiet', 'print errors only')
    .option('--ascii', 'draw without box-drawing characters')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: Flags) => {
      const { seed, rounds, threads, callsPerThread, watchdog } = flags;
      const options = { seed, rounds, threads, callsPerThread, watchdog };
      process.exitCode = await interruptible((stop) =>
        runExploring(
          { ...exploringJob(file, flags, stop), kind: 'stress', isExplained: false, options },
          flags,
        ),
      );
    });
}
