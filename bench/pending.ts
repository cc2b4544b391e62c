/**
 * Measures the cost of calls that never return.
 *
 * 10^4 operations of 8 processes on a register, a map (10 keys, by parts) and a queue, with 0 to 100 pending operations,
 * linearizable and with one incorrect result near the end. `auto` and each graph search; each check runs in a process of
 * its own, with limits on wall-clock time (10 s, with `--full` 30 s), steps and memory (2 GB of tables). The verdict is
 * known, and a different one is reported.
 */

import type { Algorithm } from '../src/check/algorithms.js';
import type { Found, Job } from './check-one.js';
import { inOwnProcess } from './measure.js';

const ALGORITHMS: readonly Algorithm[] = ['auto', 'jit-graph', 'wg-graph', 'jit-breadth'];
const SUBJECTS = ['register', 'map', 'queue'] as const;
const PENDING = [0, 10, 30, 100];
const WIDTH = 34;

const milliseconds = process.argv.includes('--full') ? 30_000 : 10_000;
const limits = { timeout: milliseconds, maxMemory: 2 ** 31, maxSteps: 10 ** 8 };
let wrong = 0;

console.log('processor ms / configurations; and what ran out, where it is undecided');
console.log(
  `object    history       pending${ALGORITHMS.map((algorithm) => algorithm.padStart(WIDTH)).join('')}`,
);
for (const subject of SUBJECTS)
  for (const violating of [false, true])
    for (const pending of PENDING) {
      const simulation = { operations: 10_000, processes: 8, seed: 1, pending, violating };
      const expected = violating ? 'violation' : 'linearizable';
      const cells = ALGORITHMS.map((algorithm) => cell({ subject, simulation, algorithm, limits }, expected));
      console.log(
        subject.padEnd(10) +
          expected.padEnd(14) +
          String(pending).padStart(7) +
          cells.map((text) => text.padStart(WIDTH)).join(''),
      );
    }
console.log(wrong === 0 ? 'no verdict is wrong' : `${wrong} verdicts are WRONG`);

function cell(job: Job, expected: string): string {
  const found = inOwnProcess<Job, Found>(new URL('./check-one.js', import.meta.url), job);
  if (!found) return 'out of memory';
  const isUndecided = found.verdict.startsWith('undecided');
  const isWrong = !isUndecided && found.verdict !== expected;
  if (isWrong) wrong++;
  const remark = isWrong ? ` WRONG: ${found.verdict}` : isUndecided ? ` ${found.verdict}` : '';
  return `${found.milliseconds.toFixed(0)} / ${found.configurations}${remark}`;
}
