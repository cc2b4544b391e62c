/**
 * The ids of a file, each used once, and the entries that have them.
 *
 * Most ids are whole numbers, and a file may have millions: these take 20 bytes
 * each, where a text would take a hundred. A number and the text that spells it
 * are one id.
 */
import { GrowingBytes, GrowingInts } from '../../base/collections/growing.js';
import { Interner } from '../../base/values/interner.js';

const SHORT_NUMBER = /^(?:0|-?[1-9]\d{0,8})$/;
const SHORT = 1_000_000_000;

export class Ids {
  readonly #ids = new Interner();
  /** Number of an id to the entry that has it, or -1. */
  readonly #entry = new GrowingInts();
  /** Number of an id to whether its call has ended. */
  readonly #ended = new GrowingBytes();
  /** How many ids entries have. */
  size = 0;

  /** The number of an id, whether an entry has it or not. */
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

  /** The entry that has an id, or -1. */
  entry(number: number): number {
    return this.#entry.at(number);
  }

  /** Gives an id that no entry has yet to one. */
  give(number: number, entry: number): void {
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
