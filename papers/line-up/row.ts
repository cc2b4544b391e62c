/** One row of Line-Up's table 2. */
import { lineUp } from '../../src/explore/line-up.js';
import type { Scenario } from '../../src/explore/scenario/scenario.js';
import { boundOf, boundsOf, type Checked, randomCheck } from '../lib/random-check.js';
import { scenariosIn } from '../lib/scenarios.js';
import { allTests, cpuDeadline, randomTests } from '../lib/tests.js';
import { type FoundCause, rootCauses } from './root-causes.js';
import { type LineUpRow, SIZE, SMALL, TESTS } from './rows.js';

/** Milliseconds for the tests of a row, which leaves some of a minute to make the failing ones small; and for one small test. */
const ROW = 50_000;
const SMALL_TEST = 10_000;

export interface Row {
  readonly name: string;
  readonly histories: Spread;
  readonly sequentialSeconds: Spread;
  readonly pass: number;
  readonly fail: number;
  readonly passSeconds: number;
  readonly failSeconds: number;
  /** How many of those that pass were explored to which bound. */
  readonly bounds: Readonly<Record<string, number>>;
  readonly causes: readonly FoundCause[];
  /** Tests of two threads with two calls, of a clean row: how many there are, and how many hold exhaustively. */
  readonly small: { readonly tests: number; readonly hold: number } | undefined;
  readonly isRight: boolean;
}

interface Spread {
  readonly average: number;
  readonly most: number;
}

export function rowOf(row: LineUpRow, seed: number): Row {
  const scenarios = scenariosIn(`line-up/scenarios/${row.file}.scenario.ts`);
  const scenario = scenarios[row.export];
  const matrices = randomTests(scenario, SIZE, TESTS, seed);
  // code that runs for the first time is slow
  lineUp(scenario, matrices[0], { seed }, cpuDeadline(1_000));
  const checked = randomCheck(scenario, matrices, seed, ROW);
  const passed = checked.filter(({ explored }) => explored.violation === undefined);
  const failed = checked.filter(({ explored }) => explored.violation !== undefined);
  const bounds = boundsOf(checked);
  const failures = failed.map(({ explored }) => explored);
  const documented = row.documented === undefined ? undefined : scenarios[row.documented];
  const causes = rootCauses(row, failures, scenario, documented, seed);
  const isClean = Object.keys(row.causes).length === 0;
  const small = isClean && !scenario.spec ? smallTests(scenario, seed) : undefined;
  const isFound = causes.length === Object.keys(row.causes).length && causes.every((cause) => cause.isRight);
  const isCleanIndeed = failed.length === 0 && small?.hold === small?.tests;
  return {
    name: row.name,
    histories: spreadOf(checked.map(({ histories }) => histories)),
    sequentialSeconds: spreadOf(checked.map(({ sequentialMilliseconds }) => sequentialMilliseconds / 1_000)),
    pass: passed.length,
    fail: failed.length,
    passSeconds: secondsOf(passed),
    failSeconds: secondsOf(failed),
    bounds,
    causes,
    small,
    isRight: !('none' in bounds) && (isClean ? isCleanIndeed : isFound),
  };
}

function smallTests(scenario: Scenario, seed: number): { tests: number; hold: number } {
  let [tests, hold] = [0, 0];
  for (const matrix of allTests(scenario, SMALL)) {
    const explored = lineUp(scenario, matrix, { seed }, cpuDeadline(SMALL_TEST));
    tests++;
    if (explored.violation === undefined && boundOf(explored) === 'all') hold++;
  }
  return { tests, hold };
}

const spreadOf = (numbers: readonly number[]): Spread => ({
  average: numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length),
  most: Math.max(0, ...numbers),
});

const secondsOf = (checked: readonly Checked[]): number =>
  spreadOf(checked.map(({ milliseconds }) => milliseconds / 1_000)).average;
