/** The monitor of mutexes with owners, if no two calls of one owner overlap. */

import type { History } from '../../../history/history.js';
import { NEVER, THREW } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { linearizable, violation } from '../../model/verdict.js';
import { CallReader, ValueNumbers } from '../common/call-reader.js';
import { END, GroupedLists } from '../common/lists.js';
import { type Monitor, type MonitorResult, simpleMonitor } from '../common/monitor.js';
import {
  BUSY,
  CriticalSections,
  LOCK,
  NONE,
  NOT_LOCKED,
  NOT_OWNER,
  OPEN_TRY,
  OPEN_UNLOCK,
  type Owned,
  UNLOCK,
} from './critical-sections.js';

export const ownedMutexMonitor: Monitor = simpleMonitor({
  name: 'owned-mutex monitor',
  bytesPerOperation: 50,
  read: readOwned,
  decide: (owned) => {
    const sections = new CriticalSections(owned);
    return sections.contradiction ?? sectionOrder(owned, sections);
  },
});

const IS_LOCK = 0;
const IS_UNLOCK = 1;
const METHODS = ['lock', 'unlock', 'tryLock'];

function readOwned(history: History, spec: Spec): Owned | string {
  if (spec.family?.initial !== null) return 'the family of the spec does not say that it is initially free';
  const calls = new CallReader(history, spec, METHODS);
  const { argument, argumentStart, call, return: returned } = history.columns;
  const role = new Uint8Array(history.length);
  const owner = new Int32Array(history.length);
  const numbers = new ValueNumbers(history, 0);
  /** For each owner, the return of the last call. */
  const until = new Int32Array(history.length);
  for (let k = 0; k < history.length; k++) {
    const what = roleOf(calls, k);
    if (typeof what === 'string') return what;
    role[k] = what;
    const own = numbers.take(argument[argumentStart[k]]);
    if (until[own] > call[k]) return 'calls of one owner overlap';
    until[own] = returned[k];
    owner[k] = own;
  }
  return { history, role, owner, owners: numbers.count };
}

function roleOf(calls: CallReader, k: number): number | string {
  const { status } = calls.history.columns;
  const own = calls.role(k);
  if (own === IS_UNLOCK && status[k] === THREW && calls.arguments(k) === 1) {
    if (calls.threw(k, 'NotOwner')) return NOT_OWNER;
    if (calls.threw(k, 'NotLocked')) return NOT_LOCKED;
  }
  const method = calls.read(k, 1);
  if (typeof method === 'string') return method;
  if (method !== IS_LOCK && method !== IS_UNLOCK) {
    if (calls.isOpen(k)) return OPEN_TRY;
    return calls.answers(k, calls.yes) ? LOCK : calls.answers(k, calls.no) ? BUSY : calls.unexpectedResult(k);
  }
  if (calls.isOpen(k)) return method === IS_LOCK ? LOCK : OPEN_UNLOCK;
  if (!calls.answers(k, calls.done)) return calls.unexpectedResult(k);
  return method === IS_LOCK ? LOCK : UNLOCK;
}

const SAW_IT_HELD = 0;
const ENDS = 1;
const SAW_IT_FREE = 2;
const BEGINS = 3;
const SAW_IT_HELD_AGAIN = 4;

/** Before all slots. */
const START = -1;

function sectionOrder(owned: Owned, sections: CriticalSections): MonitorResult {
  const places = new SectionPlaces(owned, sections);
  for (let window = 0; window <= sections.lock.length; window++) {
    const wrong = places.fill(window);
    if (wrong) return wrong;
  }
  return linearizable(places.order());
}

/**
 * Places the ends and starts of critical sections, and the operations that only saw the mutex held or free.
 *
 * Between two sections is a window: the first may end from the call of its unlock on, the second has started by the
 * return of its lock. Windows do not overlap. In each, the end is placed as late as possible, so that operations that
 * saw it held come before; then the start, so that operations that saw it free come before:
 *
 *   end      not later than the return of the unlock, nor of any that saw it free and has no later window
 *   start    not later than the return of the lock, nor of any that saw it held and was called after the end;
 *            and not earlier than the call of the lock, nor of any that saw it free and has no later window
 *
 * An operation that saw it free and overlaps the next window is placed there if the start comes before its call. Late
 * places lose nothing: an end moves only for operations without another window, and a later start serves more
 * operations.
 *
 * A slot is the gap after an event. The order in a slot: saw it held, end, saw it free, start, saw it held. Cost:
 * O(n).
 */
class SectionPlaces {
  readonly #owned: Owned;
  readonly #sections: CriticalSections;
  /** For each operation, its slot, and its rank there; without a slot it is not in the order. */
  readonly #slot: Int32Array;
  readonly #rank: Uint8Array;
  /** The operations that saw it held or free, by call, and the next to be placed. */
  readonly #held: Int32Array;
  readonly #free: Int32Array;
  #nextHeld = 0;
  #nextFree = 0;
  /** The operations that saw it free in a later window. */
  #later: number[] = [];

  constructor(owned: Owned, sections: CriticalSections) {
    const { history, role } = owned;
    const { return: returned } = history.columns;
    const sawIt = (some: readonly number[]): Int32Array =>
      history.columns.id.map((_, k) => k).filter((k) => returned[k] !== NEVER && some.includes(role[k]));
    this.#owned = owned;
    this.#sections = sections;
    this.#slot = new Int32Array(history.length).fill(START);
    this.#rank = new Uint8Array(history.length);
    this.#held = sawIt([BUSY, NOT_OWNER]);
    this.#free = sawIt([NOT_LOCKED]);
  }

  /** Fills the window before a section, or after the last; returns a refutation if nothing fits. */
  fill(window: number): MonitorResult | undefined {
    const { call, return: returned } = this.#owned.history.columns;
    const { lock: locks, unlock: unlocks, claim } = this.#sections;
    const unlock = unlocks[window - 1] ?? NONE;
    const isLast = window === locks.length;
    const lock = isLast ? claim : locks[window];
    const start = window === 0 ? START : unlock === NONE ? NEVER : call[unlock];
    const close = isLast ? NEVER : returned[lock] - 1;
    const next = unlocks[window] === undefined || unlocks[window] === NONE ? NEVER : call[unlocks[window]];

    // the end, and the earliest start
    const latestEnd =
      window === 0
        ? START
        : Math.min(unlock === NONE ? NEVER : returned[unlock], returned[lock] ?? NEVER) - 1;
    let [end, least] = [latestEnd, isLast ? START : call[lock]];
    const [placedHere, placedLater] = [this.#later, [] as number[]];
    for (const k of placedHere) end = Math.min(end, returned[k] - 1);
    for (
      ;
      this.#nextFree < this.#free.length && call[this.#free[this.#nextFree]] <= close;
      this.#nextFree++
    ) {
      const k = this.#free[this.#nextFree];
      if (returned[k] <= start) return this.#definitelyHeld(k, locks[window - 1]);
      (returned[k] <= next ? placedHere : placedLater).push(k);
      if (returned[k] > next) continue;
      end = Math.min(end, returned[k] - 1);
      least = Math.max(least, call[k]);
    }

    // the start
    const behind: number[] = [];
    let [begin, tightest] = [close, NONE];
    for (
      ;
      this.#nextHeld < this.#held.length && call[this.#held[this.#nextHeld]] <= close;
      this.#nextHeld++
    ) {
      const k = this.#held[this.#nextHeld];
      if (call[k] <= Math.max(end, start)) this.#put(k, call[k], SAW_IT_HELD);
      else {
        behind.push(k);
        if (returned[k] <= begin) [begin, tightest] = [returned[k] - 1, k];
      }
    }
    if (isLast && tightest !== NONE) least = Math.max(least, lock === NONE ? NEVER : call[lock]);
    if (begin < least) {
      const isGap = end === latestEnd && least === (lock === NONE ? NEVER : call[lock]);
      return isGap ? this.#definitelyFree(tightest, window) : this.#nothingFits();
    }

    if (unlock !== NONE) this.#put(unlock, end, ENDS);
    if (lock !== NONE) this.#put(lock, begin, BEGINS);
    for (const k of behind) this.#put(k, Math.max(call[k], begin), SAW_IT_HELD_AGAIN);
    this.#later = placedLater.filter((k) => call[k] > begin);
    for (const k of [...placedHere, ...placedLater.filter((k) => call[k] <= begin)])
      this.#put(k, Math.max(call[k], end), SAW_IT_FREE);
    return undefined;
  }

  order(): Int32Array {
    const { history } = this.#owned;
    const moments = history.columns.events.length;
    const members = new GroupedLists(moments, history.length, (k) => this.#slot[k]);
    const order = new Int32Array(history.length);
    let length = 0;
    for (let moment = 0; moment < moments; moment++)
      for (let rank = SAW_IT_HELD; rank <= SAW_IT_HELD_AGAIN; rank++)
        for (let k = members.first(moment); k !== END; k = members.next(k))
          if (this.#rank[k] === rank) order[length++] = k;
    return order.subarray(0, length);
  }

  #put(k: number, slot: number, rank: number): void {
    this.#slot[k] = slot;
    this.#rank[k] = rank;
  }

  #definitelyHeld(k: number, lock: number): MonitorResult {
    const { id } = this.#owned.history.columns;
    return violation({
      operations: [lock, k],
      cause: { kind: 'definitely held', operation: id[k], lock: id[lock] },
    });
  }

  /** It was seen held during the whole window between two sections. */
  #definitelyFree(k: number, window: number): MonitorResult {
    const { id } = this.#owned.history.columns;
    const { lock, unlock } = this.#sections;
    const [before, after, next] = [lock[window - 1], unlock[window - 1], lock[window]];
    const idOf = (operation: number | undefined) => (operation === undefined ? undefined : id[operation]);
    return violation({
      operations: [before, after, k, next].filter((operation) => operation !== undefined),
      cause: { kind: 'definitely free', operation: id[k], after: idOf(after), before: idOf(next) },
    });
  }

  /** Operations that saw it free and operations that saw it held exclude each other. A search explains it. */
  #nothingFits(): MonitorResult {
    const { events } = this.#owned.history.columns;
    return violation({ operation: ~events[events.findLastIndex((event) => event < 0)] });
  }
}
