/**
 * Places the values of a priority queue, highest priority first.
 *
 *   Han and Mathur. fastlin, 2025, has an interval tree; here each slot is covered once. Equal priorities, peeks and
 *   values that are never removed are additions.
 *
 * A slot is the gap after an event. It is *open* if no value of strictly higher priority is definitely present there
 * (from `from` up to `to`). An operation that returns a value needs an open slot, and its removal one from `to` on:
 * all peeks come before. This is also sufficient: take the order of the values of higher priority in which none is
 * present in all open slots (`emptySlots`). A value v is placed as follows:
 *
 *   removal   the first open slot from `to` on
 *   peek      that slot, if it overlaps it; or an open one at which v is definitely present; or `early`, the last one before `from`
 *   add       in `early` if a peek is, otherwise directly before `from`, or in that slot if that is earlier
 *
 * If all are placed, v is present in no slot that is open and not covered by v, except at the ends, where it comes
 * after, or has left before, the values of lower priority. Values of one rank do not affect each other.
 *
 * Cost: O(n) slots covered once, each found in O(log n) to the base 32.
 */

import { IntSet, NO_INT } from '../../../base/collections/int-set.js';
import { mergeSort, range } from '../../../base/collections/ints.js';
import { show } from '../../../base/values/show.js';
import { END, GroupedLists } from '../common/lists.js';
import type { ValueIntervals } from '../container/container.js';
import { type Container, NONE, OPEN_REMOVE, PEEK } from '../container/container.js';

/* The priorities of values: numbers and strings become ranks. Cost: O(n log n). */

export interface Priorities {
  /** For each value, its rank; 0 leaves first, and values with one rank in any order. */
  readonly rank: Int32Array;
  /** The values, highest priority first. */
  readonly sorted: Int32Array;
}

type Priority = number | bigint | string;

/** The ranks; or which values cannot be compared. */
export function prioritiesOf(container: Container): Priorities | string {
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
    else return `unsupported priority ${show(own)}`;
    priorities[v] = own;
  }
  if (numbers > 0 && strings > 0) return 'some priorities are numbers and some are strings';

  // not by their difference: strings have none, and 1 and 1n are equal priorities
  const compare = (a: number, b: number): number =>
    priorities[a] < priorities[b] ? -1 : priorities[a] > priorities[b] ? 1 : 0;
  const sorted = mergeSort(range(values), compare);
  const rank = new Int32Array(values);
  for (let i = 1; i < values; i++)
    rank[sorted[i]] = rank[sorted[i - 1]] + (compare(sorted[i - 1], sorted[i]) < 0 ? 1 : 0);
  return { rank, sorted };
}

/** In `slot`: it has none. */
export const NO_SLOT: number = NO_INT;

export class Placing {
  /** For each operation, its slot. */
  readonly slot: Int32Array;
  /** Operations that return a value but have no open slot. */
  readonly faults: number[] = [];
  /** Peeks by value. */
  readonly peeks: GroupedLists;
  /** The last slot in which no value is definitely present, or -1. */
  readonly lastFree: number;
  readonly #container: Container;
  readonly #intervals: ValueIntervals;
  readonly #open: IntSet;

  constructor(container: Container, intervals: ValueIntervals, { sorted, rank }: Priorities) {
    const { history, role, value, values } = container;
    this.#container = container;
    this.#intervals = intervals;
    this.#open = new IntSet(intervals.end, { full: true });
    this.slot = new Int32Array(history.length).fill(NO_SLOT);
    this.peeks = new GroupedLists(values, history.length, (k) => (role[k] === PEEK ? value[k] : END));
    for (let begin = 0; begin < values; ) {
      let end = begin;
      for (; end < values && rank[sorted[end]] === rank[sorted[begin]]; end++)
        if (intervals.was(sorted[end])) this.#place(sorted[end]);
      for (; begin < end; begin++) if (intervals.was(sorted[begin])) this.#cover(sorted[begin]);
    }
    this.lastFree = this.#open.previous(intervals.end - 1);
  }

  #place(v: number): void {
    const { add } = this.#container;
    const { from, to, out, taken } = this.#intervals;
    const { slot } = this;
    const open = this.#open.next(to[v]);
    const leaves = open === NO_INT ? this.#intervals.end : open;
    if (taken[v] !== NONE)
      if (leaves < out[v]) slot[taken[v]] = leaves;
      else this.#stays(v);
    const early = this.#placePeeks(v, leaves);
    if (add[v] !== NONE) slot[add[v]] = early === NO_SLOT ? Math.min(from[v] - 1, leaves) : early;
  }

  /** There is no slot for its removal: a pending one is omitted, a returned one is faulty. */
  #stays(v: number): void {
    const { taken, end } = this.#intervals;
    const k = taken[v];
    if (this.#container.role[k] !== OPEN_REMOVE) this.faults.push(k);
    else {
      taken[v] = NONE;
      this.#intervals.to[v] = end;
    }
  }

  /** The early slot, if a peek needs it. */
  #placePeeks(v: number, leaves: number): number {
    const { call, return: returned } = this.#container.history.columns;
    const { put, from, to } = this.#intervals;
    let used = NO_SLOT;
    for (let k = this.peeks.first(v); k !== END; k = this.peeks.next(k)) {
      const sure = this.#open.next(Math.max(call[k], from[v]));
      const early = this.#open.previous(from[v] - 1);
      if (leaves < returned[k]) this.slot[k] = leaves;
      else if (sure !== NO_INT && sure < Math.min(returned[k], to[v])) this.slot[k] = sure;
      else if (early >= Math.max(call[k], put[v])) this.slot[k] = used = early;
      else this.faults.push(k);
    }
    return used;
  }

  #cover(v: number): void {
    const { from, to } = this.#intervals;
    for (let slot = this.#open.next(from[v]); slot !== NO_INT && slot < to[v]; slot = this.#open.next(slot))
      this.#open.delete(slot);
  }
}
