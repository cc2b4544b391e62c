/**
 * Some of the values of a history, numbered by first occurrence: 0, 1, …
 *
 * A history shares its table of values with all histories that were cut from the same one. If it has few of many
 * values, a map is smaller than a table. Cost: O(1) per value.
 */
import type { History } from '../../../history/history.js';

/** It has no number. */
const NONE = -1;

export class ValueNumbers {
  count = 0;
  readonly #numbers: Int32Array | Map<number, number>;

  constructor({ tables, length }: History, initial: number) {
    const all = tables.values.values.length;
    // one of many objects touches few of the values
    this.#numbers = all > 16 * (length + initial) ? new Map() : new Int32Array(all).fill(NONE);
  }

  /** False if it has a number already. A value that the history does not contain gets an unused number. */
  add(value: number | undefined): boolean {
    if (value !== undefined && this.of(value) !== NONE) return false;
    if (value === undefined) this.count++;
    else if (this.#numbers instanceof Map) this.#numbers.set(value, this.count++);
    else this.#numbers[value] = this.count++;
    return true;
  }

  /** Its number, assigned now if it has none yet. */
  take(value: number): number {
    this.add(value);
    return this.of(value);
  }

  of(value: number): number {
    return this.#numbers instanceof Map ? (this.#numbers.get(value) ?? NONE) : this.#numbers[value];
  }
}
