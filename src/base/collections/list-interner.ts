/**
 * Interns lists of 32-bit integers: equal lists get equal numbers, 0, 1, … in order of first
 * occurrence.
 *
 * All lists are stored consecutively in one array, so comparisons touch nearby memory. Cost:
 * O(length) per list; 4 bytes per integer and 16 to 24 per list.
 */
import { grown } from './ints.js';

/** Integers before the items of a list: its number and its length. */
const HEADER = 2;

export class ListInterner {
  /** All lists, each after its header. */
  #lists: Int32Array = new Int32Array(256);
  #end = 0;
  #count = 0;
  /** Hash slot to the position of a list in `#lists` + 1; at most half full; 0 is free. */
  #slots: Int32Array = new Int32Array(128);

  /** The number of interned lists. */
  get size(): number {
    return this.#count;
  }

  /** The number of the list of the first `length` items. */
  intern(list: Int32Array, length: number): number {
    const slot = this.#slotOf(list, length);
    const found = this.#slots[slot];
    if (found !== 0) return this.#lists[found - 1];
    this.#slots[slot] = this.#end + 1;
    this.#keep(list, length);
    if (2 * ++this.#count > this.#slots.length) this.#rehash();
    return this.#count - 1;
  }

  /** True if a list is interned. */
  has(list: Int32Array, length: number): boolean {
    return this.#slots[this.#slotOf(list, length)] !== 0;
  }

  /** The slot of a list, or the free slot for it. */
  #slotOf(list: Int32Array, length: number): number {
    const slots = this.#slots;
    let slot = hashOf(list, 0, length) & (slots.length - 1);
    for (let found = slots[slot]; found !== 0; found = slots[slot]) {
      if (this.#equals(found - 1, list, length)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  #equals(position: number, list: Int32Array, length: number): boolean {
    const lists = this.#lists;
    if (lists[position + 1] !== length) return false;
    for (let i = 0; i < length; i++) if (lists[position + HEADER + i] !== list[i]) return false;
    return true;
  }

  #keep(list: Int32Array, length: number): void {
    const start = this.#end + HEADER;
    if (start + length > this.#lists.length) this.#lists = grown(this.#lists, start + length);
    this.#lists[this.#end] = this.#count;
    this.#lists[this.#end + 1] = length;
    for (let i = 0; i < length; i++) this.#lists[start + i] = list[i];
    this.#end = start + length;
  }

  #rehash(): void {
    const lists = this.#lists;
    const last = 2 * this.#slots.length - 1;
    this.#slots = new Int32Array(last + 1);
    for (let position = 0; position < this.#end; position += HEADER + lists[position + 1]) {
      let slot = hashOf(lists, position + HEADER, lists[position + 1]) & last;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & last;
      this.#slots[slot] = position + 1;
    }
  }
}

function hashOf(items: Int32Array, start: number, length: number): number {
  let hash = length;
  for (let i = start; i < start + length; i++) {
    hash = Math.imul(hash ^ items[i], 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}
