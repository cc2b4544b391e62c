/** Sets and maps of small integers: disjoint sets, a map from pairs, a set with successors and predecessors. */
import { range } from './ints.js';

/* Disjoint sets over 0 … n-1, with union by size and path halving. Cost: nearly O(1) per call. */

export class UnionFind {
  #parent: Int32Array;
  #size: Int32Array;

  constructor(length: number) {
    this.#parent = range(length);
    this.#size = new Int32Array(length).fill(1);
  }

  find(item: number): number {
    const parent = this.#parent;
    let root = item;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]];
      root = parent[root];
    }
    return root;
  }

  union(a: number, b: number): void {
    let large = this.find(a);
    let small = this.find(b);
    if (large === small) return;
    if (this.#size[large] < this.#size[small]) [large, small] = [small, large];
    this.#parent[small] = large;
    this.#size[large] += this.#size[small];
  }
}

/*
 * A map from pairs of non-negative 32-bit integers to one such integer or -1.
 *
 * Open addressing with linear probing in one array of triples (first, second, value), at most half
 * full. Cost: O(1) per call, 24 to 48 bytes per entry.
 */

/** The result of `get` for an absent pair. */
export const ABSENT = -2;

export class PairMap {
  size = 0;
  /** Three cells per slot; a slot is free if its first cell is -1. */
  #cells: Int32Array = new Int32Array(3 * 64).fill(-1);
  #last = 63;

  /** Memory in use, plus what the table needs temporarily if it is about to grow. */
  get bytes(): number {
    const isNearlyFull = 2.2 * this.size > this.#last;
    return (isNearlyFull ? 3 : 1) * this.#cells.byteLength;
  }

  get(first: number, second: number): number {
    const cells = this.#cells;
    let slot = hash(first, second) & this.#last;
    for (;;) {
      const cell = 3 * slot;
      if (cells[cell] === first && cells[cell + 1] === second) return cells[cell + 2];
      if (cells[cell] === -1) return ABSENT;
      slot = (slot + 1) & this.#last;
    }
  }

  /** Adds an absent pair. */
  add(first: number, second: number, value: number): void {
    if (2 * (this.size + 1) > this.#last + 1) this.#grow();
    this.#place(first, second, value);
    this.size++;
  }

  #place(first: number, second: number, value: number): void {
    const cells = this.#cells;
    let slot = hash(first, second) & this.#last;
    while (cells[3 * slot] !== -1) slot = (slot + 1) & this.#last;
    cells[3 * slot] = first;
    cells[3 * slot + 1] = second;
    cells[3 * slot + 2] = value;
  }

  #grow(): void {
    const old = this.#cells;
    this.#cells = new Int32Array(2 * old.length).fill(-1);
    this.#last = 2 * this.#last + 1;
    for (let cell = 0; cell < old.length; cell += 3)
      if (old[cell] !== -1) this.#place(old[cell], old[cell + 1], old[cell + 2]);
  }
}

function hash(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

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
