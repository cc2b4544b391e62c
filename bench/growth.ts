/**
 * Measures how time and memory grow with the length of a history.
 *
 * cas-register (5 values), map (100 and 1,000 keys, 5 values), queue and stack (distinct values), 8 processes, 10^3 to
 * 10^6 operations, linearizable and with one incorrect result near the end. Each case runs in a process of its own, best
 * of 5, CPU time: reading the file, checking it with a verified linearization, and `JSON.parse` of every line. The
 * last checks are repeated: the time per operation of compiled code, to compare with checkers that are compiled before
 * they run. Exponents are fitted from 10^4 operations. An argument selects one object.
 */
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { check } from 'straightedge';
import { readHistory } from 'straightedge/formats';
import { cpuTime, exponent, inOwnProcess, ownJob, peakMegabytes } from './measure.js';
import {
  type BenchSubject,
  casMapSubject,
  casRegisterSubject,
  fresh,
  queueSubject,
  stackSubject,
} from './subjects.js';
import { simulate } from './workload.js';

const SUBJECTS = {
  'cas-register': () => casRegisterSubject(5),
  'map-100': () => casMapSubject(100, 5),
  'map-1000': () => casMapSubject(1_000, 5),
  queue: () => fresh(queueSubject(1, 50), 'enqueue', 'dequeue', 50),
  stack: () => fresh(stackSubject(1, 50), 'push', 'pop', 50),
} satisfies Record<string, () => BenchSubject>;

type ObjectName = keyof typeof SUBJECTS;

interface Job {
  readonly object: ObjectName;
  readonly file: string;
}

interface Measured {
  readonly verdict: string;
  readonly parse: number;
  readonly read: number;
  readonly check: number;
  /** The fastest of several more checks. */
  readonly again: number;
  readonly megabytes: number;
}

/** How often a history of up to 10^5 operations is checked again. */
const REPEATED = 4;
const MOST_REPEATED = 100_000;
const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const RUNS = 5;

if (process.argv[2]?.startsWith('{')) console.log(JSON.stringify(await measure(ownJob<Job>())));
else await compare(process.argv[2]);

async function compare(only: string | undefined): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-bench-'));
  try {
    console.log(
      'object        verdict       operations  parse ms  read ms  check ms  check µs/operation  compiled  check/parse  (read+check)/parse  MB',
    );
    for (const object of Object.keys(SUBJECTS) as ObjectName[])
      for (const violating of [false, true]) {
        if (only !== undefined && object !== only) continue;
        const rows: { size: number; best: Measured }[] = [];
        for (const size of SIZES) {
          const file = join(folder, `${object}-${violating}-${size}.jsonl`);
          await pipeline(Readable.from(lines(object, size, violating)), createWriteStream(file));
          const best = bestOf(Array.from({ length: RUNS }, () => measureApart({ object, file })));
          rows.push({ size, best });
          print(object, size, best);
          rmSync(file);
        }
        const tail = rows.slice(1);
        const grows = (of: (best: Measured) => number) =>
          exponent(tail.map(({ size, best }) => [size, of(best)])).toFixed(2);
        console.log(
          `  exponent over n: check ${grows(({ check }) => check)}, read ${grows(({ read }) => read)}, ` +
            `memory ${grows(({ megabytes }) => megabytes - rows[0].best.megabytes)}`,
        );
      }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function print(
  object: string,
  size: number,
  { verdict, parse, read, check: checked, again, megabytes }: Measured,
): void {
  console.log(
    object.padEnd(14) +
      verdict.padEnd(14) +
      String(size).padStart(10) +
      parse.toFixed(0).padStart(10) +
      read.toFixed(0).padStart(9) +
      checked.toFixed(0).padStart(10) +
      ((1_000 * checked) / size).toFixed(2).padStart(20) +
      ((1_000 * again) / size).toFixed(2).padStart(10) +
      (checked / parse).toFixed(2).padStart(13) +
      ((read + checked) / parse).toFixed(2).padStart(20) +
      megabytes.toFixed(0).padStart(5),
  );
}

/** A simulated history in our format. */
function* lines(object: ObjectName, operations: number, violating: boolean): Generator<string> {
  for (const operation of simulate(SUBJECTS[object](), { operations, processes: 8, seed: 1, violating }))
    yield `${JSON.stringify({ ...operation, result: operation.result ?? null })}\n`;
}

function measureApart(job: Job): Measured {
  const measured = inOwnProcess<Job, Measured>(new URL(import.meta.url), job);
  if (!measured) throw new Error(`the check of ${job.object} ran out of memory`);
  return measured;
}

async function measure({ object, file }: Job): Promise<Measured> {
  const start = cpuTime();
  const history = await readHistory(file);
  const read = cpuTime();
  const verdict = check(history, SUBJECTS[object]().spec);
  const checked = cpuTime();
  const megabytes = peakMegabytes();
  let again = checked - read;
  for (let i = 0; i < REPEATED && history.length <= MOST_REPEATED; i++) {
    const begin = cpuTime();
    check(history, SUBJECTS[object]().spec);
    again = Math.min(again, cpuTime() - begin);
  }
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const split = cpuTime();
  for (const line of lines) JSON.parse(line);
  return {
    verdict: verdict.kind,
    parse: cpuTime() - split,
    read: read - start,
    check: checked - read,
    again,
    megabytes,
  };
}

/** The smallest of each measurement, because noise only adds. */
function bestOf(runs: readonly Measured[]): Measured {
  const least = (of: (run: Measured) => number) => Math.min(...runs.map(of));
  return {
    verdict: runs[0].verdict,
    parse: least(({ parse }) => parse),
    read: least(({ read }) => read),
    check: least(({ check: own }) => own),
    again: least(({ again }) => again),
    megabytes: least(({ megabytes }) => megabytes),
  };
}
