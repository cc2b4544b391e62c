/**
 * Runs: operations on a cell that stand together in every order.
 *
 *   P. Gibbons, E. Korach. Testing shared memories. SIAM Journal on Computing 26(4), 1997.
 *   W. Golab, X. Li, M. Shah. Analyzing consistency properties for fun and profit. PODC 2011.
 *
 * There, a run is a write with the reads of its value. Here swaps tie such groups together: a swap
 * stands right behind what it saw, so its own value's group follows. A run begins with a blind write, or is the
 * one that the cell begins with. In a hub it begins with a swap from the hub's value and ends with one back to it,
 * and each read of that value is a run by itself. Runs of one cell can follow each other as they like, but for
 * the first one, which is first, and one that never comes back to the hub, which is last.
 *
 * Within a run the order is: who made a value, all that read it, by call, the swap to the next value, and so on. It
 * agrees with real time if nobody returned before the latest call so far. Cost: O(n).
 */
import { NEVER } from '../../../history/model/columns.js';
import { END, GroupedLists } from '../common/grouped-lists.js';
import { HUB, INITIAL, READ, SWAP } from './operations.js';
import type { Writers } from './writers.js';

/** Instead of an operation, or a run. */
export const NONE = -1;

/** Two operations in the wrong order: the first has to stand before the second, but was called after that returned. */
interface OutOfTurn {
  readonly first: number;
  readonly second: number;
}

export class Clusters {
  readonly sources: Writers;
  /** Operation to its run; NONE if it is in none. */
  readonly runOf: Int32Array;
  /** Who made a value to who swapped it for another; NONE if nobody did. Behind all operations come the cells' first values. */
  readonly next: Int32Array;
  /** The operations, run by run in their order; run r is from `start[r]` up to `start[r + 1]`. */
  readonly sequence: Int32Array;
  readonly start: Int32Array;
  readonly cellOf: Int32Array;
  /** Its first return and its last call, and whose they are. -1: it was there before all; NEVER: it is to the end. */
  readonly firstReturn: Int32Array;
  readonly firstReturned: Int32Array;
  readonly lastCall: Int32Array;
  readonly lastCalled: Int32Array;
  count = 0;
  /** Two that swapped the same value, if there are. */
  readonly swappedTwice: readonly [number, number] | undefined;
  /** An operation that nobody's value leads to; or NONE. */
  readonly baseless: number = NONE;
  outOfTurn: OutOfTurn | undefined;
  readonly #readers: GroupedLists;
  #length = 0;

  constructor(sources: Writers) {
    this.sources = sources;
    const { acts, source, isSure, isHub } = sources;
    const { role, history, cells } = acts;
    const { length } = history;
    this.runOf = new Int32Array(length).fill(NONE);
    this.next = new Int32Array(length + cells).fill(NONE);
    this.sequence = new Int32Array(length);
    const most = length + cells;
    const lists = Array.from({ length: 5 }, () => new Int32Array(most));
    [this.cellOf, this.firstReturn, this.firstReturned, this.lastCall, this.lastCalled] = lists;
    this.start = new Int32Array(most + 1);
    this.#readers = new GroupedLists(length + cells, length, (k) =>
      role[k] === READ && isSure[k] && source[k] !== HUB ? this.makerOf(k) : END,
    );

    // who follows whom
    for (let k = 0; k < length; k++) {
      if (role[k] !== SWAP || !isSure[k] || source[k] === HUB) continue;
      const maker = this.makerOf(k);
      if (maker < 0) continue;
      if (this.next[maker] !== NONE) {
        this.swappedTwice = [this.next[maker], k];
        return;
      }
      this.next[maker] = k;
    }
    // all runs, from their beginnings
    for (let c = 0; c < cells; c++) if (!isHub[c]) this.#follow(length + c, c);
    for (let k = 0; k < length; k++) {
      if (!isSure[k]) continue;
      const isBeginning = acts.isMutator(k) ? role[k] !== SWAP || source[k] === HUB : source[k] === HUB;
      if (isBeginning) this.#follow(k, acts.cell[k]);
    }
    for (let k = 0; k < length && this.baseless === NONE; k++)
      if (isSure[k] && this.runOf[k] === NONE && (role[k] === READ || role[k] === SWAP)) {
        if (history.columns.return[k] !== NEVER) this.baseless = k;
      }
  }

  /** Is nothing wrong by now? */
  get isWhole(): boolean {
    return !this.swappedTwice && this.baseless === NONE && !this.outOfTurn;
  }

  /** Who made what an operation saw: an operation, or the place of a cell's first value; negative if neither. */
  makerOf(k: number): number {
    const { source, acts } = this.sources;
    return source[k] === INITIAL ? acts.history.length + acts.cell[k] : source[k];
  }

  /** Walks along a run. */
  #follow(beginning: number, cell: number): void {
    const { acts, isHub } = this.sources;
    const { length } = acts.history;
    const run = this.count++;
    this.start[run] = this.#length;
    this.cellOf[run] = cell;
    const isFirst = beginning >= length;
    this.firstReturn[run] = isFirst ? -1 : NEVER;
    this.firstReturned[run] = this.lastCalled[run] = NONE;
    this.lastCall[run] = -1;
    let at = beginning;
    if (!isFirst) this.#add(run, at);
    while (isFirst || acts.isMutator(at)) {
      for (let k = this.#readers.first(at); k !== END; k = this.#readers.next(k)) this.#add(run, k);
      const swap = this.next[at];
      if (swap === NONE) {
        if (isHub[cell] && !this.#isBack(at)) this.lastCall[run] = NEVER;
        break;
      }
      this.#add(run, swap);
      at = swap;
    }
    this.start[run + 1] = this.#length;
  }

  #isBack(mutator: number): boolean {
    const { made, initial } = this.sources.acts;
    return made[mutator] === initial;
  }

  #add(run: number, k: number): void {
    const { call, return: returned } = this.sources.acts.history.columns;
    this.runOf[k] = run;
    this.sequence[this.#length++] = k;
    if (returned[k] < this.lastCall[run]) this.outOfTurn ??= { first: this.lastCalled[run], second: k };
    if (returned[k] < this.firstReturn[run]) {
      this.firstReturn[run] = returned[k];
      this.firstReturned[run] = k;
    }
    if (call[k] > this.lastCall[run]) {
      this.lastCall[run] = call[k];
      this.lastCalled[run] = k;
    }
  }
}

/*
 * Do the runs of each cell fit behind each other?
 *
 * A run has to be before another if it has an operation that returned before one of the other was called. If both
 * have to be before each other, there is no order. In terms of time: a run whose first return is before its
 * last call has a zone between them, which it fills alone. So
 *
 *   two zones of a cell must not overlap, and
 *   a run without a zone, whose operations all overlap, must not lie within a zone.
 *
 * Then there is an order: runs with a zone by time, and a run without one as soon as all its operations are called
 * and no zone is open. One sweep over the events with one open zone a cell finds both. Cost: O(n).
 */

/** The place of each run, as a moment from -1 on; or two runs that are in each other's way. */
export function placeClusters(runs: Clusters): Int32Array | readonly [number, number] {
  const { runOf, firstReturn, firstReturned, lastCall, lastCalled, cellOf, count, sources } = runs;
  const { history, cells } = sources.acts;
  const { events } = history.columns;
  const place = new Int32Array(count);
  /** Cell to the run whose zone was opened last, and the end of that zone. */
  const holder = new Int32Array(cells).fill(NONE);
  const end = new Int32Array(cells).fill(-1);
  const open = (run: number, cell: number): void => {
    place[run] = firstReturn[run];
    holder[cell] = run;
    end[cell] = lastCall[run];
  };
  for (let run = 0; run < count; run++)
    if (firstReturn[run] < 0) {
      if (lastCall[run] >= 0) open(run, cellOf[run]);
      else place[run] = -1;
    }
  for (let moment = 0; moment < events.length; moment++) {
    const event = events[moment];
    const k = event < 0 ? ~event : event;
    const run = runOf[k];
    if (run === NONE) continue;
    const hasZone = firstReturn[run] < lastCall[run];
    const cell = cellOf[run];
    if (event < 0 && hasZone && firstReturned[run] === k) {
      if (moment < end[cell]) return [holder[cell], run];
      open(run, cell);
    } else if (event >= 0 && !hasZone && lastCalled[run] === k) {
      if (firstReturn[run] < end[cell]) return [holder[cell], run];
      place[run] = Math.max(moment, end[cell]);
    }
  }
  return place;
}
