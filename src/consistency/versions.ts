/**
 * Versions of cells, and stale reads of them. A version is a write and the reads that returned its value. A register is
 * one cell, a map has one per key.
 *
 * Which write a read returns must follow from its value alone: the levels below linearizability ignore real time, so
 * real time must not distinguish equal values. A value that is written twice in a cell therefore has no version, and
 * the operations that saw it are not measured.
 *
 *   present   from then on it was definitely written: the first return of its write or of a read of it
 *   written   the call of its write
 *
 * Cost: O(n).
 */

import { countInside, upperBound } from '../base/algorithms/inner-intervals.js';
import { ABSENT, PairMap } from '../base/collections/int-set.js';
import {
  type Acts,
  DIFFERS,
  IDLE,
  NO_VALUE,
  READ,
  SWAP,
  TAKE,
} from '../check/monitors/register/operations.js';
import { NEVER } from '../history/model/columns.js';

/** Instead of a version: the value was never written; it was written more than once; the operation saw none. */
const NEVER_WRITTEN = -1;
const [AMBIGUOUS, NO_VERSION] = [-2, -3];

/** Before all events: when the initial value was written. */
const BEFORE_ALL = -1;

export class Versions {
  readonly acts: Acts;
  /** Of each operation, the version that it wrote and the version that it saw. */
  readonly wrote: Int32Array;
  readonly saw: Int32Array;
  /** Of each version, its cell; and its write, or -1 for the initial value. */
  readonly cell: number[] = [];
  readonly write: number[] = [];
  readonly written: number[] = [];
  readonly present: number[] = [];
  /** The operation whose return shows that the version is present; -1 for the initial value. */
  readonly shownBy: number[] = [];
  /** Why the levels that need one order of versions are not measured, by cell. */
  readonly unmeasured: ReadonlyMap<number, string>;

  constructor(acts: Acts) {
    this.acts = acts;
    const { history, role, cell, made, seen, initial } = acts;
    const { call, return: returned } = history.columns;
    this.wrote = new Int32Array(history.length).fill(NO_VERSION);
    this.saw = new Int32Array(history.length).fill(NO_VERSION);
    const numbers = new PairMap();
    for (let own = 0; own < acts.cells; own++) {
      numbers.add(own, initial, this.cell.length);
      this.#add(own, -1, BEFORE_ALL, BEFORE_ALL);
    }
    const isAmbiguous: boolean[] = [];
    for (let k = 0; k < history.length; k++) {
      if (made[k] === NO_VALUE) continue;
      const known = numbers.get(cell[k], made[k]);
      // each write has a version; only the first of a value is found by it
      if (known === ABSENT) numbers.add(cell[k], made[k], this.cell.length);
      else isAmbiguous[known] = true;
      this.wrote[k] = this.cell.length;
      this.#add(cell[k], k, call[k], returned[k]);
    }
    for (let k = 0; k < history.length; k++) {
      if (seen[k] === NO_VALUE || role[k] === DIFFERS) continue;
      const version = numbers.get(cell[k], seen[k]);
      if (version === ABSENT) this.saw[k] = NEVER_WRITTEN;
      else if (isAmbiguous[version]) this.saw[k] = AMBIGUOUS;
      else {
        this.saw[k] = version;
        if (returned[k] >= this.present[version]) continue;
        this.present[version] = returned[k];
        this.shownBy[version] = k;
      }
    }
    this.unmeasured = this.#findUnmeasured();
  }

  #add(cell: number, write: number, written: number, present: number): void {
    this.cell.push(cell);
    this.write.push(write);
    this.written.push(written);
    this.present.push(present);
    this.shownBy.push(write);
  }

  get count(): number {
    return this.cell.length;
  }

  /** Whether the version was certainly written: its write returned, or a read returned it. */
  tookEffect(version: number): boolean {
    return this.present[version] !== NEVER;
  }

  /** Whether it returned the value of a version and wrote nothing. */
  isRead(k: number): boolean {
    return this.acts.role[k] === READ && this.saw[k] >= 0;
  }

  #findUnmeasured(): Map<number, string> {
    const { role, cell, history } = this.acts;
    const { process, call, return: returned } = history.columns;
    const reasons = new Map<number, string>();
    /** Of each process, the last return. */
    const lastReturn = new Map<number, number>();
    for (let k = 0; k < history.length; k++) {
      if (reasons.has(cell[k]) || role[k] === IDLE) continue;
      const overlaps = (lastReturn.get(process[k]) ?? BEFORE_ALL) > call[k];
      const reason = overlaps ? 'calls of one process overlap' : this.#obstacle(k);
      if (reason !== undefined) reasons.set(cell[k], reason);
      if (returned[k] !== NEVER) lastReturn.set(process[k], returned[k]);
    }
    return reasons;
  }

  #obstacle(k: number): string | undefined {
    const { role, made, initial } = this.acts;
    if (this.saw[k] === AMBIGUOUS) return 'a value was written more than once';
    if (this.saw[k] === NEVER_WRITTEN) return 'a value was never written';
    if (role[k] === SWAP || role[k] === DIFFERS) return 'an operation reads and writes at once';
    if (role[k] === TAKE || made[k] === initial) return 'the initial value was written again';
    return undefined;
  }
}

/** A read of a version that had certainly been overwritten before it was called. */
interface StaleRead {
  /** Positions of the read, and of the operation whose return shows the newer version. */
  readonly read: number;
  readonly newer: number;
  /** How long the newer version had been present; undefined if the history has no times. */
  readonly by: number | undefined;
  /** How many newer versions had been present, at least. */
  readonly versions: number;
}

/**
 * The stale reads of all cells, in the order of their calls.
 *
 * A read r of version A is stale if some version B of its cell was written after A was present, and B was present
 * before r was called. Each stale read is a contradiction by itself: the read, the operation that shows A, and the
 * operation that shows B. r is stale by the time from the first such presence to its call, and by the number of such
 * versions at least. Cost: O(n log n).
 */
export function staleReads(versions: Versions): StaleRead[] {
  const { acts, saw, cell, written, present, shownBy } = versions;
  const { call } = acts.history.columns;
  const byCell = versionsByCell(versions);
  const found: StaleRead[] = [];
  const readsOf = new Map<number, number[]>();
  for (let k = 0; k < call.length; k++) if (versions.isRead(k)) addTo(readsOf, cell[saw[k]], k);
  for (const [own, reads] of readsOf) {
    const list = byCell.get(own) ?? [];
    const firstPresent = firstPresentAfter(list, versions);
    const counts = countInside(
      list.map((version) => ({ start: written[version], end: present[version] })),
      reads.map((k) => ({ start: present[saw[k]], end: call[k] })),
    );
    reads.forEach((read, i) => {
      const first = firstPresent(present[saw[read]]);
      if (counts[i] === 0 || first === undefined) return;
      const newer = shownBy[first];
      found.push({ read, newer, by: timeBetween(versions, newer, read), versions: counts[i] });
    });
  }
  return found.sort((a, b) => a.read - b.read);
}

/** Of each cell, its versions that took effect. */
function versionsByCell(versions: Versions): Map<number, number[]> {
  const byCell = new Map<number, number[]>();
  for (let version = 0; version < versions.count; version++)
    if (versions.tookEffect(version)) addTo(byCell, versions.cell[version], version);
  return byCell;
}

function addTo(lists: Map<number, number[]>, key: number, item: number): void {
  const own = lists.get(key);
  if (own) own.push(item);
  else lists.set(key, [item]);
}

/** Finds, of the versions of a cell that were written after a moment, the one that was present first. */
function firstPresentAfter(
  list: readonly number[],
  { written, present }: Versions,
): (moment: number) => number | undefined {
  const sorted = [...list].sort((a, b) => written[a] - written[b]);
  const starts = sorted.map((version) => written[version]);
  const first = [...sorted];
  for (let i = sorted.length - 2; i >= 0; i--)
    if (present[first[i + 1]] < present[first[i]]) first[i] = first[i + 1];
  return (moment) => first[upperBound(starts, moment)];
}

/**
 * The least Δ: the time by which the calls of all reads must move back to make the measured cells linearizable.
 *
 *   W. Golab, X. Li, M. Shah. Analyzing consistency properties for fun and profit. PODC 2011 (Δ-atomicity).
 *
 * Versions A and B can stand in this order unless B was present before A was written, or before a read of A was called;
 * moving reads removes only the latter. So Δ is the maximum, over all pairs, of the cheaper of the two orders. It is
 * infinite if a read returned before its value was written. Undefined if the history has no times.
 *
 * Cost: O(n log n + n · w), where w writes are in progress at once.
 */
export function leastDelta(versions: Versions): number | undefined {
  const { acts, saw, written, present, unmeasured } = versions;
  const { call, return: returned, id } = acts.history.columns;
  const { times } = acts.history.tables;
  if (times === undefined) return undefined;
  /** Of each version, its read that was called last; -1 without one. */
  const lastRead = new Int32Array(versions.count).fill(-1);
  for (let k = 0; k < call.length; k++) {
    if (unmeasured.has(acts.cell[k])) continue;
    if (saw[k] === NEVER_WRITTEN) return Number.POSITIVE_INFINITY;
    if (!versions.isRead(k)) continue;
    if (returned[k] < written[saw[k]]) return Number.POSITIVE_INFINITY;
    lastRead[saw[k]] = k;
  }
  const presentAt = (version: number): number => {
    const { shownBy } = versions;
    return shownBy[version] < 0 ? Number.NEGATIVE_INFINITY : times.return[id[shownBy[version]]];
  };
  /** What it costs to let `a` stand before `b`. */
  const cost = (a: number, b: number): number => {
    const read = lastRead[a];
    if (written[a] > present[b]) return Number.POSITIVE_INFINITY;
    return read < 0 || call[read] <= present[b] ? 0 : Math.max(0, times.call[id[read]] - presentAt(b));
  };
  let least = 0;
  for (const [own, list] of versionsByCell(versions)) {
    if (unmeasured.has(own)) continue;
    const firstPresent = firstPresentAfter(list, versions);
    for (const a of list) {
      const b = firstPresent(present[a]);
      if (b !== undefined) least = Math.max(least, cost(a, b));
    }
    // versions that were being written when another became present can stand before or after it
    const byPresence = [...list].sort((a, b) => present[a] - present[b]);
    const byWrite = [...list].sort((a, b) => written[a] - written[b]);
    let open: number[] = [];
    let next = 0;
    for (const a of byPresence) {
      while (next < byWrite.length && written[byWrite[next]] <= present[a]) open.push(byWrite[next++]);
      open = open.filter((b) => present[b] >= present[a]);
      for (const b of open) if (b !== a) least = Math.max(least, Math.min(cost(a, b), cost(b, a)));
    }
  }
  return least;
}

/** The time from the return of one operation to the call of another; undefined without times. */
function timeBetween({ acts }: Versions, earlier: number, later: number): number | undefined {
  const { columns, tables } = acts.history;
  if (tables.times === undefined) return undefined;
  return tables.times.call[columns.id[later]] - tables.times.return[columns.id[earlier]];
}

/**
 * Reads that are wrong even if each is considered alone with all writes (L. Lamport. On interprocess communication, 1986:
 * regular registers): a write lies between the write of the value and the read, or the value was not written yet.
 */
export function irregularReads(versions: Versions): number[] {
  const { acts, saw, write, written } = versions;
  const { call, return: returned } = acts.history.columns;
  const byCell = new Map<number, number[]>();
  for (let k = 0; k < call.length; k++) if (versions.isRead(k)) addTo(byCell, acts.cell[k], k);
  const versionsOf = versionsByCell(versions);
  const returnOf = (version: number): number => (write[version] < 0 ? -1 : returned[write[version]]);
  const found = [...byCell].flatMap(([cell, reads]) => {
    const counts = countInside(
      (versionsOf.get(cell) ?? []).map((version) => ({ start: written[version], end: returnOf(version) })),
      reads.map((k) => ({ start: returnOf(saw[k]), end: call[k] })),
    );
    return reads.filter((k, i) => counts[i] > 0 || returned[k] < written[saw[k]]);
  });
  return found.sort((a, b) => a - b);
}
