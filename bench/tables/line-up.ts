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
import { inOwnProcess } from '../own-process.js';
import type { Row } from './line-up-row.js';
import { DOCUMENTED_ROWS, LINE_UP_ROWS, SIZE, SMALL, TESTS } from './line-up-rows.js';
import { matrixText, sizeOf, sizeText } from './matrices.js';
import { boundsText } from './random-check.js';

const PROGRAM = new URL('./line-up-row.js', import.meta.url);

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
  for (const { name } of rows) {
    const row = inOwnProcess<object, Row>(PROGRAM, { name, seed });
    isRight &&= row?.isRight ?? false;
    if (row === undefined) {
      console.error(`${name}: its process died`);
      continue;
    }
    if (values.json) console.log(JSON.stringify({ seed, ...row }));
    else print(row);
  }
  return isRight;
}

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
