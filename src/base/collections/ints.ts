/** Lists of 32-bit integers, by plain loops: the built-in `from` and `map` call back for each entry and are many times slower. */

/* Sets of small numbers as bits of 32-bit words; the set starts at `words[start]`. */

export const hasBit = (words: Int32Array, start: number, bit: number): boolean =>
  ((words[start + (bit >>> 5)] >>> (bit & 31)) & 1) === 1;

export function setBit(words: Int32Array, bit: number): void {
  words[bit >>> 5] |= 1 << (bit & 31);
}

export function clearBit(words: Int32Array, bit: number): void {
  words[bit >>> 5] &= ~(1 << (bit & 31));
}

/** The lowest bit of a word that is not 0. */
export const lowest = (word: number): number => 31 - Math.clz32(word & -word);

/** The bits of a word, ascending. */
export function bitsOf(word: number): number[] {
  const bits: number[] = [];
  for (let rest = word; rest !== 0; rest &= rest - 1) bits.push(lowest(rest));
  return bits;
}

/** 0, 1, … length - 1. */
export function range(length: number): Int32Array {
  const items = new Int32Array(length);
  for (let i = 0; i < length; i++) items[i] = i;
  return items;
}

/** The entries at the given positions, in that order. */
export function pick(items: Int32Array, positions: Int32Array): Int32Array {
  const picked = new Int32Array(positions.length);
  for (let i = 0; i < positions.length; i++) picked[i] = items[positions[i]];
  return picked;
}

/** The different entries, none of which is negative, in order of first sight. */
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

/** From this size on, arrays grow eightfold. */
const LARGE = 2 ** 25;

/**
 * The same entries in an array with room for at least `capacity`, which is at least twice as large.
 * While one is copied it is there twice, so a large one is seldom copied: room that was never
 * written to takes no memory.
 */
export function grown(items: Int32Array, capacity: number): Int32Array {
  const factor = items.byteLength < LARGE ? 2 : 8;
  const larger = new Int32Array(Math.max(capacity, factor * items.length));
  larger.set(items);
  return larger;
}
