/**
 * The same calls by other threads: matrices with their columns in another order.
 *
 * Most objects do not see which thread calls. For these a matrix stands for all orders of its columns, and explore/all-matrices.ts has
 * one of them. An object that asks (execution/current-thread.ts) may do something else for each.
 */
import { Interner } from '../../base/values/interner.js';
import type { Matrix } from './matrix.js';

/** All other orders of each; undefined where there are more than `most`. */
export function reordered(matrices: readonly Matrix[], most: number): Matrix[] | undefined {
  const others: Matrix[] = [];
  for (const matrix of matrices) {
    const columns = new Interner();
    const numbers = matrix.threads.map((calls) => columns.intern(calls));
    const given = numbers.join();
    for (const order of ordersOf(numbers)) {
      if (order.join() === given) continue;
      if (others.length === most) return undefined;
      others.push({
        ...matrix,
        threads: order.map((number) => columns.values[number] as Matrix['threads'][0]),
      });
    }
  }
  return others;
}

/** Each different order of some numbers, once. */
function* ordersOf(numbers: readonly number[]): Generator<number[]> {
  if (numbers.length === 0) yield [];
  for (const first of new Set(numbers))
    for (const rest of ordersOf(numbers.toSpliced(numbers.indexOf(first), 1))) yield [first, ...rest];
}
