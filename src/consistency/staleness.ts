/**
 * How wrong the reads of registers and maps are: stale by time and by versions, and wrong even alone with all writes.
 *
 * Cost: O(n log n), and O(n · w) more for Δ, where w writes are in progress at once.
 */
import { READ } from '../check/monitors/register/operations.js';
import { addTo, NEVER_WRITTEN, type Versions, versionsByCell } from '../check/versions/versions.js';

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
 * The least Δ of each measured cell: the time by which the calls of all its reads must move back to make it linearizable.
 *
 *   W. Golab, X. Li, M. Shah. Analyzing consistency properties for fun and profit. PODC 2011 (Δ-atomicity).
 *
 * Versions A and B can stand in this order unless B was present before A was written, or before a read of A was called;
 * moving reads removes only the latter. So Δ is the maximum, over all pairs, of the cheaper of the two orders. It is
 * infinite if a read returned before its value was written. The property is local, so the Δ of all cells is the maximum.
 * Undefined if the history has no times.
 */
export function leastDeltas(versions: Versions): ReadonlyMap<number, number> | undefined {
  const { acts, saw, written, present, unmeasured } = versions;
  const { call, return: returned, id } = acts.history.columns;
  const { times } = acts.history.tables;
  if (times === undefined) return undefined;
  /** Of each version, its read that was called last; -1 without one. */
  const lastRead = new Int32Array(versions.count).fill(-1);
  const isEarly = new Set<number>();
  for (let k = 0; k < call.length; k++) {
    if (unmeasured.has(acts.cell[k]) || !versions.isRead(k)) continue;
    if (returned[k] < written[saw[k]]) isEarly.add(acts.cell[k]);
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
  const deltas = new Map<number, number>();
  for (const [own, list] of versionsByCell(versions)) {
    if (unmeasured.has(own)) continue;
    let least = isEarly.has(own) ? Number.POSITIVE_INFINITY : 0;
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
    deltas.set(own, least);
  }
  return deltas;
}

/**
 * An upper bound of the least k of each measured cell: some order of operations respects real time, and in it each read
 * returns one of the k latest versions.
 *
 *   W. Golab, X. Li, M. Shah. Analyzing consistency properties for fun and profit. PODC 2011 (k-atomicity).
 *
 * Versions stand in the order of their presence, which respects the real-time order of writes. Each read stands as early
 * as its version and the operations before it allow. Infinite if a read returned before its value was written.
 */
export function mostVersions(versions: Versions): ReadonlyMap<number, number> {
  const { acts, saw, wrote, written, present, unmeasured } = versions;
  const { call, return: returned, events } = acts.history.columns;
  const place = new Int32Array(versions.count);
  for (const list of versionsByCell(versions).values())
    [...list]
      .sort((a, b) => present[a] - present[b])
      .forEach((version, i) => {
        place[version] = i;
      });
  const most = new Map<number, number>();
  /** Of each cell, the last place of an operation that has returned; of each operation, that at its call. */
  const passed = new Map<number, number>();
  const atCall = new Int32Array(call.length);
  for (const event of events) {
    const k = event >= 0 ? event : ~event;
    const own = acts.cell[k];
    if (unmeasured.has(own)) continue;
    if (event >= 0) {
      atCall[k] = passed.get(own) ?? 0;
      continue;
    }
    if (!versions.isRead(k) && wrote[k] < 0) continue;
    const version = wrote[k] >= 0 ? wrote[k] : saw[k];
    const standsAt = wrote[k] >= 0 ? place[version] : Math.max(place[version], atCall[k]);
    passed.set(own, Math.max(passed.get(own) ?? 0, standsAt));
    const needed = returned[k] < written[version] ? Number.POSITIVE_INFINITY : standsAt - place[version] + 1;
    most.set(own, Math.max(most.get(own) ?? 1, needed));
  }
  return most;
}

/** The time from the return of one operation to the call of another; undefined without times. */
function timeBetween({ acts }: Versions, earlier: number, later: number): number | undefined {
  const { columns, tables } = acts.history;
  if (tables.times === undefined) return undefined;
  return tables.times.call[columns.id[later]] - tables.times.return[columns.id[earlier]];
}

/** Reads that are wrong by themselves. Positions, in the order of calls. */
interface WrongReads {
  /** Wrong alone with all writes: not what a regular register returns. */
  readonly irregular: readonly number[];
  /** Those of them that overlap no write: not what a safe register returns. */
  readonly unsafe: readonly number[];
  /** Those that returned a value that was never written. */
  readonly neverWritten: readonly number[];
}

/**
 * Reads that are wrong even if each is considered alone with all writes: a write lies between the write of the value and
 * the read, or the value was not written yet, or never.
 *
 *   L. Lamport. On interprocess communication. Distributed Computing 1, 1986 (safe and regular registers).
 */
export function wrongReads(versions: Versions): WrongReads {
  const { acts, saw, write, written } = versions;
  const { call, return: returned } = acts.history.columns;
  const byCell = new Map<number, number[]>();
  const neverWritten: number[] = [];
  for (let k = 0; k < call.length; k++)
    if (versions.isRead(k)) addTo(byCell, acts.cell[k], k);
    else if (acts.role[k] === READ && saw[k] === NEVER_WRITTEN) neverWritten.push(k);
  const versionsOf = versionsByCell(versions);
  const returnOf = (version: number): number => (write[version] < 0 ? -1 : returned[write[version]]);
  const misplaced = [...byCell].flatMap(([cell, reads]) => {
    const counts = countInside(
      (versionsOf.get(cell) ?? []).map((version) => ({ start: written[version], end: returnOf(version) })),
      reads.map((k) => ({ start: returnOf(saw[k]), end: call[k] })),
    );
    return reads.filter((k, i) => counts[i] > 0 || returned[k] < written[saw[k]]);
  });
  const irregular = [...misplaced, ...neverWritten].sort((a, b) => a - b);
  const overlapsWrite = overlapOfWrites(versions);
  return { irregular, unsafe: irregular.filter((k) => !overlapsWrite(k)), neverWritten };
}

/** Whether an operation overlaps a write of its cell. A pending write overlaps everything after its call. */
function overlapOfWrites({ acts, wrote }: Versions): (k: number) => boolean {
  const { call, return: returned } = acts.history.columns;
  const calls = new Map<number, number[]>();
  const returns = new Map<number, number[]>();
  for (let k = 0; k < call.length; k++) {
    if (wrote[k] < 0) continue;
    addTo(calls, acts.cell[k], call[k]);
    addTo(returns, acts.cell[k], returned[k]);
  }
  for (const own of returns.values()) own.sort((a, b) => a - b);
  return (k) =>
    upperBound(calls.get(acts.cell[k]) ?? [], returned[k]) >
    upperBound(returns.get(acts.cell[k]) ?? [], call[k]);
}

/*
 * Counts, for many spans at once, the intervals that lie strictly inside each: spans are sorted by their ends and
 * intervals by theirs, and a Fenwick tree counts the intervals passed so far by their starts. Cost: O((n + m) log n) for
 * n intervals and m spans.
 */

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** For each span, the number of intervals that start after its start and end before its end. */
export function countInside(intervals: readonly Interval[], spans: readonly Interval[]): number[] {
  const starts = intervals.map(({ start }) => start).sort((a, b) => a - b);
  const size = starts.length;
  const byEnd = [...intervals].sort((a, b) => a.end - b.end);
  /** A Fenwick tree over the places in `starts`, from the last to the first. */
  const sums = new Int32Array(size + 1);
  const counts = spans.map(() => 0);
  let next = 0;
  for (const i of [...spans.keys()].sort((a, b) => spans[a].end - spans[b].end)) {
    for (; next < size && byEnd[next].end < spans[i].end; next++)
      for (let at = size - upperBound(starts, byEnd[next].start) + 1; at <= size; at += at & -at) sums[at]++;
    for (let at = size - upperBound(starts, spans[i].start); at > 0; at -= at & -at) counts[i] += sums[at];
  }
  return counts;
}

/** How many of these ascending numbers are at most a number. */
function upperBound(sorted: readonly number[], most: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] > most) high = middle;
    else low = middle + 1;
  }
  return low;
}
