/**
 * The distinct operations of a history: those with the same method, arguments
 * and outcome are one *letter*, since no spec can tell them apart.
 *
 * Letters are found by hashing integers; no value is looked at. A failed
 * operation has a letter too, but nobody asks for it. Cost: O(n).
 */
import type { Columns } from '../history/index.js';

export class Alphabet {
  /** Operation id to letter. */
  readonly letterOf: Int32Array;
  /** Letter to the first operation (by position) that has it. */
  readonly examples: readonly number[];

  constructor(columns: Columns) {
    const { id, method, argumentStart, argument, status, result } = columns;
    const examples: number[] = [];
    this.letterOf = new Int32Array(id.length === 0 ? 0 : id[id.length - 1] + 1);
    this.examples = examples;

    const same = (a: number, b: number): boolean => {
      if (method[a] !== method[b] || status[a] !== status[b] || result[a] !== result[b]) return false;
      const length = argumentStart[a + 1] - argumentStart[a];
      if (argumentStart[b + 1] - argumentStart[b] !== length) return false;
      for (let i = 0; i < length; i++)
        if (argument[argumentStart[a] + i] !== argument[argumentStart[b] + i]) return false;
      return true;
    };

    // hash slot to letter + 1, at most half full
    let slots = new Int32Array(64);
    const hashOf = (k: number): number => {
      let hash = Math.imul(method[k] * 4 + status[k], 0x9e3779b1) ^ Math.imul(result[k], 0x85ebca6b);
      for (let i = argumentStart[k]; i < argumentStart[k + 1]; i++)
        hash = Math.imul(hash ^ argument[i], 0xc2b2ae35) ^ (hash >>> 13);
      return hash ^ (hash >>> 15);
    };
    const slotOf = (k: number): number => {
      const last = slots.length - 1;
      let slot = hashOf(k) & last;
      while (slots[slot] !== 0 && !same(examples[slots[slot] - 1], k)) slot = (slot + 1) & last;
      return slot;
    };
    for (let k = 0; k < id.length; k++) {
      let slot = slotOf(k);
      if (slots[slot] === 0) {
        if (2 * (examples.length + 1) > slots.length) {
          slots = new Int32Array(2 * slots.length);
          examples.forEach((example, letter) => {
            slots[slotOf(example)] = letter + 1;
          });
          slot = slotOf(k);
        }
        slots[slot] = examples.push(k);
      }
      this.letterOf[id[k]] = slots[slot] - 1;
    }
  }
}
