/**
 * Values as small integers: equal values get equal numbers, from 0 in order of
 * first sight. What "equal" means is told in canonical.ts.
 *
 * Primitives are looked up as they are (a Map compares as we do: NaN is NaN,
 * 0 is -0), everything else by its canonical key. Integers, of which a history
 * may have millions, have a table of their own.
 */
import { Canonical } from './canonical.js';

/**
 * Places of 32-bit integers in a list, of which each has one.
 *
 * Who counts from 0 has integers that fill a range: they index a table of their places. All others stand in a second one,
 * by open addressing with linear probing, at most three quarters full; an integer and its place stand side by side,
 * so that one look at memory finds both. The range doubles where an integer less than twice their number stands behind it, and then takes over
 * what the second table has of it. A built-in Map would take twice the room, and holds 2^24 entries at most.
 *
 * Cost: O(1) a call, amortised; 4 to 16 bytes an integer of the range, 11 to 21 bytes another.
 */
export class IntPlaces {
  size = 0;
  /** An integer of the range to its place + 1, or 0. */
  #range: Int32Array = new Int32Array(16);
  /** Two cells a slot: the integer, and its place + 1, which is 0 where the slot is free. */
  #cells: Int32Array = new Int32Array(2 * 16);
  #last = 15;
  #scattered = 0;

  /** The place of an integer, or -1. */
  find(int: number): number {
    if (int >= 0 && int < this.#range.length) return this.#range[int] - 1;
    const cells = this.#cells;
    for (let slot = hash(int) & this.#last; cells[2 * slot + 1] !== 0; slot = (slot + 1) & this.#last)
      if (cells[2 * slot] === int) return cells[2 * slot + 1] - 1;
    return -1;
  }

  /** Adds an integer that is not there yet. */
  add(int: number, place: number): void {
    this.size++;
    if (int >= this.#range.length && int < 2 * this.size) this.#widen();
    if (int >= 0 && int < this.#range.length) this.#range[int] = place + 1;
    else {
      if (4 * (this.#scattered + 1) > 3 * this.#last) this.#scatterAgain(2 * this.#cells.length);
      this.#put(int, place + 1);
    }
  }

  #put(int: number, cell: number): void {
    this.#scattered++;
    const cells = this.#cells;
    let slot = hash(int) & this.#last;
    while (cells[2 * slot + 1] !== 0) slot = (slot + 1) & this.#last;
    cells[2 * slot] = int;
    cells[2 * slot + 1] = cell;
  }

  /** Doubles the range until it has room for twice the integers that there are. */
  #widen(): void {
    const before = this.#range;
    let { length } = before;
    while (length < 2 * this.size) length *= 2;
    this.#range = new Int32Array(length);
    this.#range.set(before);
    if (this.#scattered > 0) this.#scatterAgain(this.#cells.length);
  }

  /** What is in the range is not scattered any more. */
  #scatterAgain(length: number): void {
    const old = this.#cells;
    this.#cells = new Int32Array(length);
    this.#last = length / 2 - 1;
    this.#scattered = 0;
    for (let cell = 0; cell < old.length; cell += 2) {
      const [int, place] = [old[cell], old[cell + 1]];
      if (place === 0) continue;
      if (int >= 0 && int < this.#range.length) this.#range[int] = place;
      else this.#put(int, place);
    }
  }
}

/** Sixteen integers in a row stand near each other, since who counts asks for one after another. */
function hash(int: number): number {
  const row = int >> 4;
  const mixed = Math.imul(row ^ (row >>> 16), 0x9e3779b1);
  return ((mixed ^ (mixed >>> 15)) << 4) | (int & 15);
}

/**
 * A map of any size. A built-in Map holds 2^24 entries at most, and throws beyond; so there are as many as needed.
 *
 * Cost: O(1) a call, and another look-up for each 2^24 entries.
 */
const MOST_ENTRIES = 2 ** 24;

export class LargeMap<K, V extends object | number | string> {
  readonly #most: number;
  readonly #maps: Map<K, V>[] = [new Map()];

  constructor(most: number = MOST_ENTRIES) {
    this.#most = most;
  }

  get size(): number {
    return (this.#maps.length - 1) * this.#most + this.#maps[this.#maps.length - 1].size;
  }

  get(key: K): V | undefined {
    for (let i = 0; i < this.#maps.length; i++) {
      const value = this.#maps[i].get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Adds a key that is not there yet. */
  add(key: K, value: V): void {
    const last = this.#maps[this.#maps.length - 1];
    if (last.size < this.#most) last.set(key, value);
    else this.#maps.push(new Map([[key, value]]));
  }
}

export class Interner {
  /** Number to value: the first of the equal ones. */
  readonly values: unknown[] = [];
  readonly #ints = new IntPlaces();
  readonly #primitives = new LargeMap<unknown, number>();
  readonly #keys = new LargeMap<string, number>();
  readonly #canonical = new Canonical();
  /** The length of all keys: how large the values are, roughly. */
  #keyLength = 0;
  /** A primitive that was asked for last, if any, and its number: it is often the same. */
  #last: unknown = {};
  #lastNumber = 0;

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

  /** How much the values and their keys take, estimated. */
  get bytes(): number {
    return 24 * this.#ints.size + 100 * (this.values.length - this.#ints.size) + 4 * this.#keyLength;
  }

  /** The number of a value seen before. */
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

/** An integer of 32 bits; -0 is 0. */
function isInt(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

export function isPrimitive(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}
