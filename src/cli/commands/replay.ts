/** `straightedge replay`: a failure that was found, run again. */
import { Command } from 'commander';
import { addExploringFlags, type ExploringFlags, exploringJob, runExploring } from '../exploring.js';
import { interruptible } from '../interrupt.js';
import { addReporterFlag } from '../reporters.js';

interface Flags extends ExploringFlags {
  readonly scenario?: string;
}

const EXAMPLES = `
Examples:
  straightedge replay .straightedge/failure-1.json
  straightedge replay se1.VYtBCoAwDAS --scenario jobs.scenario.ts

Exit code: 1 it happens again, 0 it passes now, 3 the code no longer follows the schedule, 2 bad input.`;

export function replayCommand(): Command {
  const command = new Command('replay')
    .description('does a failure still happen?')
    .argument('<failure>', 'a file that explore or a test has written, or the token that explore has printed')
    .option(
      '--scenario <path>',
      'the module that it is a failure of: for a token, and for what a test has kept',
    )
    .option('--report <file>', 'also write a page to look at: out.html');
  return addReporterFlag(addExploringFlags(command))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: Flags) => {
      const { scenario } = flags;
      process.exitCode = await interruptible((stop) =>
        runExploring({ ...exploringJob(file, flags, stop), kind: 'replay', scenario }, flags),
      );
    });
}
