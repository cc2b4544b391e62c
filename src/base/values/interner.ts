/**
 * Values as small integers: equal values get equal numbers, from 0 in order of
 * first sight. What "equal" means is told in canonical.ts.
 *
 * Primitives are looked up as they are (a Map compares as we do: NaN is NaN,
 * 0 is -0), everything else by its canonical key. Integers, of which a history
 * may have millions, have a table of their own.
 */
import { IntPlaces } from '../collections/int-index.js';
import { LargeMap } from '../collections/large-map.js';
import { Canonical } from './canonical.js';

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
