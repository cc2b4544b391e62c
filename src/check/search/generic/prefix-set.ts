/**
 * A set of operations as few integers: how many of them, by return, are all in it, and
 * those few beyond.
 *
 *   returns    r0  r1  r2  r3  r4  r5  r6 …
 *   in it      x   x   x       x       x
 *   position: 3; mask: the slots of r4 and r6
 *
 * A search lets an operation take effect only while the first one left is still open.
 * So all those beyond the position are open at its return, where no two operations
 * have one slot: position and mask tell the whole set, however long the history is.
 *
 * Cost: O(1) a call, amortised along the way of a search.
 */
import { clearBit, setBit } from '../../../base/collections/bits.js';
import type { Slots } from './slots.js';

export class PrefixSet {
  /** By return, the operations that may be added, but for those that never return. */
  readonly returns: Int32Array;
  /** How many of them, from the first one on, are in the set. */
  position = 0;
  /** The others that are in the set. */
  readonly mask: Int32Array;
  /** Operation to whether it is in the set. */
  readonly has: Uint8Array;
  /** Operation to its place in `returns`; behind all others where it never returns. */
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

  /** Takes out what was added last. */
  takeBack(k: number): void {
    while (this.position > this.#rank[k]) setBit(this.mask, this.#bitOf[this.returns[--this.position]]);
    clearBit(this.mask, this.#bitOf[k]);
    this.has[k] = 0;
  }
}
