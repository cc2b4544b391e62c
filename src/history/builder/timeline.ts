/**
 * Calls and returns with times, in one order.
 *
 * Calls and returns are sorted separately, by time and then by entry, and merged. At equal times
 * calls come first. Files are nearly sorted, so the sorts need about n comparisons.
 */
import { mergeSort } from '../../base/algorithms/merge-sort.js';
import { range } from '../../base/collections/ints.js';
import { HistoryError } from '../model/event.js';
import { type Timestamp, TimestampList } from '../model/timestamps.js';

export class Timeline {
  /** Entry to the time of its call, and of its return if there is one. */
  readonly #calls = new TimestampList();
  readonly #returns = new TimestampList();
  /** The entries sorted by call; computed on demand. */
  #callOrder: Int32Array | undefined;

  /** Adds the call of the next entry. */
  call(at: Timestamp): void {
    this.#calls.push(at);
    this.#returns.pushEmpty();
    this.#callOrder = undefined;
  }

  /** Adds the next entry with its call and return. */
  add(call: Timestamp, end: Timestamp): void {
    this.#calls.push(call);
    this.#returns.push(end);
    this.#callOrder = undefined;
  }

  /** Sets the return of an entry. */
  end(entry: number, at: Timestamp): void {
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

  /** All entries sorted by call. */
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

  /** True if an entry returned strictly before another was called. */
  precedes(entry: number, other: number): boolean {
    return this.returns(entry) && this.#calls.compareTo(other, this.#returns, entry) > 0;
  }

  /**
   * Fast comparisons: is a call strictly before the return of another entry, and is a return
   * strictly after it?
   */
  comparisons(): Record<'callsBefore' | 'returnsAfter', (entry: number, other: number) => boolean> {
    const toReturn = this.#calls.comparison(this.#returns);
    const returns = this.#returns.comparison(this.#returns);
    return {
      callsBefore: (entry, other) => toReturn(entry, other) < 0,
      returnsAfter: (entry, other) => returns(entry, other) > 0,
    };
  }

  /** The number of events before a time. */
  momentOf(time: Timestamp, events: Int32Array): number {
    const at = new TimestampList();
    at.push(time);
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
