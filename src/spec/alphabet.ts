/**
 * The distinct operations of a history: those with the same method, arguments
 * and outcome are one *letter*, since no spec can tell them apart.
 *
 * Letters are found by hashing integers; no value is looked at. A failed
 * operation has a letter too, but nobody asks for it. Cost: O(n).
 */
import { GrowingInts, grown, ListNumbers } from '../base/index.js';
import type { Columns } from '../history/index.js';

export class Alphabet {
  /** Operation id to letter. */
  readonly letterOf: Int32Array;
  /** Letter to the first operation (by position) that has it. */
  readonly examples: Int32Array;

  constructor(columns: Columns) {
    const { id, method, argumentStart, argument, status, result } = columns;
    const examples = new GrowingInts();
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
      if (letter === examples.length) examples.push(k);
      letterOf[id[k]] = letter;
    }
    this.letterOf = letterOf;
    this.examples = examples.toArray();
  }
}
