/**
 * Stamped calls and returns in one order.
 *
 * Calls and returns are sorted apart, each by stamp and then by entry, and
 * merged; at equal stamps calls come first. Files are nearly in order, so the
 * sorts cost about n comparisons.
 */
import { GrowingInts, mergeSort, range } from '../base/index.js';
import { HistoryError } from './history-error.js';
import { type Stamp, Stamps } from './stamps.js';

const NEVER_RETURNED = -1;

export class Timeline {
  /** Entry to its call. */
  readonly #calls = new Stamps();
  readonly #returns = new Stamps();
  /** Position in `#returns` to the entry that returned. */
  readonly #returned = new GrowingInts();
  /** Entry to the position of its return in `#returns`. */
  readonly #returnOf = new GrowingInts();

  /** The next entry is called. */
  call(at: Stamp): void {
    this.#calls.push(at);
    this.#returnOf.push(NEVER_RETURNED);
  }

  /** An entry returns. */
  end(entry: number, at: Stamp): void {
    this.#returnOf.set(entry, this.#returns.length);
    this.#returns.push(at);
    this.#returned.push(entry);
    if (this.precedes(entry, entry))
      throw new HistoryError(`the return at ${at} comes before the call`, entry);
  }

  /** All calls (entry) and returns (~entry) in order. */
  events(): Int32Array {
    const calls = this.callOrder();
    const returns = this.#sorted(this.#returns);
    const events = new Int32Array(calls.length + returns.length);
    let call = 0;
    let end = 0;
    for (let m = 0; m < events.length; m++) {
      const callsNext =
        end === returns.length ||
        (call < calls.length && this.#calls.compareTo(calls[call], this.#returns, returns[end]) <= 0);
      events[m] = callsNext ? calls[call++] : ~this.#returned.at(returns[end++]);
    }
    return events;
  }

  callOrder(): Int32Array {
    return this.#sorted(this.#calls);
  }

  returns(entry: number): boolean {
    return this.#returnOf.at(entry) !== NEVER_RETURNED;
  }

  /** Does an entry return before another is called, by more than a tie? */
  precedes(entry: number, other: number): boolean {
    const end = this.#returnOf.at(entry);
    return end !== NEVER_RETURNED && this.#calls.compareTo(other, this.#returns, end) > 0;
  }

  /** Does a call come before the return of another entry, by more than a tie? */
  callsBeforeReturn(entry: number, other: number): boolean {
    const end = this.#returnOf.at(other);
    return end !== NEVER_RETURNED && this.#calls.compareTo(entry, this.#returns, end) < 0;
  }

  /** Does an entry return, and later than another that does? */
  returnsAfter(entry: number, other: number | undefined): boolean {
    const end = this.#returnOf.at(entry);
    if (end === NEVER_RETURNED) return false;
    return other === undefined || this.#returns.compare(end, this.#returnOf.at(other)) > 0;
  }

  /** How many of the events come before a stamp. */
  momentOf(stamp: Stamp, events: Int32Array): number {
    const at = new Stamps();
    at.push(stamp);
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = events[middle];
      const earlier =
        event >= 0
          ? this.#calls.compareTo(event, at, 0) < 0
          : this.#returns.compareTo(this.#returnOf.at(~event), at, 0) < 0;
      if (earlier) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #sorted(stamps: Stamps): Int32Array {
    return mergeSort(range(stamps.length), (a, b) => stamps.compare(a, b));
  }
}
