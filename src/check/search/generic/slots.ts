/**
 * Small numbers for open operations, so that a set of them is a few bits.
 *
 * Each returning operation has a *slot* while it is open, and slots are reused: there are as many as operations are
 * ever open at once. Pending operations are open from their call on; they are a separate list, by call, and have the
 * bits after all slots.
 *
 * Cost: O(events).
 */

import { GrowingInts } from '../../../base/collections/growing.js';
import { clearBit, hasBit, setBit } from '../../../base/collections/ints.js';
import { type Columns, NEVER } from '../../../history/model/columns.js';

export class Slots {
  /** The number of slots, and of 32-bit words with a bit for each. */
  readonly slots: number;
  readonly words: number;
  /** For each operation, its slot; -1 for pending ones. */
  readonly slotOf: Int32Array;
  /** The pending operations, by call. */
  readonly unreturned: Int32Array;
  /** The pending operations that took effect, because others come "after" them. */
  readonly needed: ReadonlySet<number>;
  /**
   * For each operation, its bit in a mask of effects: its slot, or, after all slots, its place among the pending
   * ones.
   */
  readonly bitOf: Int32Array;
  /** The number of words of such a mask. */
  readonly maskWords: number;
  /** How many words at its end are of operations that need not have taken effect, so that fewer bits are better. */
  readonly usedWords: number;
  /**
   * For each pending operation, the equal one called last before it, or -1. They are interchangeable, so the earlier
   * may go first.
   */
  readonly equalBefore: Int32Array;
  readonly #columns: Columns;

  constructor(columns: Columns, letters: Int32Array) {
    const { events, return: returned } = columns;
    // the slot freed last is used first, which keeps the number low
    const slotOf = new Int32Array(columns.call.length).fill(-1);
    const unreturned = new GrowingInts();
    const free: number[] = [];
    let slots = 0;
    for (let m = 0; m < events.length; m++) {
      const event = events[m];
      if (event < 0) free.push(slotOf[~event]);
      else if (returned[event] === NEVER) unreturned.push(event);
      else slotOf[event] = free.pop() ?? slots++;
    }

    this.#columns = columns;
    this.slots = slots;
    this.words = Math.ceil(slots / 32);
    this.slotOf = slotOf;
    this.unreturned = unreturned.toArray();
    this.needed = new Set(columns.after?.items.filter((k) => returned[k] === NEVER));
    this.bitOf = unreturned.length === 0 ? slotOf : slotOf.slice();
    for (let i = 0; i < unreturned.length; i++) this.bitOf[unreturned.at(i)] = 32 * this.words + i;
    this.maskWords = this.words + Math.ceil(unreturned.length / 32);
    this.usedWords = this.needed.size > 0 ? 0 : this.maskWords - this.words;
    this.equalBefore = lastEqualBefore(this.unreturned, letters, columns);
  }

  /**
   * Whether an open operation may take effect at a moment: all that it comes "after" have. The mask starts at
   * `mask[start]`.
   */
  isReadyAt(moment: number, k: number, mask: Int32Array, start: number): boolean {
    const { after } = this.#columns;
    if (!after) return true;
    const { call, return: returned } = this.#columns;
    for (let i = after.start[k]; i < after.start[k + 1]; i++) {
      const earlier = after.items[i];
      if (returned[earlier] < moment) continue;
      if (call[earlier] > moment || !hasBit(mask, start, this.bitOf[earlier])) return false;
    }
    return true;
  }
}

/**
 * For each operation of a list, the last one before it in the list that has its letter, or -1. Operations that come
 * "after" others are not interchangeable, even if their letters are equal.
 */
export function lastEqualBefore(list: Int32Array, letters: Int32Array, { after }: Columns): Int32Array {
  const equalBefore = new Int32Array(letters.length).fill(-1);
  if (after) return equalBefore;
  let letterCount = 0;
  for (let k = 0; k < letters.length; k++) letterCount = Math.max(letterCount, letters[k] + 1);
  const last = new Int32Array(letterCount).fill(-1);
  for (let i = 0; i < list.length; i++) {
    const k = list[i];
    equalBefore[k] = last[letters[k]];
    last[letters[k]] = k;
  }
  return equalBefore;
}

/*
 * A set of operations as few integers: how many of them, by return, are all in it, and the few beyond.
 *
 *   returns    r0  r1  r2  r3  r4  r5  r6 …
 *   in it      x   x   x       x       x
 *   position: 3; mask: the slots of r4 and r6
 *
 * A search lets an operation take effect only while the first remaining one is still open. So all those beyond the
 * position are open at its return, where no two operations share a slot: position and mask determine the whole set,
 * however long the history is.
 *
 * Cost: O(1) per call, amortised along the path of a search.
 */

export class PrefixSet {
  /** The operations that may be added, by return, without pending ones. */
  readonly returns: Int32Array;
  /** How many of them, from the first on, are in the set. */
  position = 0;
  /** The others that are in the set. */
  readonly mask: Int32Array;
  /** For each operation, whether it is in the set. */
  readonly has: Uint8Array;
  /** For each operation, its place in `returns`; after all others if it is pending. */
  readonly #rank: Int32Array;
  readonly #bitOf: Int32Array;

  constructor(returns: Int32Array, { bitOf, maskWords }: Slots) {
    this.returns = returns;
    this.mask = new Int32Array(maskWords);
    this.has = new Uint8Array(bitOf.length);
    this.#bitOf = bitOf;
    this.#rank = new Int32Array(bitOf.length).fill(returns.length);
    for (let position = 0; position < returns.length; position++) this.#rank[returns[position]] = position;
  }

  get bytes(): number {
    return this.returns.byteLength + this.#rank.byteLength + this.has.byteLength;
  }

  add(k: number): void {
    this.has[k] = 1;
    setBit(this.mask, this.#bitOf[k]);
    while (this.position < this.returns.length && this.has[this.returns[this.position]] === 1)
      clearBit(this.mask, this.#bitOf[this.returns[this.position++]]);
  }

  /** Removes what was added last. */
  takeBack(k: number): void {
    while (this.position > this.#rank[k]) setBit(this.mask, this.#bitOf[this.returns[--this.position]]);
    clearBit(this.mask, this.#bitOf[k]);
    this.has[k] = 0;
  }
}
