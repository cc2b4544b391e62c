/** Sets of small numbers as bits of 32-bit words; the set starts at `words[start]`. */

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
