/**
 * How fast is a history read?
 *
 * Queue and map histories of 10^5 and 10^6 operations, as operation lines, event lines and in the
 * binary form, each read in a process of its own, best of five: milliseconds of CPU time, beside
 * those that `JSON.parse` takes for every line of the same history, and their ratio. Reading includes
 * all that makes a history of it: order of times, tables, columns.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHistory, writeSedge } from 'straightedge/formats';
import { type Notation, textOf } from './notations.js';
import { inOwnProcess } from './own-process.js';
import { processorTime } from './processor-time.js';
import { casMapSubject, queueSubject } from './subjects.js';

interface Job {
  readonly file: string;
  /** Only parse its lines. */
  readonly parses: boolean;
}

const ROUNDS = 5;
const DISTINCT = 2 ** 30;
const SUBJECTS = { queue: queueSubject(DISTINCT, 50), map: casMapSubject(1_000, 5) };
const NOTATIONS: readonly (readonly [name: string, notation: Notation])[] = [
  ['operations', 'lines'],
  ['events', 'ids'],
];

if (process.argv[2]?.startsWith('{')) console.log(await measure(JSON.parse(process.argv[2]) as Job));
else await compare((process.argv[2] ?? '100000,1000000').split(',').map(Number));

async function measure({ file, parses }: Job): Promise<number> {
  const lines = parses ? readFileSync(file, 'latin1').split('\n').filter(Boolean) : [];
  const start = processorTime();
  if (!parses) await readHistory(file);
  for (const line of lines) JSON.parse(line);
  return processorTime() - start;
}

async function compare(sizes: readonly number[]): Promise<void> {
  console.log('object  operations  records     form       MB  parse ms  read ms  ratio');
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-bench-'));
  try {
    for (const operations of sizes)
      for (const [object, subject] of Object.entries(SUBJECTS))
        for (const [name, notation] of NOTATIONS) {
          const [lines, binary] = [join(folder, 'lines'), join(folder, 'binary')];
          writeFileSync(lines, [...textOf(notation, subject, operations, false)].join(''));
          writeFileSync(binary, Buffer.concat([...writeSedge(await readHistory(lines))]));
          const best = { parse: Infinity, lines: Infinity, sedge: Infinity };
          for (let round = 0; round < ROUNDS; round++) {
            best.parse = Math.min(best.parse, measured({ file: lines, parses: true }));
            best.lines = Math.min(best.lines, measured({ file: lines, parses: false }));
            best.sedge = Math.min(best.sedge, measured({ file: binary, parses: false }));
          }
          for (const [form, file, ms] of [
            ['lines', lines, best.lines],
            ['sedge', binary, best.sedge],
          ] as const)
            console.log(
              object.padEnd(8) +
                String(operations).padStart(10) +
                `  ${name.padEnd(12)}${form.padEnd(8)}` +
                (statSync(file).size / 1e6).toFixed(1).padStart(5) +
                best.parse.toFixed(0).padStart(10) +
                ms.toFixed(0).padStart(9) +
                (ms / best.parse).toFixed(2).padStart(7),
            );
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
