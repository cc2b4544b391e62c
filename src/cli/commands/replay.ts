/** `straightedge replay`: a failure that was found, run again. */
import { Command } from 'commander';
import { interruptible } from '../terminal/progress.js';
import { addFailureArgument, exploringJob, type FailureFlags, runExploring } from './run-exploration.js';

/* `straightedge explain`: which lines are to blame for a failure, and whether it helps to run them in one step. */

const EXPLAIN_EXAMPLES = `
Examples:
  straightedge explain .straightedge/failure-1.json
  straightedge explain .straightedge/failure-1.json --report why.html
  straightedge explain se1.VYtBCoAwDAS --scenario jobs.scenario.ts

Exit code: as of replay. 1 the failure happens, and is explained; 0 it passes now, 3 the code no longer follows the
schedule, 2 bad input.`;

export function explainCommand(): Command {
  return addFailureArgument(new Command('explain').description('which lines are to blame for a failure?'))
    .addHelpText('after', EXPLAIN_EXAMPLES)
    .action(async (file: string, flags: FailureFlags) => {
      const { scenario } = flags;
      process.exitCode = await interruptible((stop) =>
        runExploring(
          { ...exploringJob(file, flags, stop), kind: 'replay', scenario, isExplained: true },
          flags,
        ),
      );
    });
}

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
