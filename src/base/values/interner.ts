/**
 * Interns values: equal values get equal numbers, 0, 1, … in order of first occurrence. Equality is
 * defined in canonical.ts.
 *
 * Primitives are looked up directly (a Map compares as required: NaN equals NaN, 0 equals -0),
 * other values by canonical key. 32-bit integers, of which a history may have millions, have their
 * own index.
 */
import { Canonical, isPrimitive } from './canonical.js';

/** Interns values of any kind. */
export class Interner {
  /** Number to value: the first of the equal values. */
  readonly values: unknown[];
  readonly #ints: IntIndex;
  readonly #primitives: LargeMap<unknown, number>;
  readonly #keys: LargeMap<string, number>;
  readonly #canonical: Canonical;
  /** Total length of the keys, as an estimate of the size of the values. */
  #keyLength: number;
  /** The last primitive and its number; consecutive values are often equal. */
  #last: unknown = {};
  #lastNumber = 0;

  /** With the values of another, under the same numbers. Cost: a copy of the values and of the index of integers. */
  constructor(other?: Interner) {
    this.values = other ? other.values.slice() : [];
    this.#ints = new IntIndex(other ? other.#ints : undefined);
    this.#primitives = other ? other.#primitives.extended() : new LargeMap();
    this.#keys = other ? other.#keys.extended() : new LargeMap();
    this.#canonical = other ? other.#canonical : new Canonical();
    this.#keyLength = other ? other.#keyLength : 0;
  }

  intern(value: unknown): number {
    if (isInt(value)) {
      const known = this.#ints.find(value);
      if (known >= 0) return known;
      this.#ints.add(value, this.values.length);
      return this.values.push(value) - 1;
    }
    if (value === this.#last) return this.#lastNumber;
    if (isPrimitive(value)) {
      this.#lastNumber = this.#number(this.#primitives, value, value);
      this.#last = value;
      return this.#lastNumber;
    }
    const key = this.#canonical.key(value);
    const before = this.values.length;
    const number = this.#number(this.#keys, key, value);
    if (number === before) this.#keyLength += key.length;
    return number;
  }

  /** Estimated memory of the values and their keys. */
  get bytes(): number {
    return 24 * this.#ints.size + 100 * (this.values.length - this.#ints.size) + 4 * this.#keyLength;
  }

  /** The number of a value; undefined if it is not interned. */
  find(value: unknown): number | undefined {
    if (isInt(value)) {
      const known = this.#ints.find(value);
      return known < 0 ? undefined : known;
    }
    return isPrimitive(value) ? this.#primitives.get(value) : this.#keys.get(this.#canonical.key(value));
  }

  #number<K>(numbers: LargeMap<K, number>, key: K, value: unknown): number {
    let number = numbers.get(key);
    if (number === undefined) {
      number = this.values.push(value) - 1;
      numbers.add(key, number);
    }
    return number;
  }
}

/** True for 32-bit integers, including -0. */
function isInt(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

/**
 * A map from 32-bit integers to their positions in a list.
 *
 * Integers of a dense range from 0 index an array of positions. Others are in a hash table with
 * open addressing and linear probing, at most three quarters full, with integer and position
 * adjacent in memory. The range doubles when a new integer beyond it is less than twice the number
 * of integers; entries of the hash table within it move. A built-in Map would need twice the memory
 * and is limited to 2^24 entries.
 *
 * Cost: amortised O(1) per call; 4 to 16 bytes per integer of the range, 11 to 21 bytes per other
 * integer.
 */
export class IntIndex {
  size: number;
  /** Integer of the range to its position + 1, or 0. */
  #range: Int32Array;
  /** Two cells per slot: the integer, and its position + 1, which is 0 if the slot is free. */
  #cells: Int32Array;
  #last: number;
  #hashed: number;

  /** With the integers of another. */
  constructor(other?: IntIndex) {
    this.size = other ? other.size : 0;
    this.#range = other ? other.#range.slice() : new Int32Array(16);
    this.#cells = other ? other.#cells.slice() : new Int32Array(2 * 16);
    this.#last = other ? other.#last : 15;
    this.#hashed = other ? other.#hashed : 0;
  }

  /** The position of an integer, or -1. */
  find(int: number): number {
    if (int >= 0 && int < this.#range.length) return this.#range[int] - 1;
    const cells = this.#cells;
    for (let slot = hash(int) & this.#last; cells[2 * slot + 1] !== 0; slot = (slot + 1) & this.#last)
      if (cells[2 * slot] === int) return cells[2 * slot + 1] - 1;
    return -1;
  }

  /** Adds an absent integer. */
  add(int: number, position: number): void {
    this.size++;
    if (int >= this.#range.length && int < 2 * this.size) this.#widen();
    if (int >= 0 && int < this.#range.length) this.#range[int] = position + 1;
    else {
      if (4 * (this.#hashed + 1) > 3 * this.#last) this.#rehash(2 * this.#cells.length);
      this.#put(int, position + 1);
    }
  }

  #put(int: number, cell: number): void {
    this.#hashed++;
    const cells = this.#cells;
    let slot = hash(int) & this.#last;
    while (cells[2 * slot + 1] !== 0) slot = (slot + 1) & this.#last;
    cells[2 * slot] = int;
    cells[2 * slot + 1] = cell;
  }

  /** Doubles the range until it is twice the number of integers. */
  #widen(): void {
    const before = this.#range;
    let { length } = before;
    while (length < 2 * this.size) length *= 2;
    this.#range = new Int32Array(length);
    this.#range.set(before);
    if (this.#hashed > 0) this.#rehash(this.#cells.length);
  }

  /** Rebuilds the hash table; integers of the range move to the array. */
  #rehash(length: number): void {
    const old = this.#cells;
    this.#cells = new Int32Array(length);
    this.#last = length / 2 - 1;
    this.#hashed = 0;
    for (let cell = 0; cell < old.length; cell += 2) {
      const [int, position] = [old[cell], old[cell + 1]];
      if (position === 0) continue;
      if (int >= 0 && int < this.#range.length) this.#range[int] = position;
      else this.#put(int, position);
    }
  }
}

/** Sixteen consecutive integers stay adjacent, because callers often ask for consecutive ones. */
function hash(int: number): number {
  const row = int >> 4;
  const mixed = Math.imul(row ^ (row >>> 16), 0x9e3779b1);
  return ((mixed ^ (mixed >>> 15)) << 4) | (int & 15);
}

/** The limit of a built-in Map, which throws beyond it. */
const MAX_ENTRIES = 2 ** 24;

/** A map without the size limit of a built-in Map. Cost: O(1) per call, plus one look-up per 2^24 entries. */
export class LargeMap<K, V extends object | number | string> {
  readonly #most: number;
  /** Only the last one grows. */
  readonly #maps: Map<K, V>[];

  constructor(most: number = MAX_ENTRIES, maps: readonly Map<K, V>[] = []) {
    this.#most = most;
    this.#maps = [...maps, new Map()];
  }

  /** A map with these entries and later ones of its own. Both keep sharing the present entries. */
  extended(): LargeMap<K, V> {
    if (this.#maps[this.#maps.length - 1].size > 0) this.#maps.push(new Map());
    return new LargeMap(this.#most, this.#maps.slice(0, -1));
  }

  get size(): number {
    return this.#maps.reduce((sum, { size }) => sum + size, 0);
  }

  get(key: K): V | undefined {
    for (let i = 0; i < this.#maps.length; i++) {
      const value = this.#maps[i].get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Adds an absent key. */
  add(key: K, value: V): void {
    const last = this.#maps[this.#maps.length - 1];
    if (last.size < this.#most) last.set(key, value);
    else this.#maps.push(new Map([[key, value]]));
  }
}
