/**
 * Measures how fast monitors decide.
 *
 * Queue, stack, priority queue (distinct values, half of the calls insert; "growing": nine of ten) and set (10,000 keys),
 * 8 processes, 10^4 to 10^6 operations, linearizable and with exchanged results in the middle. Best of 5, CPU time:
 *
 *   check      from the columns to the verdict, with a verified linearization
 *   file       the command, from a file of JSON lines to the verdict, including its start; expected at most 0.9 times
 *              `JSON.parse` for 10^6 operations of a queue, and 1.3 times for a stack
 *   witness    the same, with the linearization printed as JSON
 *   parse      `JSON.parse` of every line
 *   search     the same check by the fitting search, for at most 10 seconds
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from 'straightedge';
import { readHistory } from 'straightedge/formats';
import { cpuTime, exponent, inOwnProcess, MAIN, ownJob } from './measure.js';
import {
  type BenchSubject,
  fresh,
  priorityQueueSubject,
  queueSubject,
  setSubject,
  stackSubject,
} from './subjects.js';
import { type Simulated, simulate } from './workload.js';

const SUBJECTS: Readonly<Record<string, () => BenchSubject>> = {
  queue: () => fresh(queueSubject(1, 50), 'enqueue', 'dequeue', 50),
  'growing queue': () => fresh(queueSubject(1, 90), 'enqueue', 'dequeue', 90),
  set: () => setSubject(10_000),
  stack: () => fresh(stackSubject(1, 50), 'push', 'pop', 50),
  'priority-queue': () => priorityQueueSubject(50),
};
const SIZES = [10_000, 100_000, 1_000_000];
const RUNS = process.argv.includes('--quick') ? 1 : 5;

const SEARCHING = 10_000;

interface Job {
  readonly object: string;
  readonly file: string;
  readonly algorithm: 'monitor' | 'search';
}
interface Measured {
  readonly verdict: string;
  readonly check: number;
  readonly parse: number;
}

if (process.argv[2]?.startsWith('{')) console.log(JSON.stringify(await measure(ownJob<Job>())));
else compare();

function compare(): void {
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-bench-'));
  try {
    console.log(
      'object          verdict       operations  check ms  parse ms  check/parse  file/parse  witness/parse  search/check',
    );
    for (const object of Object.keys(SUBJECTS))
      for (const violating of [false, true]) {
        const rows = SIZES.map((size) => row(join(folder, 'history.jsonl'), object, size, violating));
        console.log(`  exponent over n: check ${exponent(rows).toFixed(2)}`);
      }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function row(file: string, object: string, operations: number, violating: boolean): [number, number] {
  const simulated = [...simulate(SUBJECTS[object](), { operations, processes: 8, seed: 1 })];
  const history = violating ? exchanged(simulated) : simulated;
  writeFileSync(
    file,
    history
      .map((operation) => `${JSON.stringify({ ...operation, result: operation.result ?? null })}\n`)
      .join(''),
  );
  const runs = Array.from({ length: RUNS }, () => apart({ object, file, algorithm: 'monitor' }));
  const best = (of: (run: Measured) => number) =>
    Math.min(...runs.map((run) => (run ? of(run) : Number.NaN)));
  const [checked, parse] = [best((run) => run.check), best((run) => run.parse)];
  const command = (...flags: string[]) =>
    Math.min(
      ...Array.from({ length: RUNS }, () =>
        commandTime([file, '--spec', SUBJECTS[object]().spec.name, ...flags]),
      ),
    );
  const searched = apart({ object, file, algorithm: 'search' });
  const search =
    !searched || searched.verdict === 'undecided' ? 'undecided' : `${(searched.check / checked).toFixed(1)}`;
  console.log(
    object.padEnd(16) +
      runs[0].verdict.padEnd(14) +
      String(operations).padStart(10) +
      checked.toFixed(0).padStart(10) +
      parse.toFixed(0).padStart(10) +
      (checked / parse).toFixed(2).padStart(13) +
      (command() / parse).toFixed(2).padStart(12) +
      (command('--witness', '--json') / parse).toFixed(2).padStart(15) +
      search.padStart(14),
  );
  return [operations, checked];
}

function apart(job: Job): Measured {
  const measured = inOwnProcess<Job, Measured>(new URL(import.meta.url), job);
  return measured ?? { verdict: 'undecided', check: Number.NaN, parse: Number.NaN };
}

/** Writes the processor time of a process, with all its threads, when it ends. */
const REPORT_TIME = `data:text/javascript,
  import { writeSync } from 'node:fs';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    writeSync(3, String((user + system) / 1000));
  });`;

/** Milliseconds of processor time of the command. */
function commandTime(args: readonly string[]): number {
  const { output } = spawnSync(process.execPath, ['--import', REPORT_TIME, MAIN, 'check', ...args], {
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  return Number(output[3]);
}

async function measure({ object, file, algorithm }: Job): Promise<Measured> {
  const history = await readHistory(file);
  const begin = cpuTime();
  const limits = algorithm === 'search' ? { milliseconds: SEARCHING, bytes: 2 ** 31 } : {};
  const { kind } = check(history, SUBJECTS[object]().spec, { algorithm, ...limits });
  const checked = cpuTime();
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const split = cpuTime();
  for (const line of lines) JSON.parse(line);
  return { verdict: kind, check: checked - begin, parse: cpuTime() - split };
}

/** Answers in the middle, exchanged between calls of one method that are 100 calls apart: 20 pairs of them. */
function exchanged(history: readonly Simulated[]): Simulated[] {
  const changed = [...history];
  const answering = [...history.keys()].filter(
    (k) => history[k].result !== undefined && history[k].result !== null,
  );
  const middle = answering.length >> 1;
  for (let i = 0; i < 20; i++) {
    const [one, other] = [answering[middle + i], answering[middle + 100 + i]];
    [changed[one], changed[other]] = [
      { ...history[one], result: history[other].result },
      { ...history[other], result: history[one].result },
    ];
  }
  return changed;
}
