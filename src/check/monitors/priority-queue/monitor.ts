/**
 * The priority-queue monitor: decides priority queues of distinct values. Values of equal priority may leave in any
 * order.
 *
 * A history is linearizable exactly when
 *
 *   1. each value is added before it is returned, and removed once, after all peeks (`findImpossible`);
 *   2. each operation that returns a value has a moment at which no value of higher priority is definitely present (`Placing`);
 *   3. each "empty" result has a moment at which no value is definitely present (`emptySlots`).
 *
 * Pending removals may have taken any remaining value. First they are ignored. If that fails, the monitor tries
 * whether an unlimited number of them would help. If so, a search decides. It sees the values of at least the
 * priority of those without a place, from the last moment at which the queue may be empty up to the last return of an
 * operation without a place: an earlier removal blocks nothing, and a removal after that return would not help.
 *
 * Cost: O(n log n) to sort, plus that search.
 */

import { IntSet, NO_INT } from '../../../base/collections/int-set.js';
import { mergeSort, sortByInsertion } from '../../../base/collections/ints.js';
import { invariant } from '../../../base/errors.js';
import type { History } from '../../../history/history.js';
import type { Spec } from '../../../spec/spec.js';
import { linearizable, violation } from '../../model/verdict.js';
import { END } from '../common/lists.js';
import type { Monitor, MonitorResult, Reading } from '../common/monitor.js';
import {
  ADD,
  bestCase,
  Container,
  EMPTY,
  IDLE,
  NONE,
  OPEN_REMOVE,
  PEEK,
  REMOVE,
  ValueIntervals,
} from '../container/container.js';
import {
  coverOf,
  emptySlots,
  findImpossible,
  intervalOf,
  neverEmpty,
  operationsToShow,
  searchResidue,
} from '../container/covering.js';
import { NO_SLOT, Placing, type Priorities, prioritiesOf } from './placing.js';

/** Bytes per operation: priorities, ranks, value intervals, slots and the order. */
const BYTES = 140;

export const priorityQueueMonitor: Monitor = {
  name: 'priority queue monitor',
  leaves: 'most urgent',
  read(history: History, spec: Spec): Reading | string {
    const container = Container.read(history, spec, { mostArguments: 2 });
    if (typeof container === 'string') return container;
    const urgencies = prioritiesOf(container);
    if (typeof urgencies === 'string') return urgencies;
    if (isUnclear(container, urgencies))
      return 'a pending removal may have removed one of several equally urgent values that were seen';
    return {
      bytes: BYTES * history.length,
      decide: (search) => decide(container, urgencies, spec, search),
    };
  },
};

/** Whether it matters which of several values of equal priority a pending removal takes. */
function isUnclear({ history, role, value, remove, values }: Container, { rank }: Priorities): boolean {
  if (!role.includes(OPEN_REMOVE)) return false;
  const left = new Int32Array(values);
  for (let v = 0; v < values; v++) if (remove[v] === NONE) left[rank[v]]++;
  for (let k = 0; k < history.length; k++) {
    const v = role[k] === PEEK ? value[k] : NONE;
    if (v !== NONE && remove[v] === NONE && left[rank[v]] > 1) return true;
  }
  return false;
}

function decide(
  container: Container,
  urgencies: Priorities,
  spec: Spec,
  search: Parameters<Reading['decide']>[0],
): MonitorResult {
  const wrong = findImpossible(container);
  if (wrong) return wrong;
  const first = new Attempt(container, urgencies, new ValueIntervals(container));
  const result = first.decide();
  if (result.kind === 'linearizable' || !container.role.includes(OPEN_REMOVE)) return result;
  const best = new Attempt(container, urgencies, bestCase(container)).decide();
  if (best.kind !== 'linearizable') return best;

  const found = searchResidue(container.history, spec, first.residue(), search);
  if ('kind' in found) return found;
  const model = new PriorityQueueModel(container, urgencies);
  const taken = container.remove.slice();
  for (const k of found) {
    invariant(model.step(k), 'a search gives an order of a priority queue that is none');
    if (container.role[k] === OPEN_REMOVE && model.taken !== NONE) taken[model.taken] = k;
  }
  return new Attempt(container, urgencies, new ValueIntervals(container, { taken })).decide();
}

/** A placement under one assumption of what pending removals remove. */
class Attempt {
  readonly #container: Container;
  readonly #urgencies: Priorities;
  readonly #intervals: ValueIntervals;
  readonly #placing: Placing;
  readonly #empties: ReturnType<typeof emptySlots>;

  constructor(container: Container, urgencies: Priorities, intervals: ValueIntervals) {
    this.#container = container;
    this.#urgencies = urgencies;
    this.#intervals = intervals;
    this.#placing = new Placing(container, intervals, urgencies);
    this.#empties = emptySlots(container, intervals);
  }

  decide(): MonitorResult {
    const { slots, fault } = this.#empties;
    if (this.#placing.faults.length > 0) return this.#notTheFirst();
    if (fault >= 0) return neverEmpty(this.#container, this.#intervals, fault);
    return linearizable(
      priorityQueueOrder(this.#container, this.#intervals, this.#urgencies, this.#placing, slots),
    );
  }

  /** Of the faulty operations that return the first of the values, the one with the smallest cover. */
  #notTheFirst(): MonitorResult {
    const container = this.#container;
    const { value } = container;
    const { faults } = this.#placing;
    const covers = faults
      .filter((k) => value[k] === value[faults[0]])
      .map((k) => ({ k, cover: this.#coverOf(k) }));
    const { k, cover } = covers.reduce((a, b) => (b.cover.length < a.cover.length ? b : a));
    return violation({
      operations: operationsToShow(container, [value[k], ...cover]),
      cause: {
        kind: 'not the first',
        operation: container.history.columns.id[k],
        interval: intervalOf(container, value[k]),
        intervals: cover.map((v) => intervalOf(container, v)),
      },
    });
  }

  /**
   * A minimum set of values of higher priority of which one is present whenever an operation can return its value.
   */
  #coverOf(k: number): number[] {
    const { history, role, value } = this.#container;
    const { call, return: returned } = history.columns;
    const { put, from, to } = this.#intervals;
    const { rank, sorted } = this.#urgencies;
    const v = value[k];
    const urgent = sorted.filter((other) => rank[other] < rank[v]);
    const begin = role[k] === PEEK ? Math.max(call[k], put[v]) : to[v];
    const presence = { from: urgent.map((u) => from[u]), to: urgent.map((u) => to[u]) };
    return coverOf(begin, returned[k], presence).map((i) => urgent[i]);
  }

  /** The operations whose place depends on what pending removals have removed. */
  residue(): (operation: number) => boolean {
    const { history, role, value, initial } = this.#container;
    const { return: returned } = history.columns;
    const { put, from } = this.#intervals;
    const { rank } = this.#urgencies;
    const isFault = (k: number): boolean => role[k] === EMPTY && this.#empties.slots[k] < 0;
    const empties = Array.from(role.keys()).filter(isFault);
    const { faults, lastFree } = this.#placing;
    const least =
      empties.length > 0 ? Number.POSITIVE_INFINITY : Math.max(...faults.map((k) => rank[value[k]]));
    const last = Math.max(...[...empties, ...faults].map((k) => returned[k]));
    const isKept = (v: number): boolean =>
      v < initial || (rank[v] <= least && from[v] > lastFree && this.#intervals.was(v) && put[v] < last);
    return (k) => role[k] === OPEN_REMOVE || isFault(k) || (value[k] !== NONE && isKept(value[k]));
  }
}

/**
 * A priority queue of value numbers: how many of each rank are present, and which ranks are. Renamed duplicates count
 * as one value; they may differ in rank.
 *
 * A pending removal takes a value of the first rank whose removal is unknown. Any of several will do: they are never
 * seen again, or the monitor would have declined.
 */
class PriorityQueueModel {
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
const LEAVES = 0;
const NOTHING = 1;
const COMES = 2;
const CLASSES = 4;

/** Operations on one value within a slot: it comes, it is seen, it leaves. */
const IN = 0;
const SEEN = 1;
const OUT = 2;
const STAGES = 3;

/** More moves than this are left to a sort that is fast for many. */
const FEW_MOVES = 64;

/**
 * A linearization of a priority queue, once each operation has its slot.
 *
 * Slot by slot. Within a slot: first the values that leave or are seen there, highest priority first, with those that
 * come and leave there; then "empty" results; then the values that come, lowest priority first, each with its early
 * peeks.
 *
 * Operations are distributed to slots first and sorted within each, where they are few: a pass over all values by
 * priority would access memory at random. Cost: O(n log n) at most.
 *
 * `empties`: for each "empty" result, the moment at which it takes effect.
 */
function priorityQueueOrder(
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
