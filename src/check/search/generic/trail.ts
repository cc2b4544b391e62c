/**
 * The effects so far, as a stack; and the remaining operations, as a linked list by call.
 *
 * Taking effect and backtracking are O(1): the list has dancing links. Wing and Gong's list holds returns too, and
 * the cursor stops at the first one; here that return is known, so the list needs only the operations.
 *
 * Invariant: the list and the stack together are the returning operations, each once; the stack also has the pending
 * ones that were used.
 */

import { range } from '../../../base/collections/ints.js';
import type { Columns } from '../../../history/model/columns.js';
import type { LongestOrder, Obstruction } from '../../model/search.js';
import { PrefixSet, type Slots } from './slots.js';

/** Instead of the state before an operation: it took effect without a choice. */
const NO_CHOICE = -1;

export class Trail {
  /** The stack: `order[0]` up to `order[length]`. */
  readonly order: Int32Array;
  length = 0;
  /** The same operations as a set. */
  readonly done: PrefixSet;
  /** The returning operations that have not taken effect, by call. */
  readonly left: LinkedLists;
  /** For each entry of the stack, the state before it, or NO_CHOICE. */
  readonly #stateBefore: Int32Array;
  readonly #columns: Columns;

  constructor(columns: Columns, slots: Slots) {
    const operations = columns.call.length;
    const returns = columns.events.filter((event) => event < 0).map((event) => ~event);
    this.order = new Int32Array(operations);
    this.done = new PrefixSet(returns, slots);
    this.left = new LinkedLists(operations, 1);
    for (let k = 0; k < operations; k++) if (slots.slotOf[k] >= 0) this.left.append(0, k);
    this.#stateBefore = new Int32Array(operations);
    this.#columns = columns;
  }

  get bytes(): number {
    return this.left.bytes + this.done.bytes + 2 * this.order.byteLength;
  }

  /** The operation that must return next. */
  get must(): number {
    return this.done.returns[this.done.position];
  }

  /** Whether it was called before the first return of the remaining operations. */
  isOpen(k: number): boolean {
    const { call, return: returned } = this.#columns;
    return call[k] < returned[this.must];
  }

  /** Whether all that it comes "after" have taken effect. */
  isReady(k: number): boolean {
    const { after } = this.#columns;
    if (!after) return true;
    for (let i = after.start[k]; i < after.start[k + 1]; i++)
      if (this.done.has[after.items[i]] === 0) return false;
    return true;
  }

  /** `stateBefore` of a choice: the state to backtrack to. */
  takeEffect(k: number, stateBefore: number = NO_CHOICE): void {
    this.order[this.length] = k;
    this.#stateBefore[this.length++] = stateBefore;
    this.left.remove(k);
    this.done.add(k);
  }

  /** The entry of the last choice, or -1. */
  lastChoice(): number {
    let entry = this.length - 1;
    while (entry >= 0 && this.#stateBefore[entry] === NO_CHOICE) entry--;
    return entry;
  }

  /** Takes back this choice and all that followed it; returns the state before it. */
  takeBack(choice: number): number {
    while (this.length > choice) {
      const k = this.order[--this.length];
      this.done.takeBack(k);
      this.left.restore(k);
    }
    return this.#stateBefore[choice];
  }
}

/** A stored order: `items[0]` up to `items[length]`, of which the first `common` agree with the search. */
interface Kept {
  readonly items: Int32Array;
  length: number;
  common: number;
  state: number;
}

/**
 * How far a search without stored configurations has got: the furthest return, the states before it, and orders that
 * lead to two of them.
 *
 * The order of the search changes while it runs. A copy is made only on backtracking, and only of what has changed
 * since the last copy: `common` is the length on which both agree. So all copies together cost no more than the
 * search itself.
 */
export class Furthest {
  /** How many returns some linearization includes. */
  position = -1;
  readonly #states = new Set<number>();
  readonly #kept: readonly [Kept, Kept];
  /** Whether the first stored order is not yet copied. */
  #isAlive = false;

  constructor(operations: number) {
    const keep = (): Kept => ({ items: new Int32Array(operations), length: 0, common: 0, state: -1 });
    this.#kept = [keep(), keep()];
  }

  get bytes(): number {
    return 2 * this.#kept[0].items.byteLength + 40 * this.#states.size;
  }

  /**
   * Records that the search is before the return at this position, in this state, by the first `length` entries of
   * its order.
   */
  note(position: number, state: number, order: Int32Array, length: number): void {
    if (position < this.position) return;
    if (position > this.position) {
      this.position = position;
      this.#states.clear();
    }
    if (this.#states.has(state)) return;
    this.#states.add(state);
    if (this.#states.size > 2) return;
    const kept = this.#kept[this.#states.size - 1];
    kept.state = state;
    kept.length = length;
    if (this.#states.size === 1) this.#isAlive = true;
    else copy(order, kept);
  }

  /** The search is about to backtrack to the first `length` entries of its order. */
  goBack(order: Int32Array, length: number): void {
    if (this.#isAlive) copy(order, this.#kept[0]);
    this.#isAlive = false;
    for (const kept of this.#kept) kept.common = Math.min(kept.common, length);
  }

  /** The result when the search has backtracked to the start. */
  obstruction(moment: number): Obstruction {
    const states = [...this.#states];
    return {
      moment,
      states,
      isExhaustive: true,
      longest: () =>
        this.#kept
          .slice(0, states.length)
          .map(({ items, length, state }): LongestOrder => ({ order: items.slice(0, length), state })),
    };
  }
}

function copy(order: Int32Array, kept: Kept): void {
  for (let i = kept.common; i < kept.length; i++) kept.items[i] = order[i];
  kept.common = kept.length;
}

/**
 * Doubly linked lists of small integers with O(1) removal and restoration.
 *
 *   D. Knuth. Dancing links. 2000.
 *
 * A removed item keeps its own links, so it can be restored in place, provided that items are
 * restored in reverse order. Each of the items 0, 1, … is in at most one list. A list is a ring
 * through its head, and the head of list `l` is `items + l`: a list ends at the first entry that is
 * not below `items`. An item in no list is a ring by itself; removing it has no effect.
 *
 * Cost: 8 bytes per item and per list.
 */
export class LinkedLists {
  /** Item or head to its successor. */
  readonly next: Int32Array;
  readonly #previous: Int32Array;
  readonly #items: number;

  constructor(items: number, lists: number) {
    this.next = range(items + lists);
    this.#previous = range(items + lists);
    this.#items = items;
  }

  get bytes(): number {
    return this.next.byteLength + this.#previous.byteLength;
  }

  /** The first item of a list, or its head if it is empty. */
  first(list: number): number {
    return this.next[this.#items + list];
  }

  isEmpty(list: number): boolean {
    return this.first(list) === this.#items + list;
  }

  /** Adds an item at the end of a list. */
  append(list: number, item: number): void {
    const head = this.#items + list;
    const last = this.#previous[head];
    this.next[last] = item;
    this.#previous[item] = last;
    this.next[item] = head;
    this.#previous[head] = item;
  }

  remove(item: number): void {
    this.next[this.#previous[item]] = this.next[item];
    this.#previous[this.next[item]] = this.#previous[item];
  }

  /** Restores the item that was removed last. */
  restore(item: number): void {
    this.next[this.#previous[item]] = item;
    this.#previous[this.next[item]] = item;
  }
}
