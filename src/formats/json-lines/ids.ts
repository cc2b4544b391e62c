/**
 * The ids of a file, each used once, and their entries.
 *
 * Most ids are integers, and a file may have millions: an integer takes 20 bytes, a string about a
 * hundred. An integer and its decimal text are the same id.
 */
import { GrowingBytes, GrowingInts } from '../../base/collections/growing.js';
import { Interner } from '../../base/values/interner.js';

const SHORT_NUMBER = /^(?:0|-?[1-9]\d{0,8})$/;
const SHORT = 1_000_000_000;

export class Ids {
  readonly #ids = new Interner();
  /** Id number to its entry, or -1. */
  readonly #entry = new GrowingInts();
  /** Id number to 1 if its call has ended. */
  readonly #ended = new GrowingBytes();
  /** The number of assigned ids. */
  size = 0;

  /** The number of an id, assigned or not. */
  number(id: string | number): number {
    const number = this.#ids.intern(keyOf(id));
    if (number === this.#entry.length) {
      this.#entry.push(-1);
      this.#ended.push(0);
    }
    return number;
  }

  name(number: number): string {
    return String(this.#ids.values[number]);
  }

  /** The entry of an id, or -1. */
  entry(number: number): number {
    return this.#entry.at(number);
  }

  /** Assigns an unused id to an entry. */
  assign(number: number, entry: number): void {
    this.#entry.set(number, entry);
    this.size++;
  }

  hasEnded(number: number): boolean {
    return this.#ended.at(number) === 1;
  }

  end(number: number): void {
    this.#ended.set(number, 1);
  }
}

function keyOf(id: string | number): number | string {
  if (typeof id === 'number' && id > -SHORT && id < SHORT) return id;
  const text = String(id);
  return SHORT_NUMBER.test(text) ? Number(text) : text;
}
