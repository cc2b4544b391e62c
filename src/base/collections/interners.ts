/** Interns lists of integers, and texts given as bytes: equal ones get equal numbers, 0, 1, … in order of first occurrence. */
import { grown } from './ints.js';

/** Integers before the items of a list: its number and its length. */
const HEADER = 2;

/**
 * Lists of 32-bit integers, stored consecutively in one array, so that comparisons touch nearby memory. Cost: O(length) per
 * list; 4 bytes per integer and 16 to 24 per list.
 */
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

/** A longer text is not interned. */
export const MAX_TEXT_LENGTH = 48;
const MAX_TEXTS = 1 << 15;

/** The hash of a text extended by one byte; the hash of the empty text is 0. */
export const hashByte = (hash: number, byte: number): number =>
  Math.imul(hash ^ byte, 0x9e3779b1) ^ (hash >>> 15);

export function hashText(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = hashByte(hash, bytes[at]);
  return hash;
}

/** Decodes a short ASCII text. */
export const asciiText = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));

/**
 * Short ASCII texts given as bytes; a known text needs no string.
 *
 * The bytes of all texts are stored consecutively and found by a hash table with open addressing,
 * at most half full. The number of cached texts is limited: names and keys recur, and other texts
 * need not be kept.
 *
 * Cost: O(length of the text) per call.
 */
export class TextInterner {
  readonly #numberOf: (text: string) => number;
  #count = 0;
  /** Hash slot to text + 1; 0 is free. */
  #slots: Int32Array = new Int32Array(32);
  // text to its hash, its number, and the end of its bytes; the first text starts at 0
  #hashes: Int32Array = new Int32Array(16);
  #numbers: Int32Array = new Int32Array(16);
  #ends: Int32Array = new Int32Array(17);
  #bytes: Uint8Array = new Uint8Array(16 * MAX_TEXT_LENGTH);

  /** `numberOf` returns the number of a text, which must be constant. */
  constructor(numberOf: (text: string) => number) {
    this.#numberOf = numberOf;
  }

  /** The number of the text between `start` and `end`, at most `MAX_TEXT_LENGTH` bytes. */
  intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    let slot = hash & (slots.length - 1);
    for (let text = slots[slot] - 1; text >= 0; text = slots[slot] - 1) {
      if (this.#hashes[text] === hash && this.#equals(text, bytes, start, end)) return this.#numbers[text];
      slot = (slot + 1) & (slots.length - 1);
    }
    const number = this.#numberOf(asciiText(bytes, start, end));
    if (this.#count < MAX_TEXTS) this.#add(bytes.subarray(start, end), hash, number);
    return number;
  }

  #equals(text: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.#bytes;
    const from = this.#ends[text];
    if (this.#ends[text + 1] - from !== end - start) return false;
    for (let i = start; i < end; i++) if (own[from + i - start] !== bytes[i]) return false;
    return true;
  }

  #add(bytes: Uint8Array, hash: number, number: number): void {
    if (this.#count === this.#hashes.length) this.#grow();
    const text = this.#count++;
    this.#hashes[text] = hash;
    this.#numbers[text] = number;
    this.#bytes.set(bytes, this.#ends[text]);
    this.#ends[text + 1] = this.#ends[text] + bytes.length;
    this.#put(text);
  }

  #put(text: number): void {
    const slots = this.#slots;
    let slot = this.#hashes[text] & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = text + 1;
  }

  #grow(): void {
    const room = 2 * this.#count;
    this.#hashes = extended(this.#hashes, new Int32Array(room));
    this.#numbers = extended(this.#numbers, new Int32Array(room));
    this.#ends = extended(this.#ends, new Int32Array(room + 1));
    this.#bytes = extended(this.#bytes, new Uint8Array(room * MAX_TEXT_LENGTH));
    this.#slots = new Int32Array(2 * room);
    for (let text = 0; text < this.#count; text++) this.#put(text);
  }
}

function extended<A extends Int32Array | Uint8Array>(items: A, larger: A): A {
  larger.set(items);
  return larger;
}
