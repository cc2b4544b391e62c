/** `straightedge check`: recorded histories against a spec. */
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { ALGORITHMS, type Exhausted } from '../../check/index.js';
import { objects } from '../../objects/index.js';
import type { JsonDocument } from '../../report/index.js';
import { EXIT, worst } from '../exit-code.js';
import { filesOf } from '../files.js';
import { interruptible } from '../interrupt.js';
import type { Answer, CheckJob, FoundMessage } from '../job.js';
import { jsonPieces } from '../json-pieces.js';
import { parseCount, parseJobs, parseJson, parseTime } from '../parse-flags.js';
import { ProgressLine } from '../progress.js';
import { addReadFlags, type ReadFlags, readJobOf } from '../read-flags.js';
import { complaint, RAN_OUT, runWorker } from '../run-worker.js';

interface Flags extends ReadFlags {
  readonly spec: string;
  readonly json?: boolean;
  readonly witness?: boolean;
  readonly quiet?: boolean;
  readonly ascii?: boolean;
  readonly stuck?: boolean;
  readonly initial?: unknown;
  readonly empty?: unknown;
  readonly permits?: number;
  readonly algorithm?: string;
  readonly jobs?: number;
  readonly timeout?: number;
  readonly maxSteps?: number;
}

/** What one file ends in. */
interface Ending {
  readonly code: number;
  readonly document: JsonDocument;
  /** For people; an error where `code` is 2. */
  readonly text: string;
}

const EXAMPLES = `
Examples:
  straightedge check orders.jsonl --spec queue
  straightedge check runs/ --spec cas-register --initial 0 --json
  straightedge check - --spec ./bank.spec.ts < history.jsonl
  straightedge check shop.jsonl --spec orders=queue,stock=map
  straightedge check store/latest/history.edn --spec cas-register --independent
  straightedge check operations.json --spec map --map ./etcd.map.ts --clock-error 5000000

Ready-made objects: ${Object.keys(objects).join(', ')}.

Exit code: 0 linearizable, 1 violation, 2 bad input, 3 undecided, 130 interrupted.`;

export function checkCommand(): Command {
  const command = new Command('check')
    .description('is there an order that explains what happened?')
    .argument('<files...>', 'histories: files, folders, or - for standard input; .gz is unpacked')
    .requiredOption('--spec <spec>', 'a ready-made object, the path of your own spec, or object=spec,…')
    .option('--json', 'one JSON document a line instead of text')
    .option('--witness', 'tell the order that was found')
    .option('--initial <json>', 'what the object starts as', parseJson)
    .option('--empty <json>', 'what an empty container answers', parseJson)
    .option('--permits <n>', 'how many permits a semaphore has', parseCount)
    .option('--algorithm <name>', `${ALGORITHMS.join(', ')}, or several joined by +`, 'auto')
    .option(
      '--jobs <n>',
      "threads that search where it takes long; the machine's cores if not given",
      parseJobs,
    )
    .option('--stuck', 'nothing will ever return again: pending calls must be entitled to wait')
    .option('--timeout <time>', 'for each file: 500ms, 60s, 5m', parseTime)
    .option('--max-steps <n>', 'steps to try, for each file', parseCount)
    .option('--quiet', 'print errors only')
    .option('--ascii', 'draw without box-drawing characters');
  return addReadFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], flags: Flags) => {
      process.exitCode = await interruptible((stop) => check(paths, flags, stop));
    });
}

async function check(
  paths: readonly string[],
  flags: Flags,
  stop: Int32Array<SharedArrayBuffer>,
): Promise<number> {
  const progress = new ProgressLine(process.stderr, flags.quiet ?? false);
  const codes: number[] = [];
  const files = filesOf(paths);
  for (const file of files) {
    const job = jobOf(file, flags, stop);
    const ending = endingOf(job, await runWorker(job, (text) => progress.show(text)));
    progress.clear();
    print(ending, flags, files.length > 1);
    codes.push(ending.code);
    if (Atomics.load(stop, 0) !== 0) return EXIT.interrupted;
  }
  if (files.length > 1 && !flags.json && !flags.quiet) process.stdout.write(`${summary(codes)}\n`);
  return worst(codes);
}

function endingOf({ file, spec }: CheckJob, answer: Answer<CheckJob>): Ending {
  switch (answer.kind) {
    case 'checked': {
      const undecided = answer.because === 'interrupted' ? EXIT.interrupted : EXIT.undecided;
      const code = { linearizable: EXIT.holds, violation: EXIT.violation, undecided }[answer.verdict];
      return { code, document: answer.document ?? {}, text: answer.text ?? '' };
    }
    case 'refused': {
      const { line, column, message } = answer;
      const error = { ...(line !== undefined && { line, column }), message };
      return { code: EXIT.badInput, document: { file, error }, text: complaint(file, answer) };
    }
    case 'cut short': {
      const { because, found } = answer;
      if (found) return unexplained(file, spec, found, because);
      return {
        code: because === 'interrupted' ? EXIT.interrupted : EXIT.undecided,
        document: { file, verdict: 'undecided', spec, because },
        text: `? undecided  ${file}: ${RAN_OUT[because]} while reading, or inside a method of the spec or map; no more is known`,
      };
    }
  }
}

/** A violation whose explanation did not come. */
function unexplained(
  file: string,
  spec: string,
  { part, operation, property, call }: FoundMessage,
  because: Exhausted,
): Ending {
  const where = part === '' ? '' : ` (part ${part})`;
  return {
    code: EXIT.violation,
    document: {
      file,
      verdict: 'violation',
      spec,
      counterexample: {
        minimal: false,
        property,
        cause: { kind: property === 'safety' ? 'stuck' : 'waits', operation },
      },
    },
    text: `✗ not linearizable  ${file}${where}: no order explains ${call}, operation ${operation}; ${RAN_OUT[because]} before it was explained`,
  };
}

/** `among`: one of several, so a report of several lines needs room around it. */
function print({ code, document, text }: Ending, { json, quiet }: Flags, among: boolean): void {
  const room = among && text.includes('\n') ? '\n' : '';
  if (json) for (const piece of jsonPieces(document)) process.stdout.write(piece);
  else if (code === EXIT.badInput) process.stderr.write(`${text}\n`);
  else if (!quiet) process.stdout.write(`${text}\n${room}`);
}

/** `7 files: 5 linearizable, 1 violation, 1 bad input`. */
function summary(codes: readonly number[]): string {
  const words: readonly (readonly [number, string])[] = [
    [EXIT.holds, 'linearizable'],
    [EXIT.violation, 'not linearizable'],
    [EXIT.undecided, 'undecided'],
    [EXIT.badInput, 'bad input'],
  ];
  const counts = words.map(([code, word]) => [codes.filter((own) => own === code).length, word] as const);
  const told = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `${codes.length} files: ${told.join(', ')}`;
}

function jobOf(file: string, flags: Flags, stop: Int32Array<SharedArrayBuffer>): CheckJob {
  const job = readJobOf(file, flags, stop);
  const options = Object.fromEntries(
    (['initial', 'empty', 'permits'] as const)
      .filter((name) => flags[name] !== undefined)
      .map((name) => [name, flags[name]]),
  );
  return {
    ...job,
    kind: 'check',
    spec: flags.spec,
    options,
    stuck: flags.stuck ?? false,
    witness: flags.witness ?? false,
    json: flags.json ?? false,
    algorithm: flags.algorithm ?? 'auto',
    jobs: flags.jobs ?? availableParallelism(),
    limits: { ...job.limits, steps: flags.maxSteps, milliseconds: flags.timeout },
    style: {
      colour: (process.stdout.isTTY && !process.env.NO_COLOR) || process.env.FORCE_COLOR === '1',
      ascii: flags.ascii ?? false,
      width: process.stdout.columns ?? (Number(process.env.COLUMNS) || 100),
    },
  };
}
