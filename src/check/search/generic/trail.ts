/**
 * What has taken effect so far, as a stack; and what is left, as a linked list by call.
 *
 * Taking effect and taking back are O(1): the list is one of dancing links. Wing & Gong's
 * list holds returns too, and the cursor stops at the first one; here that return is
 * known, so the list needs no more than the operations.
 *
 * Invariant: the list and the stack together are the operations that return, each once;
 * the stack also has those that never return and have been used.
 */
import { LinkedLists } from '../../../base/collections/linked-lists.js';
import type { Columns } from '../../../history/model/columns.js';
import { PrefixSet, type Slots } from './slots.js';

/** In place of the state before an operation: it took effect without a choice. */
const NO_CHOICE = -1;

export class Trail {
  /** The stack: `order[0]` up to `order[length]`. */
  readonly order: Int32Array;
  length = 0;
  /** The same operations as a set. */
  readonly done: PrefixSet;
  /** The operations that return and have not taken effect, by call. */
  readonly left: LinkedLists;
  /** Entry of the stack to the state before it, or NO_CHOICE. */
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

  /** Was it called before the first return of those left? */
  isOpen(k: number): boolean {
    const { call, return: returned } = this.#columns;
    return call[k] < returned[this.must];
  }

  /** Has all taken effect that it comes "after"? */
  isReady(k: number): boolean {
    const { after } = this.#columns;
    if (!after) return true;
    for (let i = after.start[k]; i < after.start[k + 1]; i++)
      if (this.done.has[after.items[i]] === 0) return false;
    return true;
  }

  /** `stateBefore` of a choice: what to go back to. */
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

  /** Takes back this choice and all that followed it; gives the state before it. */
  takeBack(choice: number): number {
    while (this.length > choice) {
      const k = this.order[--this.length];
      this.done.takeBack(k);
      this.left.restore(k);
    }
    return this.#stateBefore[choice];
  }
}
