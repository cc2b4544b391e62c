/**
 * When calls and returns happened, by one clock or by several that differ.
 *
 * Clocks of several machines are wrong by at most an error, both ways. Every call
 * is moved back and every return forward by it, exactly, so that an interval
 * holds the true one. Time then shows less order than there was; but a process
 * has one clock, and what it did first came first whatever that clock shows. This
 * order is kept as `after` entries.
 *
 * Only those that are needed: from an operation that ended to the next of its
 * process and object, unless the widened times show it anyway. One that precedes
 * another that ended comes before all that follows that one. Cost: O(operations
 * × open calls of one process).
 */
import { HistoryError } from '../model/event.js';
import { addStamps, compareStamps, type Stamp } from '../model/stamps.js';
import type { Entries } from './entries.js';
import { Timeline } from './timeline.js';

/** Operations of one process on one object, by their places in the order of calls, up to one call. */
interface Chain {
  /** Those that had not returned by then, but will. */
  open: number[];
  /** Those that had returned by then, and did not precede another that had. */
  ended: number[];
}

export class Clock {
  /** As each process's own clock shows it. */
  readonly recorded: Timeline = new Timeline();
  readonly #widened: { readonly timeline: Timeline; readonly by: Stamp; readonly back: Stamp } | undefined;

  constructor(error: Stamp | undefined) {
    if (error === undefined) return;
    if (compareStamps(error, 0) < 0) throw new RangeError(`a clock error of ${error}; expected 0 or more`);
    const back = typeof error === 'string' ? `-${error}` : -error;
    this.#widened = { timeline: new Timeline(), by: error, back };
  }

  /** As all processes can be compared. */
  get timeline(): Timeline {
    return this.#widened?.timeline ?? this.recorded;
  }

  /** The next entry is called. */
  call(entry: number, at: Stamp): void {
    const moved = this.#widened && this.#moved(entry, at, this.#widened.back);
    this.recorded.call(at);
    if (moved !== undefined) this.#widened?.timeline.call(moved);
  }

  /** The next entry is called, and returns, not before that. */
  add(entry: number, call: Stamp, end: Stamp): void {
    if (!this.#widened) this.recorded.add(call, end);
    else {
      this.call(entry, call);
      this.end(entry, end);
    }
  }

  /** An entry returns. */
  end(entry: number, at: Stamp): void {
    const moved = this.#widened && this.#moved(entry, at, this.#widened.by);
    this.recorded.end(entry, at);
    if (moved !== undefined) this.#widened?.timeline.end(entry, moved);
  }

  /** Adds the order of each process that the widened times do not show. */
  keepProcessOrder(entries: Entries): void {
    if (!this.#widened) return;
    const { recorded } = this;
    const order = recorded.callOrder();
    const chains = new Map<number, Chain>();
    for (let place = 0; place < order.length; place++) {
      const entry = order[place];
      if (!entries.happened(entry)) continue;
      const name = entries.processAndObject(entry);
      const chain = chains.get(name) ?? { open: [], ended: [] };
      chains.set(name, chain);

      // what had returned by this call, without what preceded another of them
      const isOver = (own: number) => recorded.precedes(order[own], entry);
      chain.ended.push(...chain.open.filter(isOver));
      chain.open = chain.open.filter((own) => !isOver(own));
      const last = order[Math.max(...chain.ended)];
      chain.ended = chain.ended.filter((own) => !recorded.precedes(order[own], last));
      if (recorded.returns(entry)) chain.open.push(place);

      const earlier = chain.ended.map((own) => order[own]);
      const hidden = earlier.filter((own) => !this.timeline.precedes(own, entry));
      if (hidden.length > 0) entries.setAfter(entry, hidden);
    }
  }

  #moved(entry: number, at: Stamp, by: Stamp): Stamp {
    try {
      return addStamps(at, by);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new HistoryError(
        `the time ${at} with a clock error of ${this.#widened?.by} is ${error.message}`,
        entry,
      );
    }
  }
}
