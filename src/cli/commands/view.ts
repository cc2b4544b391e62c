/** `straightedge view`: a history as a page to look at, whatever it is of. */
import { basename } from 'node:path';
import { Command } from 'commander';
import { EXIT, toCommandResult } from '../../jobs/model/command-result.js';
import type { ViewJob } from '../../jobs/model/job.js';
import { runWorker } from '../../jobs/pool/run-worker.js';
import { checkReport } from '../flags/files.js';
import { addReadFlags, type ReadFlags, readJobOf } from '../flags/read-flags.js';
import { interruptible, ProgressLine } from '../terminal/progress.js';

interface Flags extends ReadFlags {
  readonly report?: string;
}

const EXAMPLES = `
Examples:
  straightedge view orders.jsonl
  straightedge view store/latest/history.edn --report history.html

A page with a verdict and its reason is what check --report writes.

Exit code: 0 written, 2 bad input, 3 memory ran out, 130 interrupted.`;

export function viewCommand(): Command {
  const command = new Command('view')
    .description('draws a history as a page, without checking it')
    .argument('<file>', 'a history, in any format that check reads; - for standard input')
    .option('--report <file>', 'the page to write; if not given, named as the history, in this folder')
    .option('--quiet', 'print errors only');
  return addReadFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: Flags) => {
      process.exitCode = await interruptible((stop) => view(file, flags, stop));
    });
}

async function view(file: string, flags: Flags, stop: Int32Array<SharedArrayBuffer>): Promise<number> {
  const report = flags.report ?? pageOf(file);
  checkReport(report, [file]);
  const progress = new ProgressLine(process.stderr, flags.quiet ?? false);
  const job: ViewJob = { ...readJobOf(file, flags, stop), kind: 'view', html: report };
  const { code, text } = toCommandResult(job, await runWorker(job, (text) => progress.show(text)));
  progress.clear();
  if (code !== EXIT.holds) process.stderr.write(`${text}\n`);
  else if (!flags.quiet) process.stdout.write(`${text}\n`);
  return code;
}

/** `runs/orders.jsonl.gz` becomes `orders.html`. */
const pageOf = (file: string): string =>
  `${file === '-' ? 'history' : basename(file).replace(/(\.\w+)?(\.gz)?$/, '')}.html`;
