/**
 * A depth-first walk over all sequences of choices, path by path.
 *
 * The caller starts each path at the root. At each place it passes the possible choices, as bits, and `take` returns the
 * one to follow. At the end of a path, `next` backtracks to the last place with an untried choice.
 */
import { grown, lowestBit } from '../../base/collections/ints.js';

export class ChoiceTree {
  /** The place at which this path takes another choice than the previous one; -1 on the first path. */
  repeated = -1;
  #length = 0;
  /** Place to the choice taken there, and to the untried ones, as bits. */
  #taken: Int32Array = new Int32Array(64);
  #left: Int32Array = new Int32Array(64);

  /** Returns the choice to follow at a place; call it for the places of a path in order. Prefers `first` if it is possible. */
  take(place: number, choices: number, first = -1): number {
    if (place < this.#length) return this.#taken[place];
    if (place === this.#taken.length) {
      this.#taken = grown(this.#taken, 0);
      this.#left = grown(this.#left, 0);
    }
    const taken = first >= 0 && choices & (1 << first) ? first : lowestBit(choices);
    this.#taken[place] = taken;
    this.#left[place] = choices & ~(1 << taken);
    this.#length++;
    return taken;
  }

  /** Moves to the next path. Returns false if all paths were walked. */
  next(): boolean {
    for (let place = this.#length - 1; place >= 0; place--) {
      const left = this.#left[place];
      if (left === 0) continue;
      this.#taken[place] = lowestBit(left);
      this.#left[place] = left & (left - 1);
      this.#length = place + 1;
      this.repeated = place;
      return true;
    }
    return false;
  }

  /** Is a choice untried at this place of the path, or after it? */
  hasMore(place: number): boolean {
    return this.#left.subarray(place, this.#length).some((left) => left !== 0);
  }

  /** The choices of the path so far. */
  get path(): readonly number[] {
    return Array.from(this.#taken.subarray(0, this.#length));
  }
}
