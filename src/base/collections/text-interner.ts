/**
 * Numbers of short ASCII texts, asked for by their bytes: of one that was asked for
 * before, no string is made.
 *
 * The bytes of all texts stand one behind another; a hash table finds them, by open
 * addressing with linear probing, at most half full. So many are remembered and no
 * more: names and keys come again and again, and what does not need not be kept.
 *
 * Cost: O(length of the text) a call.
 */
export const LONGEST_TEXT = 48;
const MOST = 1 << 15;

/** The hash of a text with one more byte; that of the empty text is 0. */
export const hashByte = (hash: number, byte: number): number =>
  Math.imul(hash ^ byte, 0x9e3779b1) ^ (hash >>> 15);

export function hashText(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = hashByte(hash, bytes[at]);
  return hash;
}

/** A short text of ASCII. */
export const asciiText = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));

export class TextNumbers {
  readonly #numberOf: (text: string) => number;
  #count = 0;
  /** Hash slot to text + 1; 0 is free. */
  #slots: Int32Array = new Int32Array(32);
  // text to its hash, its number, and the end of its bytes: the first text starts at 0
  #hashes: Int32Array = new Int32Array(16);
  #numbers: Int32Array = new Int32Array(16);
  #ends: Int32Array = new Int32Array(17);
  #bytes: Uint8Array = new Uint8Array(16 * LONGEST_TEXT);

  /** `numberOf` gives the number of a text, which stays the same. */
  constructor(numberOf: (text: string) => number) {
    this.#numberOf = numberOf;
  }

  /** The number of the text from `start` up to `end`, of at most `LONGEST_TEXT` bytes. */
  number(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    let slot = hash & (slots.length - 1);
    for (let text = slots[slot] - 1; text >= 0; text = slots[slot] - 1) {
      if (this.#hashes[text] === hash && this.#equals(text, bytes, start, end)) return this.#numbers[text];
      slot = (slot + 1) & (slots.length - 1);
    }
    const number = this.#numberOf(asciiText(bytes, start, end));
    if (this.#count < MOST) this.#add(bytes.subarray(start, end), hash, number);
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
    this.#bytes = extended(this.#bytes, new Uint8Array(room * LONGEST_TEXT));
    this.#slots = new Int32Array(2 * room);
    for (let text = 0; text < this.#count; text++) this.#put(text);
  }
}

function extended<A extends Int32Array | Uint8Array>(items: A, larger: A): A {
  larger.set(items);
  return larger;
}
