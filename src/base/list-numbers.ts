/**
 * Lists of 32-bit integers as numbers: equal lists get equal numbers, from 0 in
 * order of first sight.
 *
 * All stand one behind another in one array, so that comparing touches memory
 * that is near. Cost: O(length) a list; 4 bytes an integer and 20 to 28 a list.
 */
import { GrowingInts } from './growing.js';
import { grown } from './ints.js';

export class ListNumbers {
  /** All lists, each behind its length. */
  #items: Int32Array = new Int32Array(1024);
  #end = 0;
  /** List to its start in `#items`, and to its hash. */
  readonly #starts = new GrowingInts();
  readonly #hashes = new GrowingInts();
  /** Hash slot to list + 1, at most half full; 0 is free. */
  #slots: Int32Array = new Int32Array(1024);

  /** How many lists have been given a number. */
  get size(): number {
    return this.#hashes.length;
  }

  /** The number of the list of the first `length` entries. */
  numberOf(list: Int32Array, length: number): number {
    const hash = hashOf(list, length);
    const slot = this.#slotOf(hash, list, length);
    if (this.#slots[slot] !== 0) return this.#slots[slot] - 1;
    this.#hashes.push(hash);
    this.#slots[slot] = this.#hashes.length;
    this.#keep(list, length);
    if (2 * this.#hashes.length > this.#slots.length) this.#rehash();
    return this.#hashes.length - 1;
  }

  /** Has a list been given a number? */
  has(list: Int32Array, length: number): boolean {
    return this.#slots[this.#slotOf(hashOf(list, length), list, length)] !== 0;
  }

  /** The slot of a list, or the free one where it would be. */
  #slotOf(hash: number, list: Int32Array, length: number): number {
    const slots = this.#slots;
    let slot = hash & (slots.length - 1);
    for (let found = slots[slot]; found !== 0; found = slots[slot]) {
      if (this.#equals(this.#starts.at(found - 1), list, length)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
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
    for (let list = 0; list < this.#hashes.length; list++) {
      let slot = this.#hashes.at(list) & last;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
      this.#slots[slot] = list + 1;
    }
  }
}

function hashOf(list: Int32Array, length: number): number {
  let hash = length;
  for (let i = 0; i < length; i++) {
    hash = Math.imul(hash ^ list[i], 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}
