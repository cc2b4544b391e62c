/** `straightedge check`: recorded histories against a spec. */
import { availableParallelism, totalmem } from 'node:os';
import { Command } from 'commander';
import { ALGORITHMS } from '../../check/index.js';
import { objects } from '../../objects/index.js';
import { EXIT, worst } from '../exit-code.js';
import { filesOf } from '../files.js';
import type { Job } from '../job.js';
import { parseCount, parseJson, parsePairs, parseSize, parseTime } from '../parse-flags.js';
import { ProgressLine } from '../progress.js';
import { type Ending, runJob } from '../run-job.js';

interface Flags {
  readonly spec: string;
  readonly json?: boolean;
  readonly witness?: boolean;
  readonly quiet?: boolean;
  readonly ascii?: boolean;
  readonly stuck?: boolean;
  readonly independent?: boolean;
  readonly rename?: [string, string][];
  readonly initial?: unknown;
  readonly empty?: unknown;
  readonly permits?: number;
  readonly algorithm?: string;
  readonly jobs?: number;
  readonly timeout?: number;
  readonly maxSteps?: number;
  readonly maxMemory?: number;
}

const EXAMPLES = `
Examples:
  straightedge check orders.jsonl --spec queue
  straightedge check runs/ --spec cas-register --initial 0 --json
  straightedge check - --spec ./bank.spec.ts < history.jsonl
  straightedge check shop.jsonl --spec orders=queue,stock=map
  straightedge check store/latest/history.edn --spec cas-register --independent

Ready-made objects: ${Object.keys(objects).join(', ')}.

Exit code: 0 linearizable, 1 violation, 2 bad input, 3 undecided, 130 interrupted.`;

export function checkCommand(): Command {
  return new Command('check')
    .description('is there an order that explains what happened?')
    .argument('<files...>', 'histories: files, folders, or - for standard input; .gz is unpacked')
    .requiredOption('--spec <spec>', 'a ready-made object, the path of your own spec, or object=spec,…')
    .option('--json', 'one JSON document a line instead of text')
    .option('--witness', 'tell the order that was found')
    .option(
      '--rename <pairs>',
      "the spec's names of methods and the history's: enqueue=add,dequeue=poll",
      parsePairs,
    )
    .option('--initial <json>', 'what the object starts as', parseJson)
    .option('--empty <json>', 'what an empty container answers', parseJson)
    .option('--permits <n>', 'how many permits a semaphore has', parseCount)
    .option('--algorithm <name>', `${ALGORITHMS.join(', ')}, or several joined by +`, 'auto')
    .option(
      '--jobs <n>',
      "threads that search where it takes long; the machine's cores if not given",
      parseCount,
    )
    .option('--independent', 'each value of a Jepsen history is [key value], and each key an object')
    .option('--stuck', 'nothing will ever return again: pending calls must be entitled to wait')
    .option('--timeout <time>', 'for each file: 500ms, 60s, 5m', parseTime)
    .option('--max-steps <n>', 'steps to try, for each file', parseCount)
    .option('--max-memory <size>', "for example 4gb; half of the machine's if not given", parseSize)
    .option('--quiet', 'print errors only')
    .option('--ascii', 'draw without box-drawing characters')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], flags: Flags) => {
      process.exitCode = await check(paths, flags);
    });
}

async function check(paths: readonly string[], flags: Flags): Promise<number> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const interrupt = () => Atomics.store(stop, 0, 1);
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const progress = new ProgressLine(process.stderr, flags.quiet ?? false);
  const codes: number[] = [];
  const files = filesOf(paths);
  try {
    for (const file of files) {
      const ending = await runJob(jobOf(file, flags, stop), (text) => progress.show(text));
      progress.clear();
      print(ending, flags, files.length > 1);
      codes.push(ending.code);
      if (Atomics.load(stop, 0) !== 0) return EXIT.interrupted;
    }
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
  if (files.length > 1 && !flags.json && !flags.quiet) process.stdout.write(`${summary(codes)}\n`);
  return worst(codes);
}

/** `among`: one of several, so a report of several lines needs room around it. */
function print({ code, document, text }: Ending, { json, quiet }: Flags, among: boolean): void {
  const room = among && text.includes('\n') ? '\n' : '';
  if (json) process.stdout.write(`${JSON.stringify(document, bigintsAsText)}\n`);
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

const bigintsAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

function jobOf(file: string, flags: Flags, stop: Int32Array<SharedArrayBuffer>): Job {
  const options = Object.fromEntries(
    (['initial', 'empty', 'permits'] as const)
      .filter((name) => flags[name] !== undefined)
      .map((name) => [name, flags[name]]),
  );
  return {
    file,
    spec: flags.spec,
    options,
    rename: (flags.rename ?? []).map(([method, name]) => [name, method]),
    stuck: flags.stuck ?? false,
    independent: flags.independent ?? false,
    witness: flags.witness ?? false,
    algorithm: flags.algorithm ?? 'auto',
    jobs: flags.jobs ?? availableParallelism(),
    limits: { steps: flags.maxSteps, milliseconds: flags.timeout, bytes: flags.maxMemory ?? totalmem() / 2 },
    style: {
      colour: (process.stdout.isTTY && !process.env.NO_COLOR) || process.env.FORCE_COLOR === '1',
      ascii: flags.ascii ?? false,
      width: process.stdout.columns ?? (Number(process.env.COLUMNS) || 100),
    },
    stop,
  };
}
