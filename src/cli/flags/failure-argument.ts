/** A failure as an argument: a file, or a token and the scenario that it is of. */
import type { Command } from 'commander';
import { addExploringFlags, type ExploringFlags } from './exploring-flags.js';
import { addReporterFlag } from './reporters.js';

export interface FailureFlags extends ExploringFlags {
  readonly scenario?: string;
}

export function addFailureArgument(command: Command): Command {
  command
    .argument('<failure>', 'a file that explore or a test has written, or the token that explore has printed')
    .option(
      '--scenario <path>',
      'the module that it is a failure of: for a token, and for what a test has kept',
    )
    .option('--report <file>', 'also write a page to look at: out.html');
  return addReporterFlag(addExploringFlags(command));
}
