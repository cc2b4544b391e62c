/**
 * Lists of 32-bit integers as numbers: equal lists get equal numbers, from 0 in
 * order of first sight.
 *
 * All stand one behind another in one array, so that comparing touches memory
 * that is near. Cost: O(length) a list; 4 bytes an integer and 20 to 28 a list.
 */
import { grown } from './ints.js';

export class ListNumbers {
  /** All lists, each behind its length. */
  #items: Int32Array = new Int32Array(1024);
  #end = 0;
  /** List to its start in `#items`, and to its hash. */
  readonly #starts: number[] = [];
  readonly #hashes: number[] = [];
  /** Hash slot to list + 1, at most half full; 0 is free. */
  #slots: Int32Array = new Int32Array(1024);

  /** The number of the list of the first `length` entries. */
  numberOf(list: Int32Array, length: number): number {
    let hash = length;
    for (let i = 0; i < length; i++) {
      hash = Math.imul(hash ^ list[i], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    const slots = this.#slots;
    let slot = hash & (slots.length - 1);
    for (let found = slots[slot]; found !== 0; found = slots[slot]) {
      if (this.#equals(this.#starts[found - 1], list, length)) return found - 1;
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = this.#hashes.push(hash);
    this.#keep(list, length);
    if (2 * this.#hashes.length > slots.length) this.#rehash();
    return this.#hashes.length - 1;
  }

  #equals(start: number, list: Int32Array, length: number): boolean {
    const items = this.#items;
    if (items[start] !== length) return false;
    for (let i = 0; i < length; i++) if (items[start + 1 + i] !== list[i]) return false;
    return true;
  }

  #keep(list: Int32Array, length: number): void {
    const end = this.#end + 1 + length;
    if (end > this.#items.length) this.#items = grown(this.#items, end);
    this.#starts.push(this.#end);
    this.#items[this.#end] = length;
    for (let i = 0; i < length; i++) this.#items[this.#end + 1 + i] = list[i];
    this.#end = end;
  }

  #rehash(): void {
    const last = 2 * this.#slots.length - 1;
    this.#slots = new Int32Array(last + 1);
    this.#hashes.forEach((hash, list) => {
      let slot = hash & last;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
      this.#slots[slot] = list + 1;
    });
  }
}
