/**
 * Session guarantees and sequential consistency of one cell, by a graph over its versions.
 *
 *   D. Terry et al. Session guarantees for weakly consistent replicated data. PDIS 1994.
 *   H. Lu et al. Existential consistency. SOSP 2015 (the graph).
 *
 * In every legal order of a cell, a version is contiguous: its write, then its reads. So "some legal order contains
 * these pairs of operations" holds exactly if the versions can be ordered such that A stands before B for each pair with
 * one operation in A and the other in B, and no pair puts a read before its own write. A property is a set of pairs of
 * one process:
 *
 *   read your writes       a write, then a read
 *   monotonic reads        a read, then a read
 *   writes follow reads    a read, then a write
 *   sequential consistency all of them, and a write, then a write
 *
 * The guarantees also contain the real-time order of writes: a store that reorders writes which do not overlap is wrong
 * in another way. A process writes in that order, so it includes *monotonic writes*. Therefore a read is paired only
 * with the last write before it, and a write only with the reads since the previous write.
 *
 * Cost: O(n log n). The real-time order is never built: a version can be next if its write was called before the first
 * return of the other writes that are left.
 */
import { IntHeap } from '../base/collections/ints.js';
import type { Versions } from '../check/versions/versions.js';
import { NEVER } from '../history/model/columns.js';

export type Guarantee = 'read your writes' | 'monotonic reads' | 'writes follow reads';

export const GUARANTEES: readonly Guarantee[] = [
  'read your writes',
  'monotonic reads',
  'writes follow reads',
];

/**
 * Two operations, by position, of which the first must stand before the second: two of a process, two writes in real-time
 * order, a write and a read of its value, or two writes of which a read that comes causally after the first returned the
 * second.
 */
export interface Precedence {
  readonly first: number;
  readonly second: number;
  readonly reason: 'process order' | 'real time' | 'reads its value' | 'later read';
}

/** Pairs that no order of versions contains: each leads from the version where the one before ended, in a circle. */
export type Cycle = readonly Precedence[];

/** The operations of a cell that took effect, by process, each in the order of calls; and its versions. */
interface CellOperations {
  readonly processes: readonly (readonly number[])[];
  readonly versions: readonly number[];
}

/** A session guarantee that does not hold, and the operations that show it. */
export interface BrokenGuarantee {
  /** One guarantee, or several that cannot all hold. */
  readonly guarantees: readonly Guarantee[];
  readonly cell: number;
  readonly cycle: Cycle;
  /** The operations that contradict an earlier one of their process, given the real-time order of writes. */
  readonly operations: readonly number[];
}

/** The guarantees that each cell breaks. Those of a cell with one that was never written are not measured. */
export function brokenGuarantees(versions: Versions): BrokenGuarantee[] {
  return [...cellsOf(versions)].flatMap(([cell, operations]) => {
    const pairsOf = (guarantees: readonly Guarantee[]): Precedence[] =>
      operations.processes.flatMap((own) =>
        sessionPairs(versions, own).filter(({ kind }) => guarantees.includes(kind)),
      );
    const broken: BrokenGuarantee[] = [];
    for (const guarantees of SUBSETS) {
      // a set with a broken subset says nothing new
      if (broken.some((known) => known.guarantees.every((own) => guarantees.includes(own)))) continue;
      const pairs = pairsOf(guarantees);
      const cycle = findCycle(versions, operations.versions, pairs, true);
      if (cycle === undefined) continue;
      const direct = pairs.filter((pair) => contradictsTime(versions, pair));
      const shown = direct.length > 0 ? [direct[0], writeOrder(versions, direct[0])] : cycle;
      broken.push({
        guarantees,
        cell,
        cycle: shown,
        operations: [...new Set(direct.map(({ second }) => second))].sort((a, b) => a - b),
      });
    }
    return broken;
  });
}

/** A cycle in a cell that is not sequentially consistent by itself; undefined if all measured cells are. */
export function incoherentCell(
  versions: Versions,
): { readonly cell: number; readonly cycle: Cycle } | undefined {
  for (const [cell, operations] of cellsOf(versions)) {
    const pairs = operations.processes.flatMap((own) => processOrder(versions, own));
    const cycle = findCycle(versions, operations.versions, pairs, false);
    if (cycle) return { cell, cycle };
  }
  return undefined;
}

/** All sets of guarantees, small ones first. */
const SUBSETS: readonly (readonly Guarantee[])[] = [
  ...GUARANTEES.map((own) => [own]),
  ...GUARANTEES.map((left) => GUARANTEES.filter((own) => own !== left)),
  GUARANTEES,
];

function cellsOf(versions: Versions): Map<number, CellOperations> {
  const { acts, wrote, saw, unmeasured } = versions;
  const { process } = acts.history.columns;
  const cells = new Map<number, { readonly processes: Map<number, number[]>; readonly versions: number[] }>();
  for (let version = 0; version < versions.count; version++) {
    const cell = versions.cell[version];
    if (unmeasured.has(cell) || !versions.tookEffect(version)) continue;
    const own = cells.get(cell) ?? { processes: new Map<number, number[]>(), versions: [] };
    own.versions.push(version);
    cells.set(cell, own);
  }
  for (let k = 0; k < process.length; k++) {
    const own = cells.get(acts.cell[k]);
    if (own === undefined || (saw[k] < 0 && (wrote[k] < 0 || !versions.tookEffect(wrote[k])))) continue;
    const list = own.processes.get(process[k]) ?? [];
    list.push(k);
    own.processes.set(process[k], list);
  }
  return new Map(
    Array.from(cells, ([cell, own]) => [cell, { ...own, processes: [...own.processes.values()] }]),
  );
}

/** The pairs of a process that the guarantees speak of. A pending write precedes nothing. */
function sessionPairs(
  { acts, wrote }: Versions,
  operations: readonly number[],
): (Precedence & { readonly kind: Guarantee })[] {
  const { return: returned } = acts.history.columns;
  const pairs: (Precedence & { readonly kind: Guarantee })[] = [];
  const add = (kind: Guarantee, first: number | undefined, second: number): void => {
    if (first !== undefined) pairs.push({ kind, first, second, reason: 'process order' });
  };
  let lastWrite: number | undefined;
  let lastRead: number | undefined;
  let readsSince: number[] = [];
  for (const k of operations) {
    if (wrote[k] < 0) {
      add('read your writes', lastWrite, k);
      add('monotonic reads', lastRead, k);
      lastRead = k;
      readsSince.push(k);
    } else {
      for (const read of readsSince) add('writes follow reads', read, k);
      if (returned[k] === NEVER) continue;
      lastWrite = k;
      readsSince = [];
    }
  }
  return pairs;
}

/** The pairs of neighbours of a process; the others follow. */
function processOrder({ acts }: Versions, operations: readonly number[]): Precedence[] {
  const { return: returned } = acts.history.columns;
  const pairs: Precedence[] = [];
  let last: number | undefined;
  for (const k of operations) {
    if (last !== undefined) pairs.push({ first: last, second: k, reason: 'process order' });
    if (returned[k] !== NEVER) last = k;
  }
  return pairs;
}

/** The version of an operation: the one that it wrote, or saw. */
const versionOf = ({ wrote, saw }: Versions, k: number): number => (wrote[k] >= 0 ? wrote[k] : saw[k]);

/** Was the version of the second operation written before that of the first, in real time? */
function contradictsTime(versions: Versions, { first, second }: Precedence): boolean {
  const { write, written, acts } = versions;
  const [older, newer] = [versionOf(versions, second), versionOf(versions, first)];
  if (older === newer) return false;
  return write[older] < 0 || acts.history.columns.return[write[older]] < written[newer];
}

/** The real-time order of the writes of a pair that contradicts it. */
function writeOrder(versions: Versions, { first, second }: Precedence): Precedence {
  const { write } = versions;
  return {
    first: write[versionOf(versions, second)],
    second: write[versionOf(versions, first)],
    reason: 'real time',
  };
}

/**
 * Pairs that no order of these versions contains; undefined if there is an order. The initial version comes first.
 *
 * Versions are taken in sequence: the one whose write was called first, of those that no pair puts behind a
 * version that is left. If the first return of the other writes is before that call, or if all are behind another one,
 * the predecessors lead in a circle.
 */
function findCycle(
  versions: Versions,
  nodes: readonly number[],
  pairs: readonly Precedence[],
  hasRealTime: boolean,
): Cycle | undefined {
  const { write, written, acts } = versions;
  const { return: returned } = acts.history.columns;
  const start = (version: number): number => (hasRealTime || write[version] < 0 ? written[version] : 0);
  const end = (version: number): number => {
    if (write[version] < 0) return written[version];
    return hasRealTime ? returned[write[version]] : NEVER;
  };
  const into = new Map<number, Precedence[]>(nodes.map((node) => [node, []]));
  const outOf = new Map<number, number[]>(nodes.map((node) => [node, []]));
  for (const pair of pairs) {
    const [from, to] = [versionOf(versions, pair.first), versionOf(versions, pair.second)];
    if (from !== to) {
      into.get(to)?.push(pair);
      outOf.get(from)?.push(to);
    } else if (versions.wrote[pair.second] >= 0) return [pair];
  }
  const waits = new Map(Array.from(into, ([node, before]) => [node, before.length]));
  const left = new Set(nodes);
  const byEnd = [...nodes].sort((a, b) => end(a) - end(b));
  let firstEnd = 0;
  /** Places in `nodes`. */
  const ready = new IntHeap(Int32Array.from(nodes, start));
  const placeOf = new Map(nodes.map((node, place) => [node, place]));
  nodes.forEach((node, place) => {
    if (waits.get(node) === 0) ready.push(place);
  });
  /** The version whose write returned first, of the others that are left. */
  const earliestOther = (node: number): number | undefined => {
    while (firstEnd < byEnd.length && !left.has(byEnd[firstEnd])) firstEnd++;
    if (byEnd[firstEnd] !== node) return byEnd[firstEnd];
    let second = firstEnd + 1;
    while (second < byEnd.length && !left.has(byEnd[second])) second++;
    return byEnd[second];
  };
  const blocker = (node: number): number | undefined => {
    const other = earliestOther(node);
    return other !== undefined && end(other) < start(node) ? other : undefined;
  };
  while (left.size > 0) {
    const node = nodes[ready.first];
    if (node === undefined || blocker(node) !== undefined) break;
    ready.pop();
    left.delete(node);
    for (const to of outOf.get(node) ?? []) {
      waits.set(to, (waits.get(to) ?? 0) - 1);
      if (waits.get(to) === 0) ready.push(placeOf.get(to) as number);
    }
  }
  if (left.size === 0) return undefined;
  return circle([...left][0], (node) => {
    const pair = into.get(node)?.find(({ first }) => left.has(versionOf(versions, first)));
    if (pair) return [versionOf(versions, pair.first), pair];
    const other = blocker(node) as number;
    return [other, { first: write[other], second: write[node], reason: 'real time' }];
  });
}

/** Follows predecessors from a node until they repeat; the pairs of the circle, in their order. */
export function circle<Pair>(begin: number, before: (node: number) => readonly [number, Pair]): Pair[] {
  const place = new Map<number, number>();
  const path: Pair[] = [];
  let node = begin;
  while (!place.has(node)) {
    place.set(node, path.length);
    const [previous, pair] = before(node);
    path.push(pair);
    node = previous;
  }
  return path.slice(place.get(node)).reverse();
}
