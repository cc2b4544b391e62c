/** `straightedge monitor`: events against a spec, while they happen. */
import { totalmem } from 'node:os';
import { Command, Option } from 'commander';
import { expectFile, parseSize, parseTime, UsageError } from '../../config/usage-error.js';
import { MEMORY, parseRenames } from '../../jobs/load/parse-flags.js';
import { EXIT, toCommandResult } from '../../jobs/model/command-result.js';
import type { MonitorJob } from '../../jobs/model/job.js';
import { runWorker } from '../../jobs/pool/run-worker.js';
import { objects, syncObjects } from '../../objects/registry.js';
import { checkReport, tellReport } from '../flags/files.js';
import { addObjectFlags, neededSpec, type ObjectFlags, objectOptions } from '../flags/read-flags.js';
import { interruptible, ProgressLine, terminalStyle } from '../terminal/progress.js';

interface Flags extends ObjectFlags {
  readonly spec?: string;
  readonly rename?: [string, string][];
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly every: number;
  readonly maxMemory?: number;
  readonly quiet?: boolean;
  readonly ascii?: boolean;
  readonly report?: string;
}

const PAIRS = Object.keys(syncObjects).filter((name) => syncObjects[name]({}).pairs);

const EXAMPLES = `
Examples:
  tail -f events.jsonl | straightedge monitor --spec queue
  straightedge monitor events.jsonl --follow --spec orders=queue,stock=map
  server | straightedge monitor - --spec ./bank.spec.ts --json --every 10s

Lines are events, in the order in which they happen: {"type":"call",…}, {"type":"return",…}.
Ready-made objects: ${Object.keys(objects).join(', ')};
and those whose calls meet in pairs: ${PAIRS.join(', ')}.

Exit code: 0 no violation up to the end, 1 violation, 2 bad input, 3 undecided, 130 interrupted.`;

export function monitorCommand(): Command {
  const command = new Command('monitor')
    .description('watches events as they come, and stops at the first that no order, or no meetings, explain')
    .argument('[file]', 'events, one a line; - for standard input', '-')
    .option('--spec <spec>', 'a ready-made object, the path of your own spec, or object=spec,…')
    .option('--follow', 'the file goes on: wait for more at its end')
    .option('--json', 'JSON documents, one a line: how it stands from time to time, and the verdict')
    .addOption(
      new Option('--every <time>', 'how often to tell how it stands: 500ms, 10s, 1m')
        .argParser(parseTime)
        .default(1_000, '1s'),
    )
    .option(
      '--rename <pairs>',
      "the spec's names of methods and the history's: enqueue=add,dequeue=poll",
      parseRenames,
    )
    .option('--max-memory <size>', MEMORY, parseSize)
    .option('--report <file>', 'at the end, also write a page to look at: out.html')
    .option('--quiet', 'print errors only')
    .option('--ascii', 'draw without box-drawing characters');
  return addObjectFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: Flags) => {
      process.exitCode = await interruptible((stop) => monitor(file, flags, stop));
    });
}

async function monitor(file: string, flags: Flags, stop: Int32Array<SharedArrayBuffer>): Promise<number> {
  if (flags.follow && file === '-') throw new UsageError('--follow is for files; a pipe is followed anyway');
  expectFile(file);
  if (flags.report !== undefined) checkReport(flags.report, [file]);
  const progress = new ProgressLine(process.stderr, flags.quiet ?? false);
  const job = jobOf(file, flags, stop);
  const result = toCommandResult(job, await runWorker(job, (text) => progress.show(text)));
  progress.clear();
  const { code, document, text } = result;
  if (flags.json) process.stdout.write(`${JSON.stringify(document)}\n`);
  else if (code === EXIT.badInput) process.stderr.write(`${text}\n`);
  else if (!flags.quiet) process.stdout.write(`${text}\n`);
  tellReport(result, flags.report, !flags.json && !flags.quiet);
  return code;
}

function jobOf(file: string, flags: Flags, stop: Int32Array<SharedArrayBuffer>): MonitorJob {
  return {
    kind: 'monitor',
    file,
    spec: neededSpec(flags),
    options: objectOptions(flags),
    rename: (flags.rename ?? []).map(([method, name]) => [name, method]),
    independent: false,
    clockError: undefined,
    map: undefined,
    limits: { maxMemory: flags.maxMemory ?? totalmem() / 2 },
    quiet: flags.quiet ?? false,
    stop,
    follow: flags.follow ?? false,
    json: flags.json ?? false,
    every: flags.every,
    style: terminalStyle(flags.ascii ?? false),
    html: flags.report,
  };
}
