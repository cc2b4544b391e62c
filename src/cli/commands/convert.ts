/** `straightedge convert`: a history from one format to another. */
import { rmSync } from 'node:fs';
import { Command } from 'commander';
import { EXIT, toCommandResult } from '../../jobs/model/command-result.js';
import type { ConvertJob } from '../../jobs/model/job.js';
import { FORMAT_NAMES, targetOf } from '../../jobs/model/target.js';
import { runWorker } from '../../jobs/pool/run-worker.js';
import { addReadFlags, type ReadFlags, readJobOf } from '../flags/read-flags.js';
import { interruptible, ProgressLine } from '../terminal/progress.js';

interface Flags extends ReadFlags {
  readonly to?: string;
  readonly force?: boolean;
}

const EXAMPLES = `
Examples:
  straightedge convert history.edn history.jsonl
  straightedge convert history.jsonl history.edn.gz
  straightedge convert store/latest/history.edn - --to jsonl --spec cas-register
  straightedge convert kv.jsonl kv.txt --to edn --spec map
  straightedge convert operations.json history.jsonl.gz --map ./etcd.map.ts

Formats: ${Object.entries(FORMAT_NAMES)
  .map(([name, words]) => `${name} (${words})`)
  .join(', ')}. What a format can not hold is an error.

Exit code: 0 written, 2 bad input, 3 memory ran out, 130 interrupted.`;

export function convertCommand(): Command {
  const command = new Command('convert')
    .description('a history from one format to another')
    .argument('<from>', 'a history, in any format that check reads; - for standard input')
    .argument('<to>', 'a file that ends in .jsonl or .edn; .gz compresses it; - for standard output')
    .option('--to <format>', `the format, whatever the ending: ${Object.keys(FORMAT_NAMES).join(', ')}`)
    .option('--spec <spec>', 'whose spelling of Jepsen to use, and whose methods to expect')
    .option('--force', 'write over a file that is there already')
    .option('--quiet', 'print errors only');
  return addReadFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (from: string, to: string, flags: Flags) => {
      process.exitCode = await interruptible((stop) => convert(from, to, flags, stop));
    });
}

async function convert(
  from: string,
  to: string,
  flags: Flags,
  stop: Int32Array<SharedArrayBuffer>,
): Promise<number> {
  const target = targetOf(to, flags);
  const progress = new ProgressLine(process.stderr, flags.quiet ?? false);
  try {
    const job: ConvertJob = { ...readJobOf(from, flags, stop), kind: 'convert', target };
    const { code, text } = toCommandResult(job, await runWorker(job, (text) => progress.show(text)));
    progress.clear();
    if (code !== EXIT.holds) process.stderr.write(`${text}\n`);
    else if (to !== '-' && !flags.quiet) process.stdout.write(`${text}\n`);
    return code;
  } finally {
    if (target.draft !== target.path) rmSync(target.draft, { force: true });
  }
}
