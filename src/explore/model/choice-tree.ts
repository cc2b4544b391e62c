/**
 * A depth-first walk over all sequences of choices, one path after another.
 *
 * The walker starts at the root and says at each place what there is to choose from,
 * as bits; it is told what to take. When it has come to an end, `next` goes back to the last
 * place where something is left.
 */
import { grown, lowestBit } from '../../base/collections/ints.js';

export class ChoiceTree {
  /** Places up to this one were on an earlier path as well. */
  repeated = -1;
  #length = 0;
  /** Place to what is taken there, and to what is left to take, as bits. */
  #taken: Int32Array = new Int32Array(64);
  #left: Int32Array = new Int32Array(64);

  /** What to take at a place; the places of a path come one after another. `first` is taken first, if it can be. */
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

  /** The next path. Tells false when all have been walked. */
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

  /** Is something left to take at this place of the path, or after it? */
  hasMore(place: number): boolean {
    return this.#left.subarray(place, this.#length).some((left) => left !== 0);
  }

  /** The choices of the path so far. */
  get path(): readonly number[] {
    return Array.from(this.#taken.subarray(0, this.#length));
  }
}
