/**
 * The distinct operations of a history: those with the same method, arguments
 * and outcome are one *letter*, since no spec can tell them apart.
 *
 * Letters are found by hashing integers; no value is looked at. A failed
 * operation has a letter too, but nobody asks for it. How letters are spelt is kept
 * in one place: who asks for one after another would else look all over the history.
 * Cost: O(n); 4 bytes an operation, and 16 a letter with 4 for each argument.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import { grown } from '../../base/collections/ints.js';
import { ListNumbers } from '../../base/collections/list-interner.js';
import type { Columns } from '../../history/model/columns.js';

/** A letter by numbers of the history's tables; its arguments are those from `start` up to `end`. */
interface Spelling {
  readonly method: number;
  readonly status: number;
  readonly result: number;
  readonly start: number;
  readonly end: number;
}

export class Alphabet {
  /** Operation id to letter. */
  readonly letterOf: Int32Array;
  /** Letter to the first operation (by position) that has it. */
  readonly examples: Int32Array;
  /** All letters, one behind another: method and status as one number, result, arguments. */
  readonly spelt: Int32Array;
  /** Letter to where it begins there. */
  readonly #start: Int32Array;

  constructor(columns: Columns) {
    const { id, method, argumentStart, argument, status, result } = columns;
    const examples = new GrowingInts();
    const spelt = new GrowingInts();
    const starts = new GrowingInts();
    const letterOf = new Int32Array(id.length === 0 ? 0 : id[id.length - 1] + 1);
    const letters = new ListNumbers();
    let spelling: Int32Array = new Int32Array(16);
    for (let k = 0; k < id.length; k++) {
      const start = argumentStart[k];
      const length = 2 + argumentStart[k + 1] - start;
      if (length > spelling.length) spelling = grown(spelling, length);
      spelling[0] = 4 * method[k] + status[k];
      spelling[1] = result[k];
      for (let i = 2; i < length; i++) spelling[i] = argument[start + i - 2];
      const letter = letters.numberOf(spelling, length);
      letterOf[id[k]] = letter;
      if (letter < examples.length) continue;
      examples.push(k);
      starts.push(spelt.length);
      for (let i = 0; i < length; i++) spelt.push(spelling[i]);
    }
    starts.push(spelt.length);
    this.letterOf = letterOf;
    this.examples = examples.toArray();
    this.spelt = spelt.toArray();
    this.#start = starts.toArray();
  }

  get bytes(): number {
    const lists = [this.letterOf, this.examples, this.spelt, this.#start];
    return lists.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  }

  spelling(letter: number): Spelling {
    const { spelt } = this;
    const start = this.#start[letter];
    return {
      method: spelt[start] >>> 2,
      status: spelt[start] & 3,
      result: spelt[start + 1],
      start: start + 2,
      end: this.#start[letter + 1],
    };
  }
}
