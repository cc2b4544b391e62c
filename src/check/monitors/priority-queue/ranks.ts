/** How urgent the values of a priority queue are: numbers and strings become ranks. Cost: O(n log n). */
import { mergeSort } from '../../../base/algorithms/merge-sort.js';
import { range } from '../../../base/collections/ints.js';
import { show } from '../../../base/values/show.js';
import type { Container } from '../container/container.js';

export interface Urgencies {
  /** Value to its rank; 0 goes out first, and values with one rank in any order. */
  readonly rank: Int32Array;
  /** The values, the most urgent first. */
  readonly sorted: Int32Array;
}

type Priority = number | bigint | string;

/** The ranks; or, in words, what can not be compared. */
export function urgenciesOf(container: Container): Urgencies | string {
  const { history, add, values, initial } = container;
  const { argumentStart } = history.columns;
  const priorities = new Array<Priority>(values);
  let [numbers, strings] = [0, 0];
  for (let v = 0; v < values; v++) {
    const k = add[v];
    const given =
      v >= initial && argumentStart[k + 1] - argumentStart[k] > 1 ? history.args(k)[1] : undefined;
    const own = given === undefined ? container.valueOf(v) : given;
    if (typeof own === 'string') strings++;
    else if (typeof own === 'bigint' || (typeof own === 'number' && !Number.isNaN(own))) numbers++;
    else return `a priority ${show(own)}`;
    priorities[v] = own;
  }
  if (numbers > 0 && strings > 0) return 'priorities of which some are numbers and some are strings';

  // not by their difference: strings have none, and 1 and 1n are one priority
  const compare = (a: number, b: number): number =>
    priorities[a] < priorities[b] ? -1 : priorities[a] > priorities[b] ? 1 : 0;
  const sorted = mergeSort(range(values), compare);
  const rank = new Int32Array(values);
  for (let i = 1; i < values; i++)
    rank[sorted[i]] = rank[sorted[i - 1]] + (compare(sorted[i - 1], sorted[i]) < 0 ? 1 : 0);
  return { rank, sorted };
}
