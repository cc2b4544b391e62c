/**
 * Table 2 of Line-Up.
 *
 *   S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up: a complete and automatic
 *   linearizability checker. PLDI 2010, section 5.
 *
 * 100 random tests of three threads with three calls for each of the 18 versions of the 13 classes. A row is wrong if a
 * root cause of its class is not found, or only in a test larger than the paper's; if a test is explored to no bound at
 * all; and, for a class without root causes, if a test fails, or one of all tests of two threads with two calls is not
 * fully explored.
 */

import { boundsText } from '../lib/random-check.js';
import type { Table } from '../lib/table.js';
import { matrixText, sizeOf, sizeText } from '../lib/tests.js';
import { type Row, rowOf } from './row.js';
import { DOCUMENTED_ROWS, LINE_UP_ROWS, type LineUpRow, SIZE, SMALL, TESTS } from './rows.js';

/** Rows have code in them; names are plain. */
const ROWS: ReadonlyMap<string, LineUpRow> = new Map(
  [...LINE_UP_ROWS, ...DOCUMENTED_ROWS].map((row) => [row.name, row]),
);

export const lineUpTable: Table<string, Row> = {
  inputs: () => [...ROWS.keys()],
  nameOf: (name) => name,
  rowsOf: (name, seed) => [rowOf(ROWS.get(name)!, seed)],
  headOf: (seed) => `seed ${seed}, ${TESTS} tests of ${sizeText(SIZE)} a row\n${HEAD}`,
  textOf,
};

const HEAD =
  'class                              histories        phase 1, s     pass fail   s a pass  s a fail  explored: tests by preemptions';

function textOf(row: Row): string {
  const { histories, sequentialSeconds, passSeconds, failSeconds, small } = row;
  const cells =
    row.name.padEnd(34) +
    `${histories.average.toFixed(0).padStart(5)} ${String(histories.most).padStart(5)}` +
    `${sequentialSeconds.average.toFixed(3).padStart(9)} ${sequentialSeconds.most.toFixed(3)}` +
    String(row.pass).padStart(9) +
    String(row.fail).padStart(5) +
    passSeconds.toFixed(2).padStart(11) +
    failSeconds.toFixed(2).padStart(10) +
    `  ${boundsText(row.bounds)}`;
  const tests = small
    ? [`  ${small.hold} of all ${small.tests} tests of ${sizeText(SMALL)} hold under every schedule`]
    : [];
  const causes = row.causes.map(
    ({ name, matrix, milliseconds }) =>
      `  ${name} ${sizeText(sizeOf(matrix))}  ${matrixText(matrix)}  fails in ${(milliseconds / 1_000).toFixed(2)} s`,
  );
  return [cells, ...tests, ...causes].join('\n');
}
