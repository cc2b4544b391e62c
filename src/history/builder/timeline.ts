/**
 * Stamped calls and returns in one order.
 *
 * Calls and returns are sorted apart, each by stamp and then by entry, and
 * merged; at equal stamps calls come first. Files are nearly in order, so the
 * sorts cost about n comparisons.
 */
import { mergeSort } from '../../base/algorithms/merge-sort.js';
import { range } from '../../base/collections/ints.js';
import { HistoryError } from '../model/event.js';
import { type Stamp, Stamps } from '../model/stamps.js';

export class Timeline {
  /** Entry to its call, and to its return, if it has returned. */
  readonly #calls = new Stamps();
  readonly #returns = new Stamps();
  /** The entries by call, where they have been sorted. */
  #callOrder: Int32Array | undefined;

  /** The next entry is called. */
  call(at: Stamp): void {
    this.#calls.push(at);
    this.#returns.pushNone();
    this.#callOrder = undefined;
  }

  /** The next entry is called, and returns. */
  add(call: Stamp, end: Stamp): void {
    this.#calls.push(call);
    this.#returns.push(end);
    this.#callOrder = undefined;
  }

  /** An entry returns. */
  end(entry: number, at: Stamp): void {
    this.#returns.set(entry, at);
    if (this.precedes(entry, entry))
      throw new HistoryError(`the return at ${at} comes before the call`, entry);
  }

  /** All calls (entry) and returns (~entry) in order. */
  events(): Int32Array {
    const calls = this.callOrder();
    const returns = this.#returnOrder();
    const events = new Int32Array(calls.length + returns.length);
    const compare = this.#calls.comparison(this.#returns);
    let call = 0;
    let end = 0;
    for (let m = 0; m < events.length; m++) {
      const callsNext =
        end === returns.length || (call < calls.length && compare(calls[call], returns[end]) <= 0);
      events[m] = callsNext ? calls[call++] : ~returns[end++];
    }
    return events;
  }

  /** All entries by call. */
  callOrder(): Int32Array {
    this.#callOrder ??= mergeSort(range(this.#calls.length), this.#calls.comparison(this.#calls));
    return this.#callOrder;
  }

  #returnOrder(): Int32Array {
    const entries = range(this.#calls.length);
    let count = 0;
    for (let entry = 0; entry < entries.length; entry++) if (this.returns(entry)) entries[count++] = entry;
    return mergeSort(entries.subarray(0, count), this.#returns.comparison(this.#returns));
  }

  returns(entry: number): boolean {
    return this.#returns.has(entry);
  }

  /** Does an entry return before another is called, by more than a tie? */
  precedes(entry: number, other: number): boolean {
    return this.returns(entry) && this.#calls.compareTo(other, this.#returns, entry) > 0;
  }

  /** For many questions: does a call come before the return of another, and a return after that? Both by more than a tie. */
  comparisons(): Record<'callsBefore' | 'returnsAfter', (entry: number, other: number) => boolean> {
    const toReturn = this.#calls.comparison(this.#returns);
    const returns = this.#returns.comparison(this.#returns);
    return {
      callsBefore: (entry, other) => toReturn(entry, other) < 0,
      returnsAfter: (entry, other) => returns(entry, other) > 0,
    };
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
        event >= 0 ? this.#calls.compareTo(event, at, 0) < 0 : this.#returns.compareTo(~event, at, 0) < 0;
      if (earlier) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
