/** `straightedge convert`: a history in another format. */
import { rmSync } from 'node:fs';
import type { Command } from '@commander-js/extra-typings';
import { EXIT } from '../../config/usage-error.js';
import { toCommandResult } from '../../jobs/model/command-result.js';
import { type ConvertJob, FORMAT_NAMES, targetOf } from '../../jobs/model/job.js';
import { runJob } from '../../jobs/pool/job-thread.js';
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
Formats: ${Object.entries(FORMAT_NAMES)
  .map(([name, words]) => `${name} (${words})`)
  .join(', ')}
A history that the format cannot represent is an error.

Examples:
  npx straightedge convert history.edn history.jsonl
  npx straightedge convert history.jsonl history.edn.gz
  npx straightedge convert store/latest/history.edn - --to jsonl --spec cas-register
  npx straightedge convert operations.json history.jsonl.gz --record-map ./etcd.map.ts

Exit codes: 0 written, 2 invalid input, 3 memory limit reached, 70 unexpected error, 130 interrupted`;

const addFlags = (command: Command) =>
  command
    .argument('<from>', 'history in any format that check reads, or - for standard input')
    .argument(
      '<to>',
      'file to write, or - for standard output; its ending gives the format, .gz compresses it',
    )
    .optionsGroup('Input:')
    .option('--spec <spec>', 'use the method names and Jepsen vocabulary of this object or spec module')
    .option(...RENAME)
    .option(...RECORD_MAP)
    .option(...INDEPENDENT)
    .option(...CLOCK_ERROR)
    .option(...EXTRA_FIELDS)
    .option(...PARTIAL)
    .optionsGroup('Limits:')
    .option(...MAX_MEMORY)
    .optionsGroup('Output:')
    .option(
      '--to <format>',
      `write ${Object.keys(FORMAT_NAMES).join(' or ')} (default: by the ending of the file)`,
    )
    .option('--force', 'overwrite an existing file')
    .option(...QUIET);

type Flags = ReturnType<ReturnType<typeof addFlags>['opts']>;

export function define(command: Command, terminal: Terminal): void {
  addFlags(command)
    .addHelpText('after', DETAILS)
    .action(async (from, to, flags) => {
      terminal.exitCode = await interruptible((stop) => convert(from, to, flags, stop, terminal));
    });
}

async function convert(
  from: string,
  to: string,
  flags: Flags,
  stop: ConvertJob['stop'],
  terminal: Terminal,
): Promise<number> {
  const target = targetOf(to, flags);
  const progress = new ProgressLine(terminal, flags.quiet);
  try {
    const job: ConvertJob = { ...toReadJob(from, flags, stop), kind: 'convert', target };
    const { code, text, stack } = toCommandResult(
      job,
      await runJob(
        job,
        (line) => progress.show(line),
        (piece) => terminal.stdout.writeData?.(piece),
      ),
    );
    progress.clear();
    if (stack !== undefined && terminal.isDebug) terminal.stderr.write(`${stack}\n`);
    if (code !== EXIT.holds) terminal.stderr.write(`${text}\n`);
    else if (to !== '-' && !flags.quiet) terminal.stdout.write(`${text}\n`);
    return code;
  } finally {
    // what cannot be removed is no reason to report a failure
    if (target.draft !== target.path) tryToRemove(target.draft);
  }
}

function tryToRemove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}
