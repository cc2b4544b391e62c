/**
 * A linearization of a priority queue, once each operation has its slot.
 *
 * Slot by slot. Within a slot: first the values that leave or are seen there, highest priority first, with those that
 * come and leave there; then "empty" results; then the values that come, lowest priority first, each with its early
 * peeks.
 *
 * Operations are distributed to slots first and sorted within each, where they are few: a pass over all values by
 * priority would access memory at random. Cost: O(n log n) at most.
 */

import { mergeSort, sortByInsertion } from '../../../base/algorithms/merge-sort.js';
import { IntSet, NO_INT } from '../../../base/collections/int-set.js';
import { END } from '../common/lists.js';
import { ADD, type Container, EMPTY, IDLE, NONE, OPEN_REMOVE, REMOVE } from '../container/container.js';
import type { ValueIntervals } from '../container/value-intervals.js';
import { NO_SLOT, type Placing, type Priorities } from './placing.js';

/*
 * A priority queue of value numbers: how many of each rank are present, and which ranks are. Renamed duplicates count
 * as one value; they may differ in rank.
 *
 * A pending removal takes a value of the first rank whose removal is unknown. Any of several will do: they are never
 * seen again, or the monitor would have declined.
 */

export class PriorityQueueModel {
  /** The value that was removed last by a pending removal, or NONE. */
  taken: number = NONE;
  readonly #container: Container;
  readonly #rank: Int32Array;
  /** For each value, 1 if it is present. */
  readonly #inside: Uint8Array;
  /** For each rank, how many of its values are present; and the ranks that have some. */
  readonly #count: Int32Array;
  readonly #ranks: IntSet;
  /** For each rank, a present value whose removal is unknown, and for each value the next such. */
  readonly #left: Int32Array;
  readonly #nextLeft: Int32Array;

  constructor(container: Container, { rank }: Priorities) {
    const { values, initial } = container;
    this.#container = container;
    this.#rank = rank;
    this.#inside = new Uint8Array(values);
    this.#count = new Int32Array(values);
    this.#ranks = new IntSet(values);
    this.#left = new Int32Array(values).fill(NONE);
    this.#nextLeft = new Int32Array(values);
    for (let v = 0; v < initial; v++) this.#add(v);
  }

  /** Applies an operation; returns whether its result is correct. */
  step(k: number): boolean {
    const { role, value } = this.#container;
    const first = this.#ranks.next(0);
    const v = value[k];
    switch (role[k]) {
      case ADD:
        this.#add(v);
        return true;
      case EMPTY:
        return first === NO_INT;
      case IDLE:
        return true;
      case OPEN_REMOVE:
        this.taken = first === NO_INT ? NONE : this.#left[first];
        if (this.taken === NONE) return first === NO_INT;
        this.#left[first] = this.#nextLeft[this.taken];
        this.#remove(this.taken);
        return true;
      default: {
        const isRight = v !== NONE && this.#rank[v] === first && this.#inside[v] === 1;
        if (isRight && role[k] === REMOVE) this.#remove(v);
        return isRight;
      }
    }
  }

  #add(v: number): void {
    const rank = this.#rank[v];
    this.#inside[v] = 1;
    if (this.#count[rank]++ === 0) this.#ranks.add(rank);
    if (this.#container.remove[v] !== NONE) return;
    this.#nextLeft[v] = this.#left[rank];
    this.#left[rank] = v;
  }

  #remove(v: number): void {
    const rank = this.#rank[v];
    this.#inside[v] = 0;
    if (--this.#count[rank] === 0) this.#ranks.delete(rank);
  }
}

/** What happens in a slot, in this order. There are four classes, a power of two. */
const [LEAVES, NOTHING, COMES] = [0, 1, 2];
const CLASSES = 4;

/** Operations on one value within a slot: it comes, it is seen, it leaves. */
const [IN, SEEN, OUT, STAGES] = [0, 1, 2, 3];

/** More moves than this are left to a sort that is fast for many. */
const FEW_MOVES = 64;

/** `empties`: for each "empty" result, the moment at which it takes effect. */
export function priorityQueueOrder(
  container: Container,
  { taken, end }: ValueIntervals,
  { sorted }: Priorities,
  { slot, peeks }: Placing,
  empties: Int32Array,
): Int32Array {
  const { history, role, add } = container;
  const turn = new Int32Array(add.length);
  for (let i = 0; i < sorted.length; i++) turn[sorted[i]] = i;
  const bucket = new Int32Array(history.length).fill(NO_SLOT);
  /** For each operation, its rank within its bucket. */
  const key = new Int32Array(history.length);
  const put = (k: number, what: number, v: number, stage: number): void => {
    if (k === NONE || slot[k] === NO_SLOT) return;
    bucket[k] = slot[k] * CLASSES + what;
    key[k] = STAGES * (what === COMES ? sorted.length - turn[v] : turn[v]) + stage;
  };
  for (let v = 0; v < add.length; v++) {
    const isBoth = taken[v] !== NONE && add[v] !== NONE && slot[add[v]] === slot[taken[v]];
    put(taken[v], LEAVES, v, OUT);
    put(add[v], isBoth ? LEAVES : COMES, v, IN);
    const comes = isBoth || add[v] === NONE ? NO_SLOT : slot[add[v]];
    for (let k = peeks.first(v); k !== END; k = peeks.next(k))
      put(k, slot[k] === comes ? COMES : LEAVES, v, SEEN);
  }
  for (let k = 0; k < history.length; k++) if (role[k] === EMPTY) bucket[k] = empties[k] * CLASSES + NOTHING;

  // where each bucket starts; after distribution, where it ends
  const place = new Int32Array(end * CLASSES + 1);
  for (let k = 0; k < bucket.length; k++) if (bucket[k] !== NO_SLOT) place[bucket[k] + 1]++;
  for (let i = 1; i < place.length; i++) place[i] += place[i - 1];
  const order = new Int32Array(place[place.length - 1]);
  for (let k = 0; k < bucket.length; k++) if (bucket[k] !== NO_SLOT) order[place[bucket[k]]++] = k;

  const inTurn = (a: number, b: number): number => key[a] - key[b];
  for (let i = 0, begin = 0; begin < order.length; begin = place[i++])
    if (!sortByInsertion(order, begin, place[i], FEW_MOVES, inTurn))
      order.set(mergeSort(order.subarray(begin, place[i]), inTurn), begin);
  return order;
}
