/**
 * Stale reads: reads of a version that had certainly been overwritten before they were called.
 *
 *   W. Golab, X. Li, M. Shah. Analyzing consistency properties for fun and profit. PODC 2011 (Δ-atomicity).
 *
 * A read r of version A is stale if some version B of its cell was written after A was present, and B was present
 * before r was called. Each stale read is a contradiction by itself: the read, the operation that shows A, and the
 * operation that shows B. r is stale by the time from the first such presence to its call, and by the number of such
 * versions at least.
 *
 * The least Δ is the time by which the calls of all reads must move back to make the cells linearizable. Two versions A
 * and B can stand in this order unless B was present before A was written, or before a read of A was called; moving
 * reads removes only the latter. So Δ is the maximum, over all pairs, of the cheaper of the two orders.
 *
 * Cost: O(n log n), and for Δ O(n · w), where w writes are in progress at once.
 */
import { countInside, upperBound } from '../base/algorithms/inner-intervals.js';
import { NEVER_WRITTEN, type Versions } from './versions.js';

export interface StaleRead {
  /** Positions of the read, and of the operation whose return shows the newer version. */
  readonly read: number;
  readonly newer: number;
  /** How long the newer version had been present; undefined if the history has no times. */
  readonly by: number | undefined;
  /** How many newer versions had been present, at least. */
  readonly versions: number;
}

/** The stale reads of all cells, in the order of their calls. */
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
 * The least Δ over all measured cells; infinite if a read returned before its value was written, or was never written.
 * Undefined if the history has no times.
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
