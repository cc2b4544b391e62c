/**
 * All matrices of one size: every way to give each thread so many of the scenario's calls.
 *
 * What Line-Up's AutoCheck goes through. Columns in another order are the same matrix to an object that
 * can not tell threads apart; for others there is explore/scenario/column-orders.ts. Arguments that are made up have no end, so two ways of each such call stand for all.
 */
import type { Random } from '../base/random.js';
import { Interner } from '../base/values/interner.js';
import type { PlainCall } from '../instrument/instrumented-program.js';
import { callsOf, type Matrix, type Size } from './scenario/matrix.js';
import type { Choice, Scenario } from './scenario/scenario.js';

type Column = readonly PlainCall[];

/** So many different arguments are made up for a call. */
const WAYS = 2;
const TRIES = 20;

/** Sizes up to the largest, small ones first. What one thread does alone is part of what several do. */
export function sizesUpTo({ threads, callsPerThread }: Size): Size[] {
  const sizes: Size[] = [{ threads: 1, callsPerThread: threads === 1 ? callsPerThread : 1 }];
  for (let a = 2; a <= threads; a++)
    for (let b = 1; b <= callsPerThread; b++) sizes.push({ threads: a, callsPerThread: b });
  const calls = (size: Size) => size.threads * size.callsPerThread;
  return sizes.sort((a, b) => calls(a) - calls(b) || a.threads - b.threads);
}

/** Undefined where there are more than `most`. */
export function allMatrices(
  scenario: Scenario,
  { threads, callsPerThread }: Size,
  random: Random,
  most: number,
): Matrix[] | undefined {
  const { before, after, oneThread } = scenario;
  const choices = scenario.calls.flatMap((choice) => waysOf(choice, random));
  if (choices.length ** callsPerThread > most) return undefined;
  const isOfOne = (column: Column) => column.some(([method]) => oneThread.includes(method));
  const forAll = columnsOf(
    choices.filter((calls) => !isOfOne(calls)),
    callsPerThread,
  );
  const matrices: Matrix[] = [];
  const add = (columns: readonly Column[]): boolean => {
    const made = columns.filter((column) => column.length > 0);
    if (made.length > 0) matrices.push({ threads: made, before, after });
    return matrices.length <= most;
  };
  for (const columns of chosen(forAll, threads)) if (!add(columns)) return undefined;
  for (const first of columnsOf(choices, callsPerThread).filter(isOfOne))
    for (const rest of chosen(forAll, threads - 1)) if (!add([first, ...rest])) return undefined;
  return matrices;
}

/** A choice as the calls that it may come to. */
function waysOf(choice: Choice, random: Random): Column[] {
  const isMadeUp = 'method' in choice && choice.args !== undefined;
  const ways = new Interner();
  for (let tries = 0; tries < (isMadeUp ? TRIES : 1) && ways.values.length < WAYS; tries++)
    ways.intern(callsOf(choice, random));
  return ways.values as Column[];
}

/** All sequences of so many choices. */
function columnsOf(choices: readonly Column[], length: number): Column[] {
  let columns: Column[] = [[]];
  if (choices.length === 0) return columns;
  for (let made = 0; made < length; made++)
    columns = columns.flatMap((column) => choices.map((calls) => [...column, ...calls]));
  return columns;
}

/** All ways to take so many columns, in whatever order. */
function* chosen(columns: readonly Column[], count: number, from = 0): Generator<Column[]> {
  if (count === 0) yield [];
  else
    for (let i = from; i < columns.length; i++)
      for (const rest of chosen(columns, count - 1, i)) yield [columns[i], ...rest];
}
