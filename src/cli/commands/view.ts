/** `straightedge view`: a history as an HTML page, without a spec. */
import { basename } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { EXIT } from '../../config/usage-error.js';
import { toCommandResult } from '../../jobs/model/command-result.js';
import type { ViewJob } from '../../jobs/model/job.js';
import { runJob } from '../../jobs/pool/job-thread.js';
import { checkHtml } from '../common/files.js';
import {
  CLOCK_ERROR,
  EXTRA_FIELDS,
  INDEPENDENT,
  MAX_MEMORY,
  PARTIAL,
  QUIET,
  RECORD_MAP,
  RENAME,
  toReadJob,
} from '../common/flags.js';
import { interruptible, ProgressLine, type Terminal } from '../common/terminal.js';

const DETAILS = `
Examples:
  npx straightedge view orders.jsonl
  npx straightedge view store/latest/history.edn --html history.html

For a page with a verdict, use check --html.

Exit codes: 0 written, 2 invalid input, 3 memory limit reached, 70 unexpected error, 130 interrupted`;

const addFlags = (command: Command) =>
  command
    .argument('<file>', 'history in any format that check reads, or - for standard input')
    .optionsGroup('Input:')
    .option(...RENAME)
    .option(...RECORD_MAP)
    .option(...INDEPENDENT)
    .option(...CLOCK_ERROR)
    .option(...EXTRA_FIELDS)
    .option(...PARTIAL)
    .optionsGroup('Limits:')
    .option(...MAX_MEMORY)
    .optionsGroup('Output:')
    .option('--html <file>', 'write the page to this file (default: name of the history, in this folder)')
    .option(...QUIET);

type Flags = ReturnType<ReturnType<typeof addFlags>['opts']>;

export function define(command: Command, terminal: Terminal): void {
  addFlags(command)
    .addHelpText('after', DETAILS)
    .action(async (file, flags) => {
      terminal.exitCode = await interruptible((stop) => view(file, flags, stop, terminal));
    });
}

async function view(file: string, flags: Flags, stop: ViewJob['stop'], terminal: Terminal): Promise<number> {
  const html = flags.html ?? defaultPage(file);
  checkHtml(html, [file]);
  const progress = new ProgressLine(terminal, flags.quiet);
  const job: ViewJob = { ...toReadJob(file, flags, stop), kind: 'view', html };
  const { code, text, stack } = toCommandResult(job, await runJob(job, (line) => progress.show(line)));
  progress.clear();
  if (stack !== undefined && terminal.isDebug) terminal.stderr.write(`${stack}\n`);
  if (code !== EXIT.holds) terminal.stderr.write(`${text}\n`);
  else if (!flags.quiet) terminal.stdout.write(`${text}\n`);
  return code;
}

/** `runs/orders.jsonl.gz` becomes `orders.html`. */
const defaultPage = (file: string): string =>
  `${file === '-' ? 'history' : basename(file).replace(/(\.\w+)?(\.gz)?$/, '')}.html`;
