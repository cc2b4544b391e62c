/**
 * The ids of a file, each used once, and the entries that have them.
 *
 * Most ids are whole numbers, and a file may have millions: these take 20 bytes
 * each, where a text would take a hundred.
 */
import { GrowingInts, Interner } from '../../base/index.js';

const SHORT_NUMBER = /^(?:0|-?[1-9]\d{0,8})$/;

export class Ids {
  readonly #ids = new Interner();
  /** Number of an id to the entry that has it. */
  readonly #entry = new GrowingInts();

  get size(): number {
    return this.#entry.length;
  }

  /** The entry that has an id, if one has. */
  entryOf(id: string): number | undefined {
    const number = this.#ids.find(keyOf(id));
    return number === undefined ? undefined : this.#entry.at(number);
  }

  /** Adds an id that no entry has yet. */
  add(id: string, entry: number): void {
    this.#ids.intern(keyOf(id));
    this.#entry.push(entry);
  }
}

const keyOf = (id: string): number | string => (SHORT_NUMBER.test(id) ? Number(id) : id);
