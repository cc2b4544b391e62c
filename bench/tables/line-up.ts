/**
 * Line-Up's table 2, rebuilt: `npm run table -- line-up`.
 *
 *   S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up: a complete and automatic
 *   linearizability checker. PLDI 2010, section 5.
 *
 * 100 tests of three threads with three calls for each of the 18 versions of the 13 classes in examples/line-up,
 * chosen at random from a seed. A row is wrong if a root cause of its class is not found, or is found only in a
 * test larger than the paper's; if a test is explored to no bound at all; and, of a class without any, if a
 * test fails, or one of all tests of two threads with two calls is not explored to its end.
 */
import { parseArgs } from 'node:util';
import { lineUp, type Scenario } from 'straightedge/explore';
import { ProcessorPatience } from '../processor-patience.js';
import { scenariosIn } from './examples.js';
import { DOCUMENTED_ROWS, LINE_UP_ROWS, type LineUpRow } from './line-up-rows.js';
import { allTests, matrixText, randomTests, type Size, sizeOf, sizeText } from './matrices.js';
import { boundOf, boundsOf, boundsText, type Checked, randomCheck } from './random-check.js';
import { type FoundCause, rootCauses } from './root-causes.js';

const SIZE: Size = [3, 3];
const SMALL: Size = [2, 2];
const TESTS = 100;
/** Milliseconds for the tests of a row, and for one small test. */
const ROW = 60_000;
const SMALL_TEST = 10_000;

interface Row {
  readonly name: string;
  readonly histories: Spread;
  readonly serialSeconds: Spread;
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

export function printLineUp(args: readonly string[]): boolean {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean' }, seed: { type: 'string', default: '1' } },
    allowPositionals: true,
  });
  const seed = Number(values.seed);
  const rows = [...LINE_UP_ROWS, ...DOCUMENTED_ROWS].filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  if (!values.json) console.log(`seed ${seed}, ${TESTS} tests of ${sizeText(SIZE)} a row\n${HEAD}`);
  let isRight = true;
  for (const given of rows) {
    const row = rowOf(given, seed);
    isRight &&= row.isRight;
    if (values.json) console.log(JSON.stringify({ seed, ...row }));
    else print(row);
  }
  return isRight;
}

function rowOf(row: LineUpRow, seed: number): Row {
  const scenarios = scenariosIn(`line-up/${row.file}.scenario.ts`);
  const scenario = scenarios[row.export];
  const matrices = randomTests(scenario, SIZE, TESTS, seed);
  // code that runs for the first time is slow
  lineUp(scenario, matrices[0], { seed }, new ProcessorPatience(1_000));
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
    serialSeconds: spreadOf(checked.map(({ serialMilliseconds }) => serialMilliseconds / 1_000)),
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
    const explored = lineUp(scenario, matrix, { seed }, new ProcessorPatience(SMALL_TEST));
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

const HEAD =
  'class                              histories        phase 1, s     pass fail   s a pass  s a fail  explored: tests by preemptions';

function print(row: Row): void {
  const { histories, serialSeconds, passSeconds, failSeconds } = row;
  console.log(
    row.name.padEnd(34) +
      `${histories.average.toFixed(0).padStart(5)} ${String(histories.most).padStart(5)}` +
      `${serialSeconds.average.toFixed(3).padStart(9)} ${serialSeconds.most.toFixed(3)}` +
      String(row.pass).padStart(9) +
      String(row.fail).padStart(5) +
      passSeconds.toFixed(2).padStart(11) +
      failSeconds.toFixed(2).padStart(10) +
      `  ${boundsText(row.bounds)}${row.isRight ? '' : '  WRONG'}`,
  );
  if (row.small)
    console.log(
      `  ${row.small.hold} of all ${row.small.tests} tests of ${sizeText(SMALL)} hold under every schedule`,
    );
  for (const { name, matrix, milliseconds } of row.causes)
    console.log(
      `  ${name} ${sizeText(sizeOf(matrix))}  ${matrixText(matrix)}  fails in ${(milliseconds / 1_000).toFixed(2)} s`,
    );
}
