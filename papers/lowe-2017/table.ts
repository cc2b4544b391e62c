/**
 * The faults of Lowe's papers.
 *
 *   G. Lowe. Testing for linearizability. Concurrency and Computation: Practice and Experience 29(4), 2017.
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing, section 4: the priority queue.
 *
 * 100 random tests of two threads with three calls for each fault, then the same tests of the corrected version. A row is
 * wrong if no failing test shrinks to the shortest known history, if a corrected version fails, or if a test is explored
 * to no bound at all.
 */

import { shrinkSync } from '../../src/explore/failure/shrink.js';
import type { TestResult } from '../../src/explore/result.js';
import type { Scenario } from '../../src/explore/scenario/scenario.js';
import type { TestCase } from '../../src/explore/scenario/test-case.js';
import { boundsOf, boundsText, type Checked, randomCheck } from '../lib/random-check.js';
import { scenariosIn } from '../lib/scenarios.js';
import type { Table } from '../lib/table.js';
import { cpuDeadline, matrixText, randomTests, type Size, sizeText } from '../lib/tests.js';

const SIZE: Size = [2, 3];
const TESTS = 100;
/** Milliseconds for the tests of a version, and to make one test small. */
const VERSION = 30_000;
const SMALL = 5_000;

/** Files, and how many calls the shortest history has that is known, calls before the threads begin not counted. */
const BUGS: Readonly<Record<string, number>> = {
  'hash-map': 5,
  'resizing-map': 3,
  'array-queue': 3,
  register: 3,
  'skip-list': 3,
  'sharded-map': 4,
  'priority-queue': 4,
};

interface Row {
  readonly name: string;
  readonly fail: number;
  readonly correctedFail: number;
  /** Of the shortest test. */
  readonly calls: number | undefined;
  readonly shortest: string | undefined;
  /** How many of those that pass were explored to which bound. */
  readonly bounds: Readonly<Record<string, number>>;
  readonly correctedBounds: Readonly<Record<string, number>>;
  readonly isRight: boolean;
}

export const lowe: Table<string, Row> = {
  inputs: () => Object.keys(BUGS),
  nameOf: (file) => file,
  rowsOf: (file, seed) => [rowOf(file, BUGS[file], seed)],
  headOf: (seed) =>
    `seed ${seed}, ${TESTS} tests of ${sizeText(SIZE)} a row\nbug                                            fail  corrected: fail  calls  shortest test`,
  textOf: (row) =>
    row.name.padEnd(47) +
    String(row.fail).padStart(4) +
    String(row.correctedFail).padStart(17) +
    String(row.calls ?? '-').padStart(7) +
    `  ${row.shortest ?? ''}` +
    `\n  explored by preemptions: ${boundsText(row.bounds)}; corrected: ${boundsText(row.correctedBounds)}`,
};

function rowOf(file: string, enough: number, seed: number): Row {
  const { faulty, default: corrected } = scenariosIn(`lowe-2017/scenarios/${file}.scenario.ts`);
  const matrices = randomTests(faulty, SIZE, TESTS, seed);
  const wrong = randomCheck(faulty, matrices, seed, VERSION);
  const right = randomCheck(corrected, matrices, seed, VERSION);
  const shortest = shortestOf(faulty, failuresOf(wrong), enough, seed);
  const calls = shortest && callsOf(shortest);
  const [bounds, correctedBounds] = [boundsOf(wrong), boundsOf(right)];
  const correctedFail = failuresOf(right).length;
  return {
    name: faulty.name,
    fail: failuresOf(wrong).length,
    correctedFail,
    calls,
    shortest: shortest && matrixText(shortest),
    bounds,
    correctedBounds,
    isRight:
      calls !== undefined &&
      calls <= enough &&
      correctedFail === 0 &&
      !('none' in bounds || 'none' in correctedBounds),
  };
}

/** The shortest test that shrinking reaches; a test of this many calls is short enough. */
function shortestOf(
  scenario: Scenario,
  failures: readonly TestResult[],
  enough: number,
  seed: number,
): TestCase | undefined {
  let shortest: TestCase | undefined;
  for (const failure of failures) {
    const { test } = shrinkSync(scenario, failure, { seed }, cpuDeadline(SMALL));
    if (shortest === undefined || callsOf(test) < callsOf(shortest)) shortest = test;
    if (callsOf(shortest) <= enough) break;
  }
  return shortest;
}

const failuresOf = (checked: readonly Checked[]): TestResult[] =>
  checked.map(({ explored }) => explored).filter(({ violation }) => violation !== undefined);

const callsOf = ({ threads }: TestCase): number => threads.flat().length;
