/**
 * Measures the exploration of asynchronous code: executions with and without reduction, and their speed.
 *
 * Each row is one test of an object of papers/async-objects in its correct version, clients × calls, with results that are
 * learned. First the code is run as it is, so that every order of macrotasks is an execution (up to a limit: 20,000, with
 * `--full` a million). Then it is traced, so that states are merged and equivalent orders are left out.
 *
 * Clients call the methods of an object in turn. `--all` explores all tests of each size instead, with reduction; there, one call of
 * the semaphore is a pair.
 */
import { asyncScenariosIn } from '../papers/lib/scenarios.js';
import { inOwnTask } from '../src/event-loop/own-task.js';
import { SharedStates } from '../src/explore/async/client-names.js';
import { batchesOf } from '../src/explore/batches.js';
import { lineUp } from '../src/explore/line-up.js';
import { Deadline } from '../src/explore/model/deadline.js';
import type { TestResult } from '../src/explore/result.js';
import type { Scenario } from '../src/explore/scenario/scenario.js';
import type { TestCase } from '../src/explore/scenario/test-case.js';
import { cpuTime } from './measure.js';

const MOST_EXECUTIONS = process.argv.includes('--full') ? 1_000_000 : 20_000;
const SIZES: readonly (readonly [clients: number, calls: number])[] = [
  [3, 2],
  [2, 4],
];

/** The calls of one client, repeated up to the size. One call of a semaphore is `acquire` or `release`. */
const CALLS: Readonly<Record<string, readonly (readonly (readonly unknown[])[])[]>> = {
  cache: [
    [
      ['get', 'a'],
      ['put', 'a', 1],
    ],
    [
      ['put', 'a', 1],
      ['get', 'a'],
    ],
    [
      ['put', 'a', 1],
      ['put', 'a', 1],
    ],
  ],
  pool: [[['query']]],
  semaphore: [[['acquire'], ['release']]],
  'closable-queue': [
    [['put', 'x'], ['take']],
    [['take'], ['close']],
    [['take'], ['put', 'x']],
  ],
  batcher: [
    [
      ['load', 'a'],
      ['load', 'b'],
    ],
  ],
  'job-queue': [[['add'], ['onIdle']], [['add']]],
};

interface Explored {
  readonly result: TestResult;
  readonly seconds: number;
}

async function explored(
  scenario: Scenario,
  test: TestCase,
  maxExecutions: number,
  shared?: SharedStates,
): Promise<Explored> {
  const begin = cpuTime();
  const options = { seed: 1, isExhaustive: true, maxExecutions, shared };
  const deadline = new Deadline(Number.POSITIVE_INFINITY);
  const result = await inOwnTask(() => lineUp(scenario, test, options, deadline));
  if (result.violation) throw new Error('FAILED: a violation');
  return { result, seconds: (cpuTime() - begin) / 1000 };
}

const scenarioOf = (object: string, isTraced: boolean): Scenario => ({
  ...asyncScenariosIn(`async-objects/scenarios/${object}.scenario.ts`, isTraced).correct,
  backend: 'async',
});

function cellOf({ result: { schedules, coverage }, seconds }: Explored): string {
  const isAll = coverage.some(({ kind }) => kind === 'all');
  return (
    `${isAll ? '' : '> '}${schedules}`.padStart(9) +
    `${seconds.toFixed(1)} s`.padStart(8) +
    `${(schedules / seconds / 1000).toFixed(1)} k/s`.padStart(11)
  );
}

async function row(object: string, clients: number, calls: number): Promise<void> {
  const lists = CALLS[object];
  const own = Array.from({ length: clients }, (_, client) => {
    const list = lists[client % lists.length];
    return Array.from({ length: calls }, (__, i) => list[i % list.length]);
  });
  const test = { threads: own, before: scenarioOf(object, false).before, after: [] } as unknown as TestCase;
  const all = await explored(scenarioOf(object, false), test, MOST_EXECUTIONS);
  const reduced = await explored(scenarioOf(object, true), test, 10 * MOST_EXECUTIONS);
  console.log(
    `${object.padEnd(15)}${clients}×${calls} ${cellOf(all)}${cellOf(reduced)}${(reduced.result.hiddenState ?? String(reduced.result.states)).padStart(8)}`,
  );
}

/** All tests of one size. */
async function size(object: string, threads: number, callsPerThread: number): Promise<void> {
  const scenario = scenarioOf(object, true);
  const batches = [...batchesOf(scenario, { threads, callsPerThread, seed: 1 })];
  const { tests } = batches.findLast(({ choice }) => choice === 'all')!;
  const shared = new SharedStates(scenario.spec !== undefined);
  let executions = 0;
  let total = 0;
  let most = 0;
  let covered = 0;
  for (const test of tests) {
    const { result, seconds } = await explored(scenario, test, 10 * MOST_EXECUTIONS, shared);
    executions += result.schedules;
    total += seconds;
    most = Math.max(most, seconds);
    if (result.coverage.some(({ kind }) => kind === 'all')) covered++;
  }
  console.log(
    `${object.padEnd(15)}${threads}×${callsPerThread}${`${covered} of ${tests.length}`.padStart(14)}${String(executions).padStart(12)}${total.toFixed(1).padStart(9)} s${most.toFixed(1).padStart(8)} s`,
  );
}

const isAll = process.argv.includes('--all');
console.log(
  isAll
    ? 'object         size  tests covered  executions     time    longest'
    : 'object         size       all orders of macrotasks           with reduction              states',
);
const only = process.argv.find((arg) => arg in CALLS);
for (const object of only ? [only] : Object.keys(CALLS))
  for (const [clients, calls] of SIZES) await (isAll ? size : row)(object, clients, calls);
