/** A failure as an argument: a file, or a token and the scenario that it is of. */
import type { Command } from 'commander';
import { addExploringFlags, type ExploringFlags } from './exploring.js';
import { addReporterFlag } from './reporters.js';

export interface FailureFlags extends ExploringFlags {
  readonly scenario?: string;
}

export function addFailureArgument(command: Command): Command {
  command
    .argument('<failure>', 'a file that explore has written, or the token that it has printed')
    .option('--scenario <path>', 'of a token: the module that it is a failure of')
    .option('--report <file>', 'also write a page to look at: out.html');
  return addReporterFlag(addExploringFlags(command));
}
