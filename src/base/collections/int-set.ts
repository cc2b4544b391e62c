/**
 * A set of small integers with successor and predecessor queries.
 *
 * Bits in 32-bit words; each higher level has one bit per non-empty word. Cost: O(log₃₂ n) per
 * call; n/31 words.
 */
export const NO_INT = -1;

export class IntSet {
  readonly #levels: Int32Array[] = [];

  /** The integers below `length`; initially none, or all if `full`. */
  constructor(length: number, { full = false }: { full?: boolean } = {}) {
    let bits = length;
    do {
      const words = new Int32Array((bits + 31) >>> 5 || 1);
      if (full) words.fill(-1, 0, bits >>> 5);
      if (full && (bits & 31) !== 0) words[bits >>> 5] = (1 << (bits & 31)) - 1;
      this.#levels.push(words);
      bits = words.length;
    } while (bits > 1);
  }

  has(item: number): boolean {
    return ((this.#levels[0][item >>> 5] >>> (item & 31)) & 1) === 1;
  }

  add(item: number): void {
    for (let level = 0, place = item; level < this.#levels.length; level++, place >>>= 5) {
      const words = this.#levels[level];
      const before = words[place >>> 5];
      words[place >>> 5] = before | (1 << (place & 31));
      if (before !== 0) return;
    }
  }

  delete(item: number): void {
    for (let level = 0, place = item; level < this.#levels.length; level++, place >>>= 5) {
      const words = this.#levels[level];
      words[place >>> 5] &= ~(1 << (place & 31));
      if (words[place >>> 5] !== 0) return;
    }
  }

  /** The least member that is at least `item`, or NO_INT. */
  next(item: number): number {
    for (let level = 0, place = item < 0 ? 0 : item; level < this.#levels.length; level++) {
      const words = this.#levels[level];
      if (place >>> 5 >= words.length) return NO_INT;
      const rest = words[place >>> 5] & (-1 << (place & 31));
      if (rest !== 0) return this.#descend(level, (place & ~31) + lowest(rest), lowest);
      place = (place >>> 5) + 1;
    }
    return NO_INT;
  }

  /** The greatest member that is at most `item`, or NO_INT. */
  previous(item: number): number {
    for (let level = 0, place = item; level < this.#levels.length; level++) {
      if (place < 0) return NO_INT;
      const rest = this.#levels[level][place >>> 5] & (-1 >>> (31 - (place & 31)));
      if (rest !== 0) return this.#descend(level, (place & ~31) + highest(rest), highest);
      place = (place >>> 5) - 1;
    }
    return NO_INT;
  }

  /** Descends from a non-empty word to a member in it. */
  #descend(from: number, at: number, bitOf: (word: number) => number): number {
    let place = at;
    for (let level = from - 1; level >= 0; level--) place = (place << 5) + bitOf(this.#levels[level][place]);
    return place;
  }
}

const lowest = (word: number): number => 31 - Math.clz32(word & -word);
const highest = (word: number): number => 31 - Math.clz32(word);
