/** `straightedge explain`: which lines are to blame for a failure, and whether it helps to run them in one step. */
import { Command } from 'commander';
import { addExploringFlags, type ExploringFlags, exploringJob, runExploring } from '../exploring.js';
import { interruptible } from '../interrupt.js';
import { addReporterFlag } from '../reporters.js';

interface Flags extends ExploringFlags {
  readonly scenario?: string;
}

const EXAMPLES = `
Examples:
  straightedge explain .straightedge/failure-1.json
  straightedge explain .straightedge/failure-1.json --report why.html

Exit code: as of replay. 1 the failure happens, and is explained; 0 it passes now, 3 the code no longer follows the
schedule, 2 bad input.`;

export function explainCommand(): Command {
  const command = new Command('explain')
    .description('which lines are to blame for a failure?')
    .argument('<failure>', 'a file that explore or a test has written')
    .option('--scenario <path>', 'the module that it is a failure of: for what a test has kept')
    .option('--report <file>', 'also write a page to look at: out.html');
  return addReporterFlag(addExploringFlags(command))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: Flags) => {
      const { scenario } = flags;
      process.exitCode = await interruptible((stop) =>
        runExploring(
          { ...exploringJob(file, flags, stop), kind: 'replay', scenario, isExplained: true },
          flags,
        ),
      );
    });
}
