/**
 * Clusters: operations on a cell that are adjacent in every linearization.
 *
 *   P. Gibbons, E. Korach. Testing shared memories. SIAM Journal on Computing 26(4), 1997.
 *   W. Golab, X. Li, M. Shah. Analyzing consistency properties for fun and profit. PODC 2011.
 *
 * In these papers, a cluster is a write with the reads of its value. Here swaps connect such groups: a swap directly
 * follows the value it saw, so the group of its own value follows. A cluster starts with a blind write, or with the
 * initial value. If the initial value is recurring, a cluster starts with a swap from it and ends with a swap back to
 * it, and each read of it is a cluster by itself. Clusters of one cell can follow each other in any order, except the
 * first, and one that never returns to the recurring value, which is last.
 *
 * Within a cluster the order is: the writer of a value, all its readers by call, the swap to the next value, and so
 * on. The cluster agrees with real time if no operation returned before the latest call so far.
 *
 * Cost: O(n).
 */
import { NEVER } from '../../../history/model/columns.js';
import { END, GroupedLists } from '../common/lists.js';
import { INITIAL, READ, RECURRING, SWAP } from './operations.js';
import type { Writers } from './writers.js';

/** Instead of an operation, or a cluster. */
export const NONE = -1;

/** Two operations out of order: the first must precede the second, but was called after the second returned. */
interface OutOfTurn {
  readonly first: number;
  readonly second: number;
}

export class Clusters {
  readonly writers: Writers;
  /** For each operation, its cluster, or NONE. */
  readonly clusterOf: Int32Array;
  /**
   * For each writer of a value, the operation that swapped it for another, or NONE. After all operations come the
   * initial values of cells.
   */
  readonly next: Int32Array;
  /** The operations, cluster by cluster in order; cluster r is from `start[r]` up to `start[r + 1]`. */
  readonly sequence: Int32Array;
  readonly start: Int32Array;
  readonly cellOf: Int32Array;
  /**
   * For each cluster, its first return and last call, and the operations they belong to. -1: before all moments;
   * NEVER: to the end.
   */
  readonly firstReturn: Int32Array;
  readonly firstReturned: Int32Array;
  readonly lastCall: Int32Array;
  readonly lastCalled: Int32Array;
  count = 0;
  /** Two operations that swapped the same value, if there are any. */
  readonly swappedTwice: readonly [number, number] | undefined;
  /** An operation whose value was never written; or NONE. */
  readonly neverWritten: number = NONE;
  outOfTurn: OutOfTurn | undefined;
  readonly #readers: GroupedLists;
  #length = 0;

  constructor(writers: Writers) {
    this.writers = writers;
    const { acts, writer, isDefinite, isRecurring } = writers;
    const { role, history, cells } = acts;
    const { length } = history;
    this.clusterOf = new Int32Array(length).fill(NONE);
    this.next = new Int32Array(length + cells).fill(NONE);
    this.sequence = new Int32Array(length);
    const most = length + cells;
    const lists = Array.from({ length: 5 }, () => new Int32Array(most));
    [this.cellOf, this.firstReturn, this.firstReturned, this.lastCall, this.lastCalled] = lists;
    this.start = new Int32Array(most + 1);
    this.#readers = new GroupedLists(length + cells, length, (k) =>
      role[k] === READ && isDefinite[k] && writer[k] !== RECURRING ? this.writerOf(k) : END,
    );

    // successors
    for (let k = 0; k < length; k++) {
      if (role[k] !== SWAP || !isDefinite[k] || writer[k] === RECURRING) continue;
      const origin = this.writerOf(k);
      if (origin < 0) continue;
      if (this.next[origin] !== NONE) {
        this.swappedTwice = [this.next[origin], k];
        return;
      }
      this.next[origin] = k;
    }
    // all clusters, from their starts
    for (let c = 0; c < cells; c++) if (!isRecurring[c]) this.#follow(length + c, c);
    for (let k = 0; k < length; k++) {
      if (!isDefinite[k]) continue;
      const isBeginning = acts.isMutator(k)
        ? role[k] !== SWAP || writer[k] === RECURRING
        : writer[k] === RECURRING;
      if (isBeginning) this.#follow(k, acts.cell[k]);
    }
    for (let k = 0; k < length && this.neverWritten === NONE; k++)
      if (isDefinite[k] && this.clusterOf[k] === NONE && (role[k] === READ || role[k] === SWAP)) {
        if (history.columns.return[k] !== NEVER) this.neverWritten = k;
      }
  }

  /** Whether no condition is violated so far. */
  get isWhole(): boolean {
    return !this.swappedTwice && this.neverWritten === NONE && !this.outOfTurn;
  }

  /**
   * The writer of the value that an operation saw: an operation, or the place of a cell's initial value; negative if
   * neither.
   */
  writerOf(k: number): number {
    const { writer, acts } = this.writers;
    return writer[k] === INITIAL ? acts.history.length + acts.cell[k] : writer[k];
  }

  /** Follows a cluster from its start. */
  #follow(beginning: number, cell: number): void {
    const { acts, isRecurring } = this.writers;
    const { length } = acts.history;
    const cluster = this.count++;
    this.start[cluster] = this.#length;
    this.cellOf[cluster] = cell;
    const isFirst = beginning >= length;
    this.firstReturn[cluster] = isFirst ? -1 : NEVER;
    this.firstReturned[cluster] = this.lastCalled[cluster] = NONE;
    this.lastCall[cluster] = -1;
    let at = beginning;
    if (!isFirst) this.#add(cluster, at);
    while (isFirst || acts.isMutator(at)) {
      for (let k = this.#readers.first(at); k !== END; k = this.#readers.next(k)) this.#add(cluster, k);
      const swap = this.next[at];
      if (swap === NONE) {
        if (isRecurring[cell] && !this.#isBack(at)) this.lastCall[cluster] = NEVER;
        break;
      }
      this.#add(cluster, swap);
      at = swap;
    }
    this.start[cluster + 1] = this.#length;
  }

  #isBack(mutator: number): boolean {
    const { made, initial } = this.writers.acts;
    return made[mutator] === initial;
  }

  #add(cluster: number, k: number): void {
    const { call, return: returned } = this.writers.acts.history.columns;
    this.clusterOf[k] = cluster;
    this.sequence[this.#length++] = k;
    if (returned[k] < this.lastCall[cluster])
      this.outOfTurn ??= { first: this.lastCalled[cluster], second: k };
    if (returned[k] < this.firstReturn[cluster]) {
      this.firstReturn[cluster] = returned[k];
      this.firstReturned[cluster] = k;
    }
    if (call[k] > this.lastCall[cluster]) {
      this.lastCall[cluster] = call[k];
      this.lastCalled[cluster] = k;
    }
  }
}

/*
 * Orders the clusters of each cell.
 *
 * A cluster must precede another if it has an operation that returned before one of the other was called. If both
 * must precede each other, there is no linearization. In terms of time, a cluster whose first return is before its
 * last call has a *zone* between them, which it fills alone. So
 *
 *   two zones of a cell must not overlap, and
 *   a cluster without a zone, whose operations all overlap, must not lie inside a zone.
 *
 * Then there is a linearization: clusters with a zone by time, and a cluster without one as soon as all its
 * operations are called and no zone is open. One sweep over the events with one open zone per cell finds both.
 *
 * Cost: O(n).
 */

/** The place of each cluster, as a moment from -1 on; or two clusters that contradict each other. */
export function placeClusters(clusters: Clusters): Int32Array | readonly [number, number] {
  const { clusterOf, firstReturn, firstReturned, lastCall, lastCalled, cellOf, count, writers } = clusters;
  const { history, cells } = writers.acts;
  const { events } = history.columns;
  const place = new Int32Array(count);
  /** For each cell, the cluster whose zone was opened last, and the end of that zone. */
  const holder = new Int32Array(cells).fill(NONE);
  const end = new Int32Array(cells).fill(-1);
  const open = (cluster: number, cell: number): void => {
    place[cluster] = firstReturn[cluster];
    holder[cell] = cluster;
    end[cell] = lastCall[cluster];
  };
  for (let cluster = 0; cluster < count; cluster++)
    if (firstReturn[cluster] < 0) {
      if (lastCall[cluster] >= 0) open(cluster, cellOf[cluster]);
      else place[cluster] = -1;
    }
  for (let moment = 0; moment < events.length; moment++) {
    const event = events[moment];
    const k = event < 0 ? ~event : event;
    const cluster = clusterOf[k];
    if (cluster === NONE) continue;
    const hasZone = firstReturn[cluster] < lastCall[cluster];
    const cell = cellOf[cluster];
    if (event < 0 && hasZone && firstReturned[cluster] === k) {
      if (moment < end[cell]) return [holder[cell], cluster];
      open(cluster, cell);
    } else if (event >= 0 && !hasZone && lastCalled[cluster] === k) {
      if (firstReturn[cluster] < end[cell]) return [holder[cell], cluster];
      place[cluster] = Math.max(moment, end[cell]);
    }
  }
  return place;
}
