/**
 * Compares the searches with each other and with `auto`.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 6, figures 4 and 5.
 *
 * Four workers on a map (checked whole, as in the paper, and by parts) and on a queue, the same number of operations cut
 * into shorter or longer runs; then other numbers of keys and shares of enqueues, a stack, cases that are hard for every
 * search, and several testers at once. 2^16 operations a row, or with `--full` 2^20. Unlike in the paper, histories are
 * simulated, and nearly everything overlaps.
 */

import type { Algorithm } from '../src/check/algorithms.js';
import { type Entrant, printHeader, printRow } from './comparison.js';
import { printHard } from './hard.js';
import { type BenchSubject, lowesMapSubject, queueSubject, stackSubject, whole } from './subjects.js';
import { printTesters } from './testers.js';
import { simulatedHistory } from './workload.js';

const WORKERS = 4;
const GENERIC = [
  'wg-tree',
  'wg-graph',
  'jit-tree',
  'jit-graph',
  'jit-breadth',
  'competition',
  'auto',
] as const;
const full = process.argv.includes('--full');
const operations = 2 ** (full ? 20 : 16);
/** Seconds for each search in each row. */
const seconds = full ? 120 : 4;

const entrantsFor = ({ spec }: BenchSubject, names: readonly Algorithm[]): Entrant[] =>
  names.map((algorithm) => ({ name: algorithm, algorithm, spec }));

function mapEntrants(keys: number): { subject: BenchSubject; entrants: Entrant[] } {
  const subject = lowesMapSubject(keys, 4);
  const byParts = { name: 'auto by parts', algorithm: 'auto', spec: subject.spec } as const;
  return { subject, entrants: [...entrantsFor(whole(subject), GENERIC), byParts] };
}

function queueEntrants(additions: number): { subject: BenchSubject; entrants: Entrant[] } {
  const subject = queueSubject(20, additions);
  return { subject, entrants: entrantsFor(subject, ['queue', ...GENERIC]) };
}

function stackEntrants(values: number): { subject: BenchSubject; entrants: Entrant[] } {
  const subject = stackSubject(values, 50);
  return { subject, entrants: entrantsFor(subject, ['stack', ...GENERIC]) };
}

let slow = 0;
function row(label: string, each: number, subject: BenchSubject, entrants: readonly Entrant[]): void {
  const own = WORKERS * each;
  const isFast = printRow(label, operations / own, seconds, entrants, (seed) =>
    simulatedHistory(subject, { operations: own, processes: WORKERS, seed }),
  );
  if (!isFast) slow++;
}

for (const [label, { subject, entrants }] of [
  ['Figure 4, map of 20 keys and 4 values, by operations a worker', mapEntrants(20)],
  ['Figure 4, queue, 30 % enqueues, 20 values, by operations a worker', queueEntrants(30)],
] as const) {
  printHeader(label, entrants);
  for (let k = 5; k <= 13; k++) row(`2^${k}`, 2 ** k, subject, entrants);
}

printHeader('Figure 5, map, by number of keys; 2^9 operations a worker', mapEntrants(1).entrants);
for (const keys of [1, 2, 4, 8, 16, 32, 64]) {
  const { subject, entrants } = mapEntrants(keys);
  row(`${keys} keys`, 2 ** 9, subject, entrants);
}

printHeader('Figure 5, queue, by share of enqueues; 2^9 operations a worker', queueEntrants(10).entrants);
for (const additions of [10, 20, 30, 40, 50, 60, 70]) {
  const { subject, entrants } = queueEntrants(additions);
  row(`${additions} %`, 2 ** 9, subject, entrants);
}

printHeader('A stack, by number of values; 2^9 operations a worker', stackEntrants(2).entrants);
for (const values of [2, 20, 200, 2_000]) {
  const { subject, entrants } = stackEntrants(values);
  row(`${values} values`, 2 ** 9, subject, entrants);
}
console.log(`\nauto takes more than 1.5 times the best and 10 ms in ${slow} rows`);

printHard(full);
await printTesters(operations);
