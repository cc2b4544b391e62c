/** `straightedge check`: recorded histories against a spec. */
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { ALGORITHMS, parseAlgorithm } from '../../check/algorithms.js';
import { AlgorithmError } from '../../check/search/choose-search.js';
import { parseTime, UsageError } from '../../config/usage-error.js';
import { parseCount, parsePositive } from '../../jobs/load/parse-flags.js';
import { type CommandResult, EXIT, worstExitCode } from '../../jobs/model/command-result.js';
import type { CheckJob } from '../../jobs/model/job.js';
import { checkHere } from '../../jobs/pool/check-here.js';
import { checkByFleet } from '../../jobs/redis/check-by-fleet.js';
import { objects, syncObjects } from '../../objects/registry.js';
import { checkReport, filesOf, tellReport } from '../flags/files.js';
import {
  addFleetFlags,
  addObjectFlags,
  addReadFlags,
  fleetFlags,
  neededSpec,
  type ObjectFlags,
  objectOptions,
  type ReadFlags,
  readJobOf,
} from '../flags/read-flags.js';
import { addReporterFlag, type Reporter, Reporters } from '../flags/reporters.js';
import { interruptible, ProgressLine, terminalStyle } from '../terminal/progress.js';

interface Flags extends ReadFlags, ObjectFlags {
  readonly spec?: string;
  readonly json?: boolean;
  readonly witness?: boolean;
  readonly ascii?: boolean;
  readonly stuck?: boolean;
  readonly algorithm?: string;
  readonly jobs?: number;
  readonly timeout?: number;
  readonly maxSteps?: number;
  readonly report?: string;
  readonly engine?: string;
  readonly resume?: boolean;
  readonly reporter?: readonly Reporter[];
}

const EXAMPLES = `
Examples:
  straightedge check orders.jsonl --spec queue
  straightedge check runs/ --spec cas-register --initial 0 --json
  straightedge check - --spec ./bank.spec.ts < history.jsonl
  straightedge check shop.jsonl --spec orders=queue,stock=map
  straightedge check rounds.jsonl --spec barrier --parties 3 --stuck
  straightedge check store/latest/history.edn --spec cas-register --independent
  straightedge check operations.json --spec map --map ./etcd.map.ts --clock-error 5000000

Ready-made objects: ${Object.keys(objects).join(', ')};
whose calls meet: ${Object.keys(syncObjects).join(', ')}.

Exit code: 0 linearizable, 1 violation, 2 bad input, 3 undecided, 130 interrupted.`;

export function checkCommand(): Command {
  const command = new Command('check')
    .description('is there an order that explains what happened, or are there meetings?')
    .argument('<files...>', 'histories: files, folders, or - for standard input; .gz is unpacked')
    .option('--spec <spec>', 'a ready-made object, the path of your own spec, or object=spec,…')
    .option('--json', 'one JSON document a line instead of text: the same as --reporter json')
    .option('--witness', 'tell the order, or the meetings, that were found')
    .option('--algorithm <name>', `${ALGORITHMS.join(', ')}, or several joined by +`, knownAlgorithm, 'auto')
    .option(
      '--jobs <n>',
      "files at once, and threads that search where it takes long; the machine's cores if not given",
      parsePositive,
    )
    .option('--stuck', 'nothing will ever return again: pending calls must be entitled to wait')
    .option('--timeout <time>', 'how long each file may take: 500ms, 60s, 5m', parseTime)
    .option('--max-steps <n>', 'steps to try, for each file', parseCount)
    .option('--report <file>', 'also write a page to look at, for one history: out.html')
    .option('--quiet', 'print errors only')
    .option('--ascii', 'draw without box-drawing characters');
  return addReadFlags(addObjectFlags(addReporterFlag(addFleetFlags(command, 'check'))))
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], flags: Flags) => {
      process.exitCode = await interruptible((stop) => check(paths, flags, stop));
    });
}

function knownAlgorithm(name: string): string {
  try {
    parseAlgorithm(name);
    return name;
  } catch (error) {
    throw error instanceof AlgorithmError ? new UsageError(error.message) : error;
  }
}

async function check(
  paths: readonly string[],
  flags: Flags,
  stop: Int32Array<SharedArrayBuffer>,
): Promise<number> {
  const reporters = new Reporters(flags.reporter ?? [], flags);
  const progress = new ProgressLine(process.stderr, flags.quiet ?? false);
  const codes: number[] = [];
  const files = filesOf(paths);
  if (flags.report !== undefined) checkReport(flags.report, files);
  const jobs = files.map((file) => jobOf(file, flags, reporters, stop));
  for await (const ending of endingsOf(jobs, flags, stop, progress)) {
    progress.clear();
    reporters.take(ending, files.length > 1);
    tellReport(ending, flags.report, reporters.speaks);
    codes.push(ending.code);
    if (Atomics.load(stop, 0) !== 0) break;
  }
  reporters.finish();
  if (Atomics.load(stop, 0) !== 0 || codes.length < files.length) return EXIT.interrupted;
  if (files.length > 1 && reporters.speaks) process.stdout.write(`${summary(codes)}\n`);
  return worstExitCode(codes);
}

/** Of each file in its turn, checked here or by a fleet. */
async function* endingsOf(
  jobs: readonly CheckJob[],
  flags: Flags,
  stop: Int32Array<SharedArrayBuffer>,
  progress: ProgressLine,
): AsyncGenerator<CommandResult> {
  const fleet = fleetFlags(flags);
  if (fleet === undefined)
    yield* checkHere(jobs, flags.jobs ?? availableParallelism(), stop, (text) => progress.show(text));
  else {
    if (flags.report !== undefined) throw new UsageError('--report is written here; leave out --engine');
    const tell = (text: string) => process.stderr.write(`${text}\n`);
    yield* await checkByFleet(jobs, fleet, () => Atomics.load(stop, 0) !== 0, tell);
  }
}

/** `7 files: 5 explained, 1 not explained, 1 bad input`. */
function summary(codes: readonly number[]): string {
  const words: readonly (readonly [number, string])[] = [
    [EXIT.holds, 'explained'],
    [EXIT.violation, 'not explained'],
    [EXIT.undecided, 'undecided'],
    [EXIT.badInput, 'bad input'],
  ];
  const counts = words.map(([code, word]) => [codes.filter((own) => own === code).length, word] as const);
  const told = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `${codes.length} files: ${told.join(', ')}`;
}

function jobOf(
  file: string,
  flags: Flags,
  reporters: Reporters,
  stop: Int32Array<SharedArrayBuffer>,
): CheckJob {
  const job = readJobOf(file, flags, stop);
  return {
    ...job,
    kind: 'check',
    spec: neededSpec(flags),
    options: objectOptions(flags),
    stuck: flags.stuck ?? false,
    witness: flags.witness ?? false,
    wants: {
      document: reporters.wants('document'),
      text: reporters.wants('text'),
      finding: reporters.wants('finding'),
    },
    algorithm: flags.algorithm ?? 'auto',
    jobs: flags.jobs ?? availableParallelism(),
    limits: { ...job.limits, maxSteps: flags.maxSteps, timeout: flags.timeout },
    style: terminalStyle(flags.ascii ?? false),
    html: flags.report,
  };
}
