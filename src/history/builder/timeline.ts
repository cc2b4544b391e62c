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
import { mergeSort } from '../../base/algorithms/merge-sort.js';
import { range } from '../../base/collections/ints.js';
import { HistoryError } from '../model/operation.js';
import { type LongTime, type Timestamp, TimestampList } from '../model/timestamps.js';
import type { Entries } from './entries.js';

export class Timeline {
  /** Entry to the time of its call, and of its return if there is one. */
  readonly #calls = new TimestampList();
  readonly #returns = new TimestampList();
  /** The entries sorted by call; computed on demand. */
  #callOrder: Int32Array | undefined;

  /** Adds the call of the next entry. */
  call(at: Timestamp | LongTime): void {
    this.#calls.push(at);
    this.#returns.pushEmpty();
    this.#callOrder = undefined;
  }

  /** Adds the next entry with its call and return. */
  add(call: Timestamp | LongTime, end: Timestamp | LongTime): void {
    this.#calls.push(call);
    this.#returns.push(end);
    this.#callOrder = undefined;
  }

  /** Sets the return of an entry. */
  end(entry: number, at: Timestamp | LongTime): void {
    this.#returns.set(entry, at);
    if (this.precedes(entry, entry))
      throw new HistoryError(`the return at ${at} comes before the call`, entry);
  }

  /**
   * All calls (entry) and returns (~entry) in order. With `entries`, the order of each process is
   * kept, and `onHidden` receives the pairs that the events do not show.
   */
  events(entries?: Entries, onHidden?: (entry: number, earlier: readonly number[]) => void): Int32Array {
    const calls = this.callOrder();
    const returns = this.#returnOrder();
    const events = new Int32Array(calls.length + returns.length);
    const compare = this.#calls.comparison(this.#returns);
    let call = 0;
    let end = 0;
    while (call + end < events.length) {
      const difference =
        call === calls.length ? 1 : end === returns.length ? -1 : compare(calls[call], returns[end]);
      if (difference < 0) events[call + end] = calls[call++];
      else if (difference > 0) events[call + end] = ~returns[end++];
      else {
        const start = call + end;
        const [firstCall, firstReturn] = [call, end];
        while (call < calls.length && compare(calls[call], returns[firstReturn]) === 0) call++;
        while (end < returns.length && compare(calls[firstCall], returns[end]) === 0) end++;
        const [called, returned] = [calls.subarray(firstCall, call), returns.subarray(firstReturn, end)];
        if (entries && mayTouch(entries, called, returned))
          arrangeTouches(
            events.subarray(start, call + end),
            entries,
            called,
            returned,
            (entry) => !this.returns(entry),
            onHidden,
          );
        else {
          events.set(called, start);
          for (let i = 0; i < returned.length; i++) events[start + called.length + i] = ~returned[i];
        }
      }
    }
    return events;
  }

  /** All entries sorted by call; after `events`, those of one process as the process made them. */
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

  /** True if an entry returned at the time at which another was called. */
  touches(entry: number, other: number): boolean {
    return this.returns(entry) && this.#calls.compareTo(other, this.#returns, entry) === 0;
  }

  /**
   * Fast comparisons of two entries in the order of calls: is the second called inside the interval of the first, and
   * does it return later? At the start of the interval, it may come first if it takes no time or is given up.
   */
  comparisons(): Record<'overlaps' | 'returnsAfter', (entry: number, before: number) => boolean> {
    const toReturn = this.#calls.comparison(this.#returns);
    const returns = this.#returns.comparison(this.#returns);
    const isShort = (entry: number) => !this.returns(entry) || toReturn(entry, entry) === 0;
    return {
      overlaps: (entry, before) =>
        toReturn(entry, before) < 0 && !(this.#calls.compare(entry, before) === 0 && isShort(entry)),
      returnsAfter: (entry, before) => returns(entry, before) > 0,
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
