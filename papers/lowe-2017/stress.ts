/**
 * Time until stress finds the hash map that deletes without compare-and-set, by the number of threads.
 *
 *   G. Lowe. Testing for linearizability. Concurrency and Computation: Practice and Experience 29(4), 2017, figure 7 (right).
 *
 * Rounds of 1,200 calls, divided among the threads, until one is not linearizable; five seeds a row. A row is wrong if a
 * run does not find the fault. Times depend on the machine and its load.
 */

import { spawnSync } from 'node:child_process';
import { MAIN } from '../../bench/measure.js';
import type { Table } from '../lib/table.js';

const SCENARIO = 'papers/lowe-2017/threads/hash-map-faulty.scenario.ts';
const THREADS = [2, 3, 4, 5, 6, 8];
const CALLS = 1_200;
const RUNS = 5;

interface Found {
  readonly verdict: string;
  readonly rounds: number;
  readonly ms: { readonly found?: number };
}

interface Row {
  readonly threads: number;
  /** Of the runs that found it. */
  readonly seconds: readonly number[];
  readonly rounds: readonly number[];
  readonly isRight: boolean;
}

export const stressTable: Table<number, Row> = {
  inputs: () => THREADS,
  nameOf: String,
  rowsOf: (threads, seed) => [rowOf(threads, seed)],
  headOf: () => 'threads   found   seconds: mean   least    most   rounds: mean',
  textOf: ({ threads, seconds, rounds }) =>
    String(threads).padStart(7) +
    `${seconds.length}/${RUNS}`.padStart(8) +
    mean(seconds).toFixed(1).padStart(16) +
    Math.min(...seconds)
      .toFixed(1)
      .padStart(8) +
    Math.max(...seconds)
      .toFixed(1)
      .padStart(8) +
    mean(rounds).toFixed(0).padStart(15),
};

function rowOf(threads: number, seed: number): Row {
  const runs = Array.from({ length: RUNS }, (_, i) => run(threads, seed + i));
  const found = runs.filter(({ verdict }) => verdict === 'violation');
  return {
    threads,
    seconds: found.map(({ ms }) => (ms.found ?? 0) / 1_000),
    rounds: found.map(({ rounds }) => rounds),
    isRight: found.length === RUNS,
  };
}

function run(threads: number, seed: number): Found {
  const flags = { threads, 'calls-per-thread': CALLS / threads, seed, rounds: 100_000, timeout: '60s' };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      MAIN,
      'stress',
      SCENARIO,
      '--json',
      ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    ],
    { encoding: 'utf8' },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Found;
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
