/**
 * The times of the calls and returns of entries, compared exactly.
 *
 * A time is one double: a plain number, or an integer of up to 19 digits (nanoseconds since 1970 exceed 2^53) as the exact
 * difference from the first one. Once a time is neither, all are pairs of doubles (`toPair`).
 *
 * Cost: 16 bytes per entry, 32 as pairs. They double when they are full.
 */
import { mergeSort, range } from '../../base/collections/ints.js';
import { asLong, finite, LongTime, type Timestamp, toPair } from '../model/timestamps.js';

/** Places in the lists: those of the call of an entry, and of its return. */
export const callAt = (entry: number): number => 2 * entry;
export const returnAt = (entry: number): number => 2 * entry + 1;

const INITIAL_CAPACITY = 64;
/** Files are nearly sorted: up to this many moves per entry, insertion is as cheap as merging. */
const MOST_MOVES = 12;

export class EntryTimes {
  /** The number of entries. */
  length = 0;
  /** Place to time; NaN if there is none. */
  high: Float64Array = new Float64Array(INITIAL_CAPACITY);
  low: Float64Array | undefined;
  /** The time from which the others are counted. `low` is absent then. */
  #since: LongTime | undefined;

  /** Adds the next entry. Throws a RangeError unless its times are finite and have at most 30 digits. */
  add(call: Timestamp | LongTime, end: Timestamp | LongTime | undefined): void {
    const entry = this.length;
    if (returnAt(entry) > this.high.length) this.#grow();
    this.set(callAt(entry), call);
    if (end === undefined) this.high[returnAt(entry)] = Number.NaN;
    else this.set(returnAt(entry), end);
    this.length = entry + 1;
  }

  set(place: number, time: Timestamp | LongTime): void {
    if (typeof time !== 'number' || this.#since) this.#setLong(place, time);
    else {
      this.high[place] = finite(time, time);
      if (this.low) this.low[place] = 0;
    }
  }

  returns(entry: number): boolean {
    return !Number.isNaN(this.high[returnAt(entry)]);
  }

  /** Compares the times at two places. */
  compare(place: number, other: number): number {
    return this.high[place] - this.high[other] || (this.low ? this.low[place] - this.low[other] : 0);
  }

  /** The entries that have a time, sorted by it and then by number. `placeOf` is `callAt` or `returnAt`. */
  sorted(isReturn: boolean): Int32Array {
    const { high, low, length } = this;
    const offset = isReturn ? 1 : 0;
    const order = new Int32Array(length);
    let count = 0;
    let left = MOST_MOVES * length;
    for (let entry = 0; entry < length; entry++) {
      const time = high[2 * entry + offset];
      if (Number.isNaN(time)) continue;
      let i = count++;
      for (; i > 0; i--) {
        const difference = high[2 * order[i - 1] + offset] - time;
        if (difference < 0) break;
        if (difference === 0 && !(low && low[2 * order[i - 1] + offset] > low[2 * entry + offset])) break;
        order[i] = order[i - 1];
        left--;
      }
      order[i] = entry;
      if (left < 0)
        return mergeSort(
          range(length).filter((own) => !isReturn || this.returns(own)),
          (a, b) => this.compare(2 * a + offset, 2 * b + offset),
        );
    }
    return order.subarray(0, count);
  }

  /** The number of the first items of an ascending list whose times are before this one. */
  countBefore(time: Timestamp, length: number, placeOf: (item: number) => number): number {
    const [high, low] = this.#pairOf(time);
    let begin = 0;
    let end = length;
    while (begin < end) {
      const middle = (begin + end) >>> 1;
      const place = placeOf(middle);
      if ((this.high[place] - high || (this.low?.[place] ?? 0) - low) < 0) begin = middle + 1;
      else end = middle;
    }
    return begin;
  }

  #setLong(place: number, time: Timestamp | LongTime): void {
    const long = time instanceof LongTime ? time : typeof time === 'number' ? undefined : asLong(time);
    if (place === 0) this.#since = long?.copy();
    if (this.#since && long) {
      const difference = long.minus(this.#since);
      if (!Number.isNaN(difference)) {
        this.high[place] = difference;
        return;
      }
    }
    const [high, low] = this.#pairOf(time);
    if (low !== 0) this.low ??= new Float64Array(this.high.length);
    this.high[place] = high;
    if (this.low) this.low[place] = low;
  }

  /** A time as a pair of doubles, as all are from now on. */
  #pairOf(time: Timestamp | LongTime): readonly [high: number, low: number] {
    if (this.#since) {
      const since = this.#since;
      this.#since = undefined;
      this.low = new Float64Array(this.high.length);
      for (let place = 0; place < 2 * this.length + 1; place++) {
        const after = this.high[place];
        // exact, since these are integers of up to 19 digits (Knuth's two-sum, then Dekker's)
        const rough = since.high + after;
        const used = rough - since.high;
        const rest = since.high - (rough - used) + (after - used) + since.low;
        this.high[place] = rough + rest;
        this.low[place] = rest - (this.high[place] - rough);
      }
    }
    return toPair(time);
  }

  #grow(): void {
    this.high = doubled(this.high);
    if (this.low) this.low = doubled(this.low);
  }
}

function doubled(numbers: Float64Array): Float64Array {
  const larger = new Float64Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
