import { grown } from './ints.js';

/** A list of 32-bit integers that grows by doubling: push is O(1) amortised, 4 to 8 bytes an entry. */
export class GrowingInts {
  length = 0;
  #items: Int32Array;

  constructor(capacity = 64) {
    this.#items = new Int32Array(capacity);
  }

  push(item: number): void {
    if (this.length === this.#items.length) this.#items = grown(this.#items, this.length + 1);
    this.#items[this.length++] = item;
  }

  set(index: number, item: number): void {
    this.#items[index] = item;
  }

  at(index: number): number {
    return this.#items[index];
  }

  /** A copy of exactly the entries so far. */
  toArray(): Int32Array {
    return this.#items.slice(0, this.length);
  }
}
