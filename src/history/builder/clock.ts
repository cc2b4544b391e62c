/**
 * Times of calls and returns, from one clock or from several inexact ones.
 *
 * Clocks of several machines have a maximum error, in both directions. Every call is shifted back and
 * every return forward by it, so that the interval contains the true one. The widened times show
 * less order than there was. Processes that share a clock show more: the order of their operations by
 * that clock is certain. It is kept as `after` edges. Without other information, a process shares its
 * clock with no other.
 *
 * Only necessary edges are added: from an operation to the next ones of its clock and object, unless
 * the widened times order them. Edges that follow by transitivity are omitted. Cost:
 * O(operations × open calls of one clock).
 */
import { HistoryError } from '../model/operation.js';
import {
  addTimestamps,
  compareTimestamps,
  exactTime,
  type LongTime,
  type Timestamp,
} from '../model/timestamps.js';
import type { Entries, EventSink } from './entries.js';
import { Timeline } from './timeline.js';

/** Operations by one clock on one object, up to one call, by their positions in the order of calls. */
interface Chain {
  /** Operations that return later. */
  open: number[];
  /** Operations that have returned and do not precede another one that has. */
  ended: number[];
}

export class Clock {
  /** Times as recorded by each process. */
  readonly recorded: Timeline = new Timeline();
  readonly #widened:
    | { readonly timeline: Timeline; readonly by: Timestamp; readonly back: Timestamp }
    | undefined;

  constructor(error: Timestamp | undefined) {
    if (error === undefined) return;
    if (compareTimestamps(error, 0) < 0)
      throw new RangeError(`negative clock error ${error}; expected 0 or more`);
    // sums of numbers are faster than those of texts
    const by = Number.isSafeInteger(Number(error)) ? Number(error) : error;
    const back = typeof by === 'string' ? `-${by}` : -by;
    this.#widened = { timeline: new Timeline(), by, back };
  }

  /** Times that are comparable between processes. */
  get timeline(): Timeline {
    return this.#widened?.timeline ?? this.recorded;
  }

  /** Adds the call of the next entry. */
  call(entry: number, at: Timestamp | LongTime): void {
    const shifted = this.#widened && this.#shift(entry, at, this.#widened.back);
    this.recorded.add(at);
    if (shifted !== undefined) this.#widened?.timeline.add(shifted);
  }

  /** Adds the next entry with its call and its return, if it has one, which is not earlier. */
  add(entry: number, call: Timestamp | LongTime, end?: Timestamp | LongTime): void {
    if (!this.#widened) this.recorded.add(call, end);
    else {
      this.call(entry, call);
      if (end !== undefined) this.end(entry, end);
    }
  }

  /** Sets the return of an entry. */
  end(entry: number, at: Timestamp | LongTime): void {
    const shifted = this.#widened && this.#shift(entry, at, this.#widened.by);
    this.recorded.end(entry, at);
    if (shifted !== undefined) this.#widened?.timeline.end(entry, shifted);
  }

  /**
   * Gives all events to the sink, in order. What each clock shows and they do not becomes `after` edges. `clockOf`: process to
   * the number of its clock.
   */
  events(sink: EventSink, entries: Entries, clockOf: (process: number) => number): void {
    if (!this.#widened) {
      this.recorded.events(sink, entries, (entry, earlier) => entries.setAfter(entry, earlier));
      return;
    }
    // sorts the calls of each process
    this.recorded.events({ add: () => {} }, entries);
    this.#keepClockOrder(entries, clockOf);
    this.#widened.timeline.events(sink);
  }

  /** Adds the order by each clock that the widened times do not show. */
  #keepClockOrder(entries: Entries, clockOf: (process: number) => number): void {
    const { recorded } = this;
    const order = recorded.callOrder();
    const chains = new Map<number, Chain>();
    for (let position = 0; position < order.length; position++) {
      const entry = order[position];
      if (!entries.mayHaveHappened(entry)) continue;
      const name = entries.withObject(clockOf(entries.process(entry)), entry);
      const chain = chains.get(name) ?? { open: [], ended: [] };
      chains.set(name, chain);

      // operations that had returned by this call, without those that precede another of them
      const hasReturned = (other: number) => recorded.precedes(order[other], entry);
      chain.ended.push(...chain.open.filter(hasReturned));
      chain.open = chain.open.filter((other) => !hasReturned(other));
      chain.ended = this.#latest(entries, order, chain.ended);
      const touching = chain.open.filter((other) => this.#precedes(entries, order[other], entry));
      if (recorded.returns(entry)) chain.open.push(position);

      const earlier = this.#latest(entries, order, [...chain.ended, ...touching]).map(
        (other) => order[other],
      );
      const hidden = earlier.filter((other) => !this.timeline.precedes(other, entry));
      if (hidden.length > 0) entries.setAfter(entry, hidden);
    }
  }

  /** The operations that precede no other of them. */
  #latest(entries: Entries, order: Int32Array, positions: readonly number[]): number[] {
    return positions.filter(
      (own) => !positions.some((other) => own < other && this.#precedes(entries, order[own], order[other])),
    );
  }

  /** Did an operation return before another call by the same clock, which comes later in the order of calls? */
  #precedes(entries: Entries, entry: number, later: number): boolean {
    if (this.recorded.precedes(entry, later)) return true;
    const mayOverlap = entries.isConcurrent(entry) && entries.isConcurrent(later);
    const isOneProcess = entries.process(entry) === entries.process(later);
    return isOneProcess && !mayOverlap && this.recorded.touches(entry, later);
  }

  #shift(entry: number, at: Timestamp | LongTime, by: Timestamp): Timestamp {
    try {
      return addTimestamps(exactTime(at), by);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new HistoryError(
        `the time ${at} with a clock error of ${this.#widened?.by} is ${error.message}`,
        entry,
      );
    }
  }
}
