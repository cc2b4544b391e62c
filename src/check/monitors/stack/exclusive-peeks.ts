/**
 * Peeks that have a slot in which no value but their own is inside.
 *
 * Beside the counts of values that cover a slot, their numbers are summed up; where one is left, the sum is its number.
 * Cost: O(log n) for a value that goes, a slot that comes to have one value, and a peek.
 */
import { Spans } from '../../../base/algorithms/interval-ends.js';
import { Countdowns } from '../../../base/algorithms/range-countdown.js';
import { Toggles } from '../../../base/algorithms/range-xor.js';
import { Chains, END } from '../common/grouped-lists.js';
import { type Container, PEEK } from '../container/container.js';
import type { Lives } from '../container/value-intervals.js';

export class Alone {
  /** The peeks found since the last removal, and the slots in which they are: the first `count` entries. */
  readonly peeks: Int32Array;
  readonly slots: Int32Array;
  count = 0;
  /** Slot to how many values beside one cover it; and the sum of their numbers, from 1. */
  readonly #others: Countdowns;
  readonly #sums: Toggles;
  /** Peeks by value, in the order of their calls: value to the place of its first. */
  readonly #first: Int32Array;
  readonly #byValue: Int32Array;
  readonly #calls: Int32Array;
  readonly #spans: Spans;

  /** `covers`: slot to how many values cover it. */
  constructor({ history, role, value, initial, values }: Container, lives: Lives, covers: Int32Array) {
    const { call, return: returned } = history.columns;
    this.#others = new Countdowns(covers.map((count) => count - 1));
    this.#sums = new Toggles(covers.length + 1);
    for (let v = 0; v < values; v++)
      if (lives.was(v) && !lives.isBrief(v))
        this.#sums.toggle(lives.from[v] + initial, lives.to[v] + initial, v + 1);

    const chains = new Chains(values, history.length, (k) => (role[k] === PEEK ? value[k] : END));
    this.#first = new Int32Array(values + 1);
    this.#byValue = new Int32Array(history.length);
    let length = 0;
    for (let v = 0; v < values; v++) {
      this.#first[v] = length;
      for (let k = chains.first(v); k !== END; k = chains.next(k)) this.#byValue[length++] = k;
    }
    this.#first[values] = length;
    this.#calls = new Int32Array(length);
    const ends = new Int32Array(length);
    for (let place = 0; place < length; place++) {
      this.#calls[place] = call[this.#byValue[place]] + initial;
      ends[place] = returned[this.#byValue[place]] + initial;
    }
    this.#spans = new Spans(ends);
    this.peeks = new Int32Array(length);
    this.slots = new Int32Array(length);
    this.#find();
  }

  /** A value goes that covers the slots from `begin` up to `end`. */
  remove(v: number, begin: number, end: number): void {
    this.#sums.toggle(begin, end, v + 1);
    this.#others.lower(begin, end);
    this.#find();
  }

  #find(): void {
    const { zeros, count } = this.#others;
    this.count = 0;
    for (let i = 0; i < count; i++) {
      const slot = zeros[i];
      const v = this.#sums.at(slot) - 1;
      this.#spans.take(this.#first[v], this.#calledBy(slot, v), slot);
      for (let j = 0; j < this.#spans.count; j++) {
        this.peeks[this.count] = this.#byValue[this.#spans.found[j]];
        this.slots[this.count++] = slot;
      }
    }
  }

  /** The place behind the last peek at a value that is called up to a slot. */
  #calledBy(slot: number, v: number): number {
    let [low, high] = [this.#first[v], this.#first[v + 1]];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#calls[middle] <= slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
