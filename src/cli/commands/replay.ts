/** `straightedge replay`: a failure that was found, run again. */
import { Command } from 'commander';
import { addFailureArgument, type FailureFlags } from '../flags/failure-argument.js';
import { interruptible } from '../terminal/interrupt.js';
import { exploringJob, runExploring } from './run-exploration.js';

const EXAMPLES = `
Examples:
  straightedge replay .straightedge/failure-1.json
  straightedge replay se1.VYtBCoAwDAS --scenario jobs.scenario.ts

Exit code: 1 it happens again, 0 it passes now, 3 the code no longer follows the schedule, 2 bad input.`;

export function replayCommand(): Command {
  return addFailureArgument(new Command('replay').description('does a failure still happen?'))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: FailureFlags) => {
      const { scenario } = flags;
      process.exitCode = await interruptible((stop) =>
        runExploring({ ...exploringJob(file, flags, stop), kind: 'replay', scenario }, flags),
      );
    });
}
