/** `straightedge monitor`: events against a spec, while they happen. */
import { Argument, type Command, Option } from '@commander-js/extra-typings';
import { printableJson } from '../../base/values/show.js';
import { EXIT, parseTime, UsageError } from '../../config/usage-error.js';
import { toCommandResult } from '../../jobs/model/command-result.js';
import type { MonitorJob } from '../../jobs/model/job.js';
import { runJob } from '../../jobs/pool/job-thread.js';
import { OBJECT_NAMES, PAIR_NAMES } from '../../objects/names.js';
import { checkHtml, reportFiles } from '../common/files.js';
import {
  ALLOW_EMPTY,
  ASCII,
  EMPTY,
  EVENT_MAP,
  EXTRA_FIELDS,
  HTML,
  INDEPENDENT,
  INITIAL,
  listNames,
  MAX_MEMORY,
  PERMITS,
  QUIET,
  RENAME,
  requireSpec,
  SPEC,
  toObjectOptions,
  toReadJob,
} from '../common/flags.js';
import { interruptible, ProgressLine, type Terminal, terminalStyle } from '../common/terminal.js';

const DETAILS = `
Each line is an event, in the order in which the events happen: {"type":"call",…}, {"type":"return",…}.
Events of Jepsen are read too, as EDN, JSON or a log; --record-map converts other JSON.

Objects:${listNames(OBJECT_NAMES)}
Objects whose calls synchronise in pairs:${listNames(PAIR_NAMES)}

Examples:
  tail -f events.jsonl | npx straightedge monitor --spec queue
  npx straightedge monitor events.jsonl --follow --spec orders=queue,stock=map
  server | npx straightedge monitor - --spec ./bank.spec.ts --json --interval 10s

Exit codes: 0 no violation, 1 violation, 2 invalid input, 3 undecided, 70 unexpected error, 130 interrupted`;

const addFlags = (command: Command) =>
  command
    .addArgument(
      new Argument('[file]', 'file with one event per line, or - for standard input').default('-', '-'),
    )
    .optionsGroup('Input:')
    .option(...SPEC)
    .option(...RENAME)
    .option(...EVENT_MAP)
    .option(...INDEPENDENT)
    .option(...EXTRA_FIELDS)
    .option('--follow', 'wait for the file and for more events at its end, also after log rotation')
    .option(...ALLOW_EMPTY)
    .optionsGroup('Object:')
    .option(...INITIAL)
    .option(...EMPTY)
    .option(...PERMITS)
    .optionsGroup('Limits:')
    .option(...MAX_MEMORY)
    .optionsGroup('Output:')
    .addOption(
      new Option('--interval <time>', 'report the status at this interval: 500ms, 10s, 1m')
        .argParser<number>(parseTime)
        .default(1_000, '1s'),
    )
    .option(...HTML)
    .option('--json', 'print one JSON document per line: status reports, then the verdict')
    .option(...QUIET)
    .option(...ASCII);

type Flags = ReturnType<ReturnType<typeof addFlags>['opts']>;

export function define(command: Command, terminal: Terminal): void {
  addFlags(command)
    .addHelpText('after', DETAILS)
    .action(async (file, flags) => {
      terminal.exitCode = await interruptible((stop) => monitor(file, flags, stop, terminal));
    });
}

async function monitor(
  file: string,
  flags: Flags,
  stop: MonitorJob['stop'],
  terminal: Terminal,
): Promise<number> {
  if (flags.follow && file === '-')
    throw new UsageError('--follow needs a file; standard input is always followed');
  if (flags.recordMap === 'etcd')
    throw new UsageError('--record-map etcd gives operations; monitor needs events. Use check');
  checkHtml(flags.html, [file]);
  const job: MonitorJob = {
    ...toReadJob(file, flags, stop),
    kind: 'monitor',
    spec: requireSpec(flags),
    options: toObjectOptions(flags),
    follow: flags.follow ?? false,
    allowEmpty: flags.allowEmpty ?? false,
    json: flags.json ?? false,
    every: flags.interval,
    style: terminalStyle(terminal, flags.ascii),
    html: flags.html,
  };
  const progress = new ProgressLine(terminal, flags.quiet);
  const result = toCommandResult(
    job,
    await runJob(
      job,
      (line) => progress.show(line),
      (piece) => terminal.stdout.write(piece),
    ),
  );
  progress.clear();
  const { code, document, text, stack } = result;
  if (stack !== undefined && terminal.isDebug) terminal.stderr.write(`${stack}\n`);
  if (flags.json) terminal.stdout.write(`${printableJson(JSON.stringify(document))}\n`);
  else if (code === EXIT.badInput || code === EXIT.internal) terminal.stderr.write(`${text}\n`);
  else if (!flags.quiet) terminal.stdout.write(`${text}\n`);
  return reportFiles(result, flags.html, !flags.json && !flags.quiet, terminal);
}
