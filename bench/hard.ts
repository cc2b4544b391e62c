/**
 * Cases that are hard for every search: eight processes that all overlap, and queues and stacks of distinct values, where
 * each order of concurrent insertions leads to a different state.
 *
 * Each check has a process of its own, 2 GB of tables and 60 s (10 s in the smaller run) of wall-clock time. Printed times
 * are CPU times.
 */

import type { Algorithm } from '../src/check/algorithms.js';
import type { Found, Job } from './check-one.js';
import { inOwnProcess, short } from './measure.js';

const ALGORITHMS: readonly Algorithm[] = ['jit-graph', 'wg-graph', 'jit-breadth', 'auto'];
const SEEDS = [1, 2, 3];
const CASES = [
  { subject: 'whole map', operations: 2_048, inRounds: true },
  { subject: 'queue of distinct values', operations: 1_000, inRounds: false },
  { subject: 'stack of distinct values', operations: 1_000, inRounds: false },
] as const;

export function printHard(full: boolean): void {
  const milliseconds = full ? 60_000 : 10_000;
  console.log(
    `\nEight processes, 2 GB of tables, ${milliseconds / 1_000} s; map in rounds that overlap fully`,
  );
  console.log(
    'object                    history       search         seed verdict                 s configurations    MB',
  );
  for (const { subject, operations, inRounds } of CASES)
    for (const violating of [false, true])
      for (const seed of full ? SEEDS : SEEDS.slice(0, 1))
        for (const algorithm of ALGORITHMS) {
          const simulation = { operations, processes: 8, seed, inRounds, violating };
          print({ subject, simulation, algorithm, limits: { timeout: milliseconds, maxMemory: 2 ** 31 } });
        }
}

function print(job: Job): void {
  const found = inOwnProcess<Job, Found>(new URL('./check-one.js', import.meta.url), job);
  const { subject, algorithm, simulation } = job;
  const expected = simulation.violating ? 'violation' : 'linearizable';
  console.log(
    subject.padEnd(26) +
      expected.padEnd(14) +
      algorithm.padEnd(15) +
      String(simulation.seed).padEnd(5) +
      (found?.verdict ?? 'out of memory').padEnd(19) +
      short((found?.milliseconds ?? Number.NaN) / 1_000).padStart(6) +
      String(found?.configurations ?? '').padStart(15) +
      (found?.megabytes.toFixed(0) ?? '').padStart(6),
  );
}
