/**
 * Arrays of 32-bit integers, with plain loops: `from` and `map` call back for each item and are
 * many times slower.
 */

/** Bit sets in 32-bit words: tests a bit of the set that starts at `words[start]`. */
export const hasBit = (words: Int32Array, start: number, bit: number): boolean =>
  ((words[start + (bit >>> 5)] >>> (bit & 31)) & 1) === 1;

export function setBit(words: Int32Array, bit: number): void {
  words[bit >>> 5] |= 1 << (bit & 31);
}

export function clearBit(words: Int32Array, bit: number): void {
  words[bit >>> 5] &= ~(1 << (bit & 31));
}

/** The lowest set bit of a non-zero word. */
export const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);

/** The set bits of a word, ascending. */
export function bitsOf(word: number): number[] {
  const bits: number[] = [];
  for (let rest = word; rest !== 0; rest &= rest - 1) bits.push(lowestBit(rest));
  return bits;
}

/** 0, 1, … length - 1. */
export function range(length: number): Int32Array {
  const items = new Int32Array(length);
  for (let i = 0; i < length; i++) items[i] = i;
  return items;
}

/** The items at the given positions, in that order. */
export function pick(items: Int32Array, positions: Int32Array): Int32Array {
  const picked = new Int32Array(positions.length);
  for (let i = 0; i < positions.length; i++) picked[i] = items[positions[i]];
  return picked;
}

/** The distinct items in order of first occurrence; items must not be negative. */
export function distinct(items: Int32Array): number[] {
  const found: number[] = [];
  let seen = new Uint8Array(64);
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (seen[item] === 1) continue;
    if (item >= seen.length) {
      const larger = new Uint8Array(2 * item);
      larger.set(seen);
      seen = larger;
    }
    seen[item] = 1;
    found.push(item);
  }
  return found;
}

/** Byte length from which arrays grow eightfold. */
const LARGE_BYTES = 2 ** 25;

/**
 * A copy with room for at least `capacity` items, and at least twice as long. During a copy both
 * arrays exist, so large ones grow eightfold and are rarely copied; untouched memory is not
 * committed.
 */
export function grown(items: Int32Array, capacity: number): Int32Array {
  const factor = items.byteLength < LARGE_BYTES ? 2 : 8;
  const larger = new Int32Array(Math.max(capacity, factor * items.length));
  larger.set(items);
  return larger;
}

/* A heap */

const EMPTY = -1;

/** A binary heap of items 0, 1, …; the one with the least key is on top. Cost: O(log n) per change. */
export class IntHeap {
  readonly #keys: Int32Array;
  readonly #items: number[] = [];

  constructor(keys: Int32Array) {
    this.#keys = keys;
  }

  /** The item on top; -1 if there is none. */
  get first(): number {
    return this.#items[0] ?? EMPTY;
  }

  push(item: number): void {
    const items = this.#items;
    let place = items.push(item) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#keys[items[parent]] <= this.#keys[item]) break;
      items[place] = items[parent];
      place = parent;
    }
    items[place] = item;
  }

  pop(): void {
    const items = this.#items;
    const last = items.pop() ?? EMPTY;
    if (items.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#keys[items[child + 1]] < this.#keys[items[child]]) child++;
      if (this.#keys[items[child]] >= this.#keys[last]) break;
      items[place] = items[child];
      place = child;
    }
    items[place] = last;
  }
}
