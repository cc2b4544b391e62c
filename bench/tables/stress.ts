/**
 * How long stress takes to find the hash map that deletes without a compare-and-set, by the number of threads: `npm run table -- stress`.
 *
 *   G. Lowe. Testing for linearizability. Concurrency and Computation: Practice and Experience 29(4), 2017, figure 7 (right).
 *
 * Rounds of 1,200 calls, split evenly between the threads, until one is not linearizable; five seeds a row. Exit code 1 where a run
 * does not find it. The times are of the machine, and of what else it does.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const SCENARIO = 'examples/threads/hash-map-faulty.scenario.ts';
const THREADS = [2, 3, 4, 5, 6, 8];
const CALLS = 1_200;
const SEEDS = 5;

interface Found {
  readonly verdict: string;
  readonly rounds: number;
  readonly ms: { readonly found?: number };
}

export function printStress(args: readonly string[]): boolean {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
  if (!values.json) console.log('threads   found   seconds: mean   least    most   rounds: mean');
  let isRight = true;
  for (const threads of THREADS) {
    const runs = Array.from({ length: SEEDS }, (_, seed) => run(threads, seed + 1));
    const found = runs.filter(({ verdict }) => verdict === 'violation');
    isRight &&= found.length === runs.length;
    const seconds = found.map(({ ms }) => (ms.found ?? 0) / 1_000);
    const row = {
      threads,
      found: found.length,
      runs: runs.length,
      mean: mean(seconds),
      least: Math.min(...seconds),
      most: Math.max(...seconds),
      rounds: mean(found.map(({ rounds }) => rounds)),
    };
    if (values.json) console.log(JSON.stringify(row));
    else
      console.log(
        `${String(threads).padStart(7)}${`${row.found}/${row.runs}`.padStart(8)}${[row.mean, row.least, row.most].map((s, i) => s.toFixed(1).padStart(i === 0 ? 16 : 8)).join('')}${row.rounds.toFixed(0).padStart(15)}`,
      );
  }
  return isRight;
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
