/**
 * The open operations at each return: the view of a history that just-in-time searches use.
 *
 * Nothing needs to happen at a call, so only returns are positions. The pending operations that are open at a return
 * are a prefix of their list.
 *
 * Cost: O(returns · slots) time and 4-byte entries.
 */
import { hasBit } from '../../../base/collections/ints.js';
import { type Columns, NEVER } from '../../../history/model/columns.js';
import { lastEqualBefore, Slots } from './slots.js';

export class OpenOperations extends Slots {
  /** For each position, the operation that returns there. */
  readonly returns: Int32Array;
  /** `open[r * slots + b]`: the operation in slot b at the r-th return, or -1. */
  readonly open: Int32Array;
  /** `readOnly[r * words + w]`: the slots of open read-only operations at the r-th return, as bits. */
  readonly readOnly: Int32Array;
  /** For each position, how many pending operations had been called by then. */
  readonly unreturnedBy: Int32Array;
  /** Whether the operation that returns at a position is the only open one. */
  readonly isAlone: Uint8Array;
  /**
   * For each returning operation, the equal one that returns last before it, or -1. Of equal operations that are open,
   * the one that returns first may go first: if it goes later in a linearization, both can change places.
   */
  readonly #equalSooner: Int32Array;
  /** For each operation, the moments of its call and of its return. */
  readonly #calls: Int32Array;
  readonly #moments: Int32Array;

  constructor(columns: Columns, letters: Int32Array, isReadOnly: (letter: number) => boolean) {
    super(columns, letters);
    const { slots, words, slotOf } = this;
    const { events } = columns;
    const count = events.length - columns.call.length;

    // record the operation of each slot at each return
    const returns = new Int32Array(count);
    const unreturnedBy = new Int32Array(count);
    const isAlone = new Uint8Array(count);
    const open = new Int32Array(count * slots);
    const readOnly = new Int32Array(count * words);
    const now = new Int32Array(slots).fill(-1);
    const readOnlyNow = new Int32Array(words);
    let position = 0;
    let pending = 0;
    let openNow = 0;
    for (let m = 0; m < events.length; m++) {
      const event = events[m];
      const slot = slotOf[event >= 0 ? event : ~event];
      if (event < 0) {
        for (let other = 0; other < slots; other++) open[position * slots + other] = now[other];
        for (let word = 0; word < words; word++) readOnly[position * words + word] = readOnlyNow[word];
        returns[position] = ~event;
        isAlone[position] = Number(openNow-- + pending === 1);
        unreturnedBy[position++] = pending;
        now[slot] = -1;
        readOnlyNow[slot >>> 5] &= ~(1 << (slot & 31));
      } else if (slot < 0) pending++;
      else {
        now[slot] = event;
        openNow++;
        if (isReadOnly(letters[event])) readOnlyNow[slot >>> 5] |= 1 << (slot & 31);
      }
    }

    this.returns = returns;
    this.open = open;
    this.readOnly = readOnly;
    this.#calls = columns.call;
    this.#moments = columns.return;
    this.#equalSooner = lastEqualBefore(returns, letters, columns);
    this.unreturnedBy = unreturnedBy;
    this.isAlone = isAlone;
  }

  get bytes(): number {
    return (
      this.open.byteLength + this.readOnly.byteLength + 9 * this.returns.length + 16 * this.slotOf.length
    );
  }

  /** Memory of these tables for a history. */
  static bytesFor(columns: Columns): number {
    return bytesOf(columns, mostOpen(columns));
  }

  /** An upper bound of that, without a pass over the events. */
  static bytesAtMost(columns: Columns): number {
    return bytesOf(columns, columns.call.length);
  }

  /**
   * Candidate 0 at a position is the operation that must return, then come the slots, then pending operations; -1 for
   * none.
   */
  candidate(position: number, number: number): number {
    const { open, slots, returns, unreturned } = this;
    if (number === 0) return returns[position];
    return number <= slots ? open[position * slots + number - 1] : unreturned[number - 1 - slots];
  }

  /**
   * The first candidate from this one on that may take effect and has not; -1 if there is none. The mask starts at
   * `mask[start]`.
   */
  nextCandidate(position: number, from: number, mask: Int32Array, start: number): number {
    const must = this.returns[position];
    const end = 1 + this.slots + this.unreturnedBy[position];
    for (let number = from; number < end; number++) {
      const k = this.candidate(position, number);
      if (k < 0 || (number > 0 && k === must) || hasBit(mask, start, this.bitOf[k])) continue;
      if (!this.isReady(k, position, mask, start)) continue;
      if (!this.hasEqualFirst(k, position, mask, start)) return number;
    }
    return -1;
  }

  /**
   * Whether an open operation waits for an equal one that may go first: one called before it if both are pending, one
   * that returns before it otherwise. The mask starts at `mask[start]`.
   */
  hasEqualFirst(k: number, position: number, mask: Int32Array, start: number): boolean {
    const pending = this.equalBefore[k];
    if (pending >= 0) return !hasBit(mask, start, this.bitOf[pending]);
    const moment = this.#moments[this.returns[position]];
    for (let equal = this.#equalSooner[k]; equal >= 0; equal = this.#equalSooner[equal]) {
      if (this.#moments[equal] < moment) return false;
      if (this.#calls[equal] < moment && !hasBit(mask, start, this.bitOf[equal])) return true;
    }
    return false;
  }

  /**
   * Whether an open operation may take effect at a position: all that it comes "after" have. The mask starts at
   * `mask[start]`.
   */
  isReady(k: number, position: number, mask: Int32Array, start: number): boolean {
    return this.isReadyAt(this.#moments[this.returns[position]], k, mask, start);
  }
}

function bytesOf({ events, call }: Columns, slots: number): number {
  return (4 * slots + 4 * Math.ceil(slots / 32) + 9) * (events.length - call.length) + 16 * call.length;
}

/** The maximum number of returning operations that are open at once. */
function mostOpen({ events, return: returned }: Columns): number {
  let open = 0;
  let most = 0;
  for (let m = 0; m < events.length; m++) {
    if (events[m] < 0) open--;
    else if (returned[events[m]] !== NEVER && ++open > most) most = open;
  }
  return most;
}
