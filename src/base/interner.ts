/**
 * Values as small integers: equal values get equal numbers, from 0 in order of
 * first sight. What "equal" means is told in canonical.ts.
 *
 * Primitives are looked up as they are (a Map compares as we do: NaN is NaN,
 * 0 is -0), everything else by its canonical key.
 */
import { Canonical } from './canonical.js';

export class Interner {
  /** Number to value: the first of the equal ones. */
  readonly values: unknown[] = [];
  readonly #primitives = new Map<unknown, number>();
  readonly #keys = new Map<string, number>();
  readonly #canonical = new Canonical();
  /** The length of all keys: how large the values are, roughly. */
  #keyLength = 0;

  intern(value: unknown): number {
    if (isPrimitive(value)) return this.#number(this.#primitives, value, value);
    const key = this.#canonical.key(value);
    const before = this.values.length;
    const number = this.#number(this.#keys, key, value);
    if (number === before) this.#keyLength += key.length;
    return number;
  }

  /** How much the values and their keys take, estimated. */
  get bytes(): number {
    return 100 * this.values.length + 4 * this.#keyLength;
  }

  /** The number of a value seen before. */
  find(value: unknown): number | undefined {
    return isPrimitive(value) ? this.#primitives.get(value) : this.#keys.get(this.#canonical.key(value));
  }

  #number<K>(numbers: Map<K, number>, key: K, value: unknown): number {
    let number = numbers.get(key);
    if (number === undefined) {
      number = this.values.push(value) - 1;
      numbers.set(key, number);
    }
    return number;
  }
}

export function isPrimitive(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}
