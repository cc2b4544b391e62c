/**
 * Calls and returns with times, in one order.
 *
 * Calls and returns are sorted separately, by time and then by entry, and merged. At equal times
 * calls come first: the operations overlap, because the clock does not show their order. Files are
 * nearly sorted, so the sorts need about n comparisons.
 *
 * A process does one thing after another, however coarse its clock is. If it returns and calls at
 * the same time (a *touch*), the two operations are ordered. The events of such a process stand
 * between the calls and the returns of the others, which therefore overlap all of them. Two such
 * processes on one object need an order that no sequence of events shows: each operation of one
 * overlaps all of the other. Their order becomes `after` edges.
 */
import { HistoryError } from '../model/operation.js';
import type { LongTime, Timestamp } from '../model/timestamps.js';
import type { Entries, EventSink } from './entries.js';
import { callAt, EntryTimes, returnAt } from './entry-times.js';

export class Timeline {
  readonly #times = new EntryTimes();
  /** The entries sorted by call; computed on demand. */
  #callOrder: Int32Array | undefined;

  /** Adds the next entry with its call and its return, if it has one. */
  add(call: Timestamp | LongTime, end?: Timestamp | LongTime): void {
    this.#times.add(call, end);
    this.#callOrder = undefined;
  }

  /** Sets the return of an entry. */
  end(entry: number, at: Timestamp | LongTime): void {
    this.#times.set(returnAt(entry), at);
    if (this.precedes(entry, entry))
      throw new HistoryError(`the return at ${at} comes before the call`, entry);
  }

  /**
   * Gives all events to the sink, in order. With `entries`, the order of each process is kept, and `onHidden` receives the
   * pairs that the events do not show.
   */
  events(
    sink: EventSink,
    entries?: Entries,
    onHidden?: (entry: number, earlier: readonly number[]) => void,
  ): void {
    const times = this.#times;
    const calls = this.callOrder();
    const returns = times.sorted(true);
    let call = 0;
    let end = 0;
    while (call < calls.length || end < returns.length) {
      const difference =
        call === calls.length
          ? 1
          : end === returns.length
            ? -1
            : times.compare(callAt(calls[call]), returnAt(returns[end]));
      if (difference < 0) sink.add(calls[call++]);
      else if (difference > 0) sink.add(~returns[end++]);
      else {
        const [firstCall, firstReturn] = [call, end];
        const now = callAt(calls[call]);
        while (call < calls.length && times.compare(callAt(calls[call]), now) === 0) call++;
        while (end < returns.length && times.compare(returnAt(returns[end]), now) === 0) end++;
        const [called, returned] = [calls.subarray(firstCall, call), returns.subarray(firstReturn, end)];
        if (entries && mayTouch(entries, called, returned)) {
          const events = new Int32Array(called.length + returned.length);
          arrangeTouches(events, entries, called, returned, (entry) => !this.returns(entry), onHidden);
          for (const event of events) sink.add(event);
        } else {
          for (let i = 0; i < called.length; i++) sink.add(called[i]);
          for (let i = 0; i < returned.length; i++) sink.add(~returned[i]);
        }
      }
    }
  }

  /** All entries sorted by call; after `events`, those of one process as the process made them. */
  callOrder(): Int32Array {
    this.#callOrder ??= this.#times.sorted(false);
    return this.#callOrder;
  }

  returns(entry: number): boolean {
    return this.#times.returns(entry);
  }

  /** True if an entry returned strictly before another was called. */
  precedes(entry: number, other: number): boolean {
    return this.returns(entry) && this.#times.compare(callAt(other), returnAt(entry)) > 0;
  }

  /** True if an entry returned at the time at which another was called. */
  touches(entry: number, other: number): boolean {
    return this.returns(entry) && this.#times.compare(callAt(other), returnAt(entry)) === 0;
  }

  /**
   * In the order of calls: is the second entry called inside the interval of the first, which returns? At the start of the
   * interval, it may come first if it takes no time or is given up.
   */
  overlaps(before: number, entry: number): boolean {
    const times = this.#times;
    if (times.compare(callAt(entry), returnAt(before)) >= 0) return false;
    const isShort = !this.returns(entry) || this.touches(entry, entry);
    return !(isShort && times.compare(callAt(entry), callAt(before)) === 0);
  }

  /** Does an entry return later than another, if both return? */
  returnsAfter(entry: number, other: number): boolean {
    return this.#times.compare(returnAt(entry), returnAt(other)) > 0;
  }

  /** The number of events before a time; `entryOf` gives the entry of an event. */
  momentOf(time: Timestamp, events: Int32Array, entryOf: Int32Array): number {
    return this.#times.countBefore(time, events.length, (moment) => {
      const event = events[moment];
      return event >= 0 ? callAt(entryOf[event]) : returnAt(entryOf[~event]);
    });
  }
}

/** Does some process return and call among these events? */
function mayTouch(entries: Entries, called: Int32Array, returned: Int32Array): boolean {
  if (called.length === 1 && returned.length === 1)
    return called[0] !== returned[0] && entries.process(called[0]) === entries.process(returned[0]);
  const processes = new Set<number>();
  for (const entry of returned) processes.add(entries.process(entry));
  return called.some((entry) => processes.has(entries.process(entry)));
}

/** What a process did at one time. */
interface Touches {
  /** The operations, as the process made them. */
  readonly operations: number[];
  /** Operations to those that the process made directly before, on the same object. */
  readonly earlier: ReadonlyMap<number, readonly number[]>;
  readonly objects: ReadonlySet<number>;
}

/**
 * Writes the events of one time, and sorts the calls.
 *
 * A process finishes its earlier call first, and the call that returns later is its last. In between, entries are in the
 * order of the calls. A pending operation may be anywhere there, since recorders often write it at the end; only the
 * earlier call precedes it.
 *
 * Calls are sorted by the return before them. A file in the order of returns then keeps that order if `after` edges
 * become events (`History.withoutAfter`).
 */
function arrangeTouches(
  events: Int32Array,
  entries: Entries,
  called: Int32Array,
  returned: Int32Array,
  isPending: (entry: number) => boolean,
  onHidden: ((entry: number, earlier: readonly number[]) => void) | undefined,
): void {
  const isCalled = new Set(called);
  const place = new Map(Array.from(returned, (entry, i) => [entry, i]));
  const stageOf = (entry: number) => {
    if (!isCalled.has(entry)) return 0;
    if (place.has(entry)) return 2;
    return isPending(entry) ? 1 : 3;
  };
  const byProcess = new Map<number, number[]>();
  for (const entry of new Set([...returned, ...called])) {
    const own = byProcess.get(entries.process(entry));
    if (own) own.push(entry);
    else byProcess.set(entries.process(entry), [entry]);
  }

  const touches = new Map<number, Touches>();
  const owners = new Map<number, number>();
  const rank = new Map<number, number>();
  for (const [process, operations] of byProcess) {
    operations.sort((a, b) => stageOf(a) - stageOf(b) || a - b);
    let last = -1;
    for (const entry of operations) {
      rank.set(entry, last);
      last = Math.max(last + 1, (place.get(entry) ?? -1) * (events.length + 1));
    }
    const earlier = findEarlier(entries, operations, isCalled, place);
    if (earlier.size === 0) continue;
    const objects = new Set(operations.map((entry) => entries.object(entry)));
    touches.set(process, { operations, earlier, objects });
    for (const object of objects) owners.set(object, (owners.get(object) ?? 0) + 1);
  }
  called.sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || a - b);

  const shown = new Map<number, Touches>();
  for (const [process, own] of touches)
    if (
      [...own.objects].every((object) => owners.get(object) === 1) &&
      !own.operations.some((entry) => entries.isConcurrent(entry))
    )
      shown.set(process, own);
    else for (const [entry, earlier] of own.earlier) onHidden?.(entry, earlier);

  const isShown = (entry: number) => shown.has(entries.process(entry));
  let next = 0;
  for (const entry of called) if (!isShown(entry)) events[next++] = entry;
  for (const { operations } of shown.values())
    for (const entry of operations) {
      if (isCalled.has(entry)) events[next++] = entry;
      if (place.has(entry)) events[next++] = ~entry;
    }
  for (const entry of returned) if (!isShown(entry)) events[next++] = ~entry;
}

/** For each call, the last operations of the process and object before it that returned; two that may overlap are not ordered. */
function findEarlier(
  entries: Entries,
  operations: readonly number[],
  isCalled: ReadonlySet<number>,
  returned: ReadonlyMap<number, number>,
): Map<number, readonly number[]> {
  const earlier = new Map<number, readonly number[]>();
  /** Object to its last operation that may not overlap others, and those after it that may. */
  const last = new Map<number, { single: readonly number[]; overlapping: number[] }>();
  for (const entry of operations) {
    if (!entries.mayHaveHappened(entry)) continue;
    const object = entries.object(entry);
    const before = last.get(object) ?? { single: [], overlapping: [] };
    const mayOverlap = entries.isConcurrent(entry);
    const own = mayOverlap || before.overlapping.length === 0 ? before.single : before.overlapping;
    if (isCalled.has(entry) && own.length > 0) earlier.set(entry, own);
    if (!returned.has(entry)) continue;
    if (mayOverlap) last.set(object, { ...before, overlapping: [...before.overlapping, entry] });
    else last.set(object, { single: [entry], overlapping: [] });
  }
  return earlier;
}
