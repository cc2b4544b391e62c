/** `straightedge explain`: which lines are to blame for a failure, and whether it helps to run them in one step. */
import { Command } from 'commander';
import { addFailureArgument, type FailureFlags } from '../flags/failure-argument.js';
import { interruptible } from '../terminal/interrupt.js';
import { exploringJob, runExploring } from './run-exploration.js';

const EXAMPLES = `
Examples:
  straightedge explain .straightedge/failure-1.json
  straightedge explain .straightedge/failure-1.json --report why.html
  straightedge explain se1.VYtBCoAwDAS --scenario jobs.scenario.ts

Exit code: as of replay. 1 the failure happens, and is explained; 0 it passes now, 3 the code no longer follows the
schedule, 2 bad input.`;

export function explainCommand(): Command {
  return addFailureArgument(new Command('explain').description('which lines are to blame for a failure?'))
    .addHelpText('after', EXAMPLES)
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
