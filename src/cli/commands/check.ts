/** `straightedge check`: recorded histories against a spec. */
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Command } from '@commander-js/extra-typings';
import { systemFault } from '../../base/system-files.js';
import {
  EXIT,
  expectFile,
  expectWholeFile,
  parseCount,
  parsePositive,
  parseTime,
  UsageError,
} from '../../config/usage-error.js';
import { type CommandResult, worstExitCode } from '../../jobs/model/command-result.js';
import type { CheckJob } from '../../jobs/model/job.js';
import { OBJECT_NAMES, RENDEZVOUS_NAMES } from '../../objects/names.js';
import { checkHtml, findHistories, reportFiles } from '../common/files.js';
import {
  ALLOW_EMPTY,
  ASCII,
  CLOCK_ERROR,
  EMPTY,
  EXTRA_FIELDS,
  HTML,
  INDEPENDENT,
  INITIAL,
  JSON_OUTPUT,
  listNames,
  MAX_MEMORY,
  PARTIAL,
  PARTIES,
  PERMITS,
  QUIET,
  RECORD_MAP,
  REDIS,
  RENAME,
  RESUME,
  requireSpec,
  SPEC,
  toObjectOptions,
  toReadJob,
  toRedisOptions,
} from '../common/flags.js';
import { REPORTER, Reporters } from '../common/reporters.js';
import { interruptible, ProgressLine, type Terminal, terminalStyle } from '../common/terminal.js';

const DETAILS = `
Objects:${listNames(OBJECT_NAMES)}
Objects whose calls synchronise:${listNames(RENDEZVOUS_NAMES)}

Examples:
  npx straightedge check orders.jsonl --spec queue
  npx straightedge check runs/ --spec cas-register --initial 0 --json
  npx straightedge check - --spec ./bank.spec.ts < history.jsonl
  npx straightedge check store.jsonl --spec map --consistency
  npx straightedge check shop.jsonl --spec orders=queue,stock=map
  npx straightedge check rounds.jsonl --spec barrier --parties 3 --stuck
  npx straightedge check store/latest/history.edn --spec cas-register --independent
  npx straightedge check eu.jsonl us.jsonl --together --spec map --clock-error 5
  npx straightedge check operations.json --spec map --record-map ./etcd.map.ts --clock-error 5000000

Exit codes: 0 linearizable, 1 violation, 2 invalid input, 3 undecided, 70 unexpected error, 130 interrupted`;

const addFlags = (command: Command) =>
  command
    .argument('<files...>', 'history files or folders, or - for standard input; .gz is supported')
    .optionsGroup('Input:')
    .option(...SPEC)
    .option(
      '--together',
      'read all files as one history; each has its own processes and clock, and the clocks agree within --clock-error',
    )
    .option(...RENAME)
    .option(...RECORD_MAP)
    .option(...INDEPENDENT)
    .option(...CLOCK_ERROR)
    .option(...EXTRA_FIELDS)
    .option(...PARTIAL)
    .option('--stuck', 'expect no more returns: every pending call must be allowed to block')
    .option(...ALLOW_EMPTY)
    .optionsGroup('Object:')
    .option(...INITIAL)
    .option(...EMPTY)
    .option(...PERMITS)
    .option(...PARTIES)
    .optionsGroup('Limits:')
    .option('--timeout <time>', 'stop after this time per file: 500ms, 60s, 5m (default: none)', parseTime)
    .option('--max-steps <n>', 'stop after n steps per file (default: none)', parseCount)
    .option(...MAX_MEMORY)
    .option(
      '--algorithm <name>',
      'use this algorithm: monitor, search, jit-graph or another; an unknown name lists all (default: auto)',
    )
    .option(
      '--jobs <n>',
      'use n worker threads, also for one hard file (default: number of cores for several files, otherwise 1)',
      parsePositive,
    )
    .optionsGroup('Output:')
    .option('--witness', 'print the linearization that was found')
    .option(
      '--consistency',
      'measure how far the history is from linearizable: staleness, session guarantees, sequential consistency, lost values',
    )
    .option(
      '--all',
      'measure as --consistency does, and count every contradiction by part, over time and by fault',
    )
    .option(
      '--faults <file>',
      'read faults from a file of annotations: {"annotation":"pause n1","at":5,"until":9}',
    )
    .option(...HTML)
    .option(...JSON_OUTPUT)
    .option(...REPORTER)
    .option(...QUIET)
    .option(...ASCII)
    .optionsGroup('Distribution:')
    .option(...REDIS)
    .option(...RESUME);

type Flags = ReturnType<ReturnType<typeof addFlags>['opts']>;

export function define(command: Command, terminal: Terminal): void {
  addFlags(command)
    .addHelpText('after', DETAILS)
    .action(async (paths, flags) => {
      await expectAlgorithm(flags.algorithm);
      terminal.exitCode = await interruptible((stop) => check(paths, flags, stop, terminal));
    });
}

/** Loads the names of the algorithms only if one was given. */
async function expectAlgorithm(name: string | undefined): Promise<void> {
  if (name === undefined) return;
  const { parseAlgorithm } = await import('../../check/algorithms.js');
  const { AlgorithmError } = await import('../../check/search/choose-search.js');
  try {
    parseAlgorithm(name);
  } catch (error) {
    throw error instanceof AlgorithmError ? new UsageError(`--algorithm: ${error.message}`) : error;
  }
}

async function check(
  paths: readonly string[],
  flags: Flags,
  stop: CheckJob['stop'],
  terminal: Terminal,
): Promise<number> {
  const reporters = new Reporters(flags, terminal);
  const progress = new ProgressLine(terminal, flags.quiet);
  const codes: number[] = [];
  const files = await findHistories(paths, { timeout: flags.timeout, stop });
  if (!files) return EXIT.interrupted;
  checkHtml(flags.html, files, flags.together);
  const faults = flags.faults === undefined ? [] : await readFaults(flags.faults);
  const context = { faults, reporters, stop, terminal };
  const jobs = flags.together
    ? [joinedJob(files, flags, context)]
    : files.map((file) => toJob(file, flags, context));
  for await (const result of resultsOf(jobs, flags, stop, progress, terminal)) {
    progress.clear();
    reporters.add(result, jobs.length > 1);
    codes.push(reportFiles(result, flags.html, reporters.isText, terminal));
    if (Atomics.load(stop, 0) !== 0) break;
  }
  const code = reporters.finish(worstExitCode(codes));
  if (Atomics.load(stop, 0) !== 0 || codes.length < jobs.length) return EXIT.interrupted;
  if (jobs.length > 1 && reporters.isText) terminal.stdout.write(`${summary(codes)}\n`);
  return code;
}

/** Checks the files on this machine or on Redis workers; yields results in the order of the files. */
async function* resultsOf(
  jobs: readonly CheckJob[],
  flags: Flags,
  stop: CheckJob['stop'],
  progress: ProgressLine,
  { stderr }: Terminal,
): AsyncGenerator<CommandResult> {
  const redis = await toRedisOptions(flags);
  if (redis === undefined) {
    const { checkOnThreads } = await import('../../jobs/pool/check-files.js');
    yield* checkOnThreads(jobs, flags.jobs ?? availableParallelism(), stop, (text) => progress.show(text));
  } else {
    if (flags.together) throw new UsageError('--together needs a check on this machine; leave out --redis');
    if (flags.html !== undefined)
      throw new UsageError('--html needs a check on this machine; leave out --redis');
    for (const { file } of jobs) expectWholeFile(file);
    const { checkOnRedis } = await import('../../jobs/redis/packed-history.js');
    const onNews = (text: string) => stderr.write(`${text}\n`);
    yield* checkOnRedis(jobs, redis, { isOver: () => Atomics.load(stop, 0) !== 0, onNews });
  }
}

/** The annotations of a file of faults. */
async function readFaults(path: string): Promise<CheckJob['faults']> {
  const { readAnnotations } = await import('../../formats/event-reader.js');
  const { FormatError } = await import('../../formats/common/reader.js');
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--faults: cannot read ${path}: ${systemFault(error) ?? (error as Error).message}`);
  }
  try {
    return readAnnotations(text).map(({ text: own, at, until, isDated }) => ({
      text: own,
      isDated,
      at: String(at),
      until: until === undefined ? undefined : String(until),
    }));
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new UsageError(`${path}:${error.line}:${error.column}: --faults: ${error.detail}`);
  }
}

/** `7 files: 5 linearizable, 1 not linearizable, 1 invalid`. */
function summary(codes: readonly number[]): string {
  const words: readonly (readonly [number, string])[] = [
    [EXIT.holds, 'linearizable'],
    [EXIT.violation, 'not linearizable'],
    [EXIT.undecided, 'undecided'],
    [EXIT.badInput, 'invalid'],
    [EXIT.internal, 'failed'],
  ];
  const counts = words
    .map(([code, word]) => [codes.filter((own) => own === code).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`);
  return `${codes.length} files: ${counts.join(', ')}`;
}

interface JobContext extends Pick<CheckJob, 'faults' | 'stop'> {
  readonly reporters: Reporters;
  readonly terminal: Terminal;
}

/** All files as one history. */
function joinedJob(files: readonly string[], flags: Flags, context: JobContext): CheckJob {
  for (const file of files) expectFile(file);
  if (files.includes('-')) throw new UsageError('--together needs files; standard input cannot be joined');
  const others = files.length === 2 ? files[1] : `${files.length - 1} more files`;
  return {
    ...toJob(files[0], flags, context),
    file: files.length === 1 ? files[0] : `${files[0]} and ${others}`,
    together: files,
  };
}

function toJob(file: string, flags: Flags, { faults, reporters, stop, terminal }: JobContext): CheckJob {
  const job = toReadJob(file, flags, stop);
  return {
    ...job,
    kind: 'check',
    spec: requireSpec(flags),
    options: toObjectOptions(flags),
    stuck: flags.stuck ?? false,
    allowEmpty: flags.allowEmpty ?? false,
    witness: flags.witness ?? false,
    consistency: (flags.consistency ?? false) || (flags.all ?? false),
    all: flags.all ?? false,
    faults,
    wants: {
      document: reporters.needs('document'),
      text: reporters.needs('text'),
      finding: reporters.needs('finding'),
    },
    algorithm: flags.algorithm ?? 'auto',
    // helpers race each other, so without a request the result is that of one thread
    jobs: flags.jobs ?? 1,
    limits: { ...job.limits, maxSteps: flags.maxSteps, timeout: flags.timeout },
    style: terminalStyle(terminal, flags.ascii),
    html: flags.html,
  };
}
