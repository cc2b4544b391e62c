/**
 * Measures how fast a history is read.
 *
 * Queue and map histories of 10^5 and 10^6 operations, as operation lines and as event lines, each read in a process
 * of its own, best of five. The table has milliseconds of CPU time for reading, those of `JSON.parse` for every line
 * of the same file, and their ratio. Reading includes ranking of times, tables and columns. The last column compares
 * times in nanoseconds since 1970, as integers and in quotes, with small ones: expected at most 1.3.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHistory } from 'straightedge/formats';
import { cpuTime, inOwnProcess } from './measure.js';
import { type Notation, textOf } from './notations.js';
import { casMapSubject, queueSubject } from './subjects.js';

interface Job {
  readonly file: string;
  /** Whether to only parse the lines. */
  readonly parses: boolean;
}

const ROUNDS = 5;
const DISTINCT = 2 ** 30;
const SUBJECTS = { queue: queueSubject(DISTINCT, 50), map: casMapSubject(1_000, 5) };
const NOTATIONS: readonly (readonly [name: string, notation: Notation])[] = [
  ['operations', 'lines'],
  ['since 1970', 'lines-since-1970'],
  ['in quotes', 'lines-since-1970-text'],
  ['events', 'ids'],
];

if (process.argv[2]?.startsWith('{')) console.log(await measure(JSON.parse(process.argv[2]) as Job));
else await compare((process.argv[2] ?? '100000,1000000').split(',').map(Number));

async function measure({ file, parses }: Job): Promise<number> {
  const lines = parses ? readFileSync(file, 'latin1').split('\n').filter(Boolean) : [];
  const start = cpuTime();
  if (!parses) await readHistory(file);
  for (const line of lines) JSON.parse(line);
  return cpuTime() - start;
}

async function compare(sizes: readonly number[]): Promise<void> {
  console.log('object  operations  records        MB  parse ms  read ms  ratio  to small times');
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-bench-'));
  try {
    for (const operations of sizes)
      for (const [object, subject] of Object.entries(SUBJECTS)) {
        let small = Number.NaN;
        for (const [name, notation] of NOTATIONS) {
          const file = join(folder, 'lines');
          writeFileSync(file, [...textOf(notation, subject, operations, false)].join(''));
          let [parse, read] = [Infinity, Infinity];
          for (let round = 0; round < ROUNDS; round++) {
            parse = Math.min(parse, measured({ file, parses: true }));
            read = Math.min(read, measured({ file, parses: false }));
          }
          if (notation === 'lines') small = read;
          console.log(
            object.padEnd(8) +
              String(operations).padStart(10) +
              `  ${name.padEnd(12)}` +
              (statSync(file).size / 1e6).toFixed(1).padStart(5) +
              parse.toFixed(0).padStart(10) +
              read.toFixed(0).padStart(9) +
              (read / parse).toFixed(2).padStart(7) +
              (notation.startsWith('lines-') ? (read / small).toFixed(2).padStart(16) : ''),
          );
        }
      }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measured(job: Job): number {
  const ms = inOwnProcess<Job, number>(new URL(import.meta.url), job);
  if (ms === undefined) throw new Error('the process that reads has died');
  return ms;
}
