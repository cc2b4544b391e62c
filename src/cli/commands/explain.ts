/** `straightedge explain`: which lines are to blame for a failure, and whether it helps to run them in one step. */
import { Command } from 'commander';
import { type ExploringFlags, exploringJob, runExploring } from '../exploring.js';
import { interruptible } from '../interrupt.js';
import { parseSize, parseTime } from '../parse-flags.js';

const EXAMPLES = `
Example:
  straightedge explain .straightedge/failure-1.json

Exit code: as of replay. 1 the failure happens, and is explained; 0 it passes now, 3 the code no longer follows the
schedule, 2 bad input.`;

export function explainCommand(): Command {
  return new Command('explain')
    .description('which lines are to blame for a failure?')
    .argument('<failure>', 'a file that explore has written')
    .option('--timeout <time>', '500ms, 60s, 5m', parseTime, 60_000)
    .option('--max-memory <size>', "for example 4gb; half of the machine's if not given", parseSize)
    .option('--json', 'for programs: one JSON document')
    .option('--quiet', 'print errors only')
    .option('--ascii', 'draw without box-drawing characters')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: ExploringFlags) => {
      process.exitCode = await interruptible((stop) =>
        runExploring({ ...exploringJob(file, flags, stop), kind: 'replay', isExplained: true }, flags),
      );
    });
}
