/** The levels and measures of registers and maps: their cells together, by part and by process. */
import { show } from '../base/values/show.js';
import type { Acts } from '../check/monitors/register/operations.js';
import { objectsOf, type SpecOf } from '../check/parts/parts.js';
import { CELLS, Versions } from '../check/versions/versions.js';
import type { History } from '../history/history.js';
import type { Spec } from '../spec/spec.js';
import { brokenGuarantees, GUARANTEES, type Guarantee, type Precedence } from './sessions.js';
import { leastDeltas, mostVersions, staleReads, wrongReads } from './staleness.js';

/** Two operations, by id, of which the first comes before the second in every order; -1 is the initial value. */
export type OrderedPair = Precedence;

/** A weaker level. */
export type Level =
  | { readonly kind: 'holds'; readonly order?: Int32Array }
  /** Pairs that no order contains, in a circle; none if a search has tried all orders. */
  | { readonly kind: 'fails'; readonly cycle: readonly OrderedPair[] }
  | { readonly kind: 'not measured'; readonly reason: string };

/** A part of which something cannot be measured. */
export interface NotMeasured {
  readonly part: string;
  readonly what: 'reads' | 'values';
  readonly reason: string;
}

/** How stale the reads of a part or of a process are. */
export interface Staleness {
  readonly name: string;
  readonly reads: number;
  /** The longest time and the most versions of one of them. */
  readonly by: number | undefined;
  readonly versions: number;
  /** Whether one of them may be staler by versions, in another order of overlapping writes. */
  readonly isAtLeast: boolean;
  /** Of a part: its least Δ; see `delta` of all parts. Undefined if that is not known. */
  readonly delta?: number | undefined;
}

interface StaleOperation {
  readonly operation: number;
  /** The operation whose return shows that a newer value was present. */
  readonly newer: number;
  readonly part: string;
  readonly process: string;
  /** How long the newer value had been present, in the unit of the file; undefined without times. */
  readonly by: number | undefined;
  /** How many newer values had been present, at least. */
  readonly versions: number;
}

export interface CellLevels {
  /** Each read alone is correct with all writes; `irregular` are those that are not. */
  readonly regular: Level & { readonly irregular?: readonly number[] };
  /** Each read that overlaps no write is correct; `unsafe` are those that are not. */
  readonly safe: Level & { readonly unsafe?: readonly number[] };
  /** Reads of values that were never written. */
  readonly neverWritten: readonly number[];
  /** Session guarantees that hold for every process and part, and those that do not. */
  readonly sessions: {
    readonly hold: readonly Guarantee[];
    readonly broken: readonly {
      readonly guarantees: readonly Guarantee[];
      readonly cycle: readonly OrderedPair[];
      /** The operations that contradict an earlier one of their process. */
      readonly operations: readonly number[];
    }[];
  };
  readonly stale: {
    readonly reads: readonly StaleOperation[];
    /** The least time by which the calls of all reads must move back to make the measured parts linearizable. */
    readonly delta: number | undefined;
    /** Bounds of the least k: in some order, each read returns one of the k latest values. Absent if not measured. */
    readonly k: { readonly atLeast: number; readonly atMost: number } | undefined;
    /** Parts with stale reads, or with a Δ above 0, and processes with stale reads, the worst first. */
    readonly byPart: readonly Staleness[];
    readonly byProcess: readonly Staleness[];
  };
}

/** A register, or the keys of a map. */
export interface Cells {
  readonly versions: Versions;
  readonly nameOf: (operation: number) => string;
}

interface AllCells {
  readonly all: readonly Cells[];
  readonly notMeasured: readonly NotMeasured[];
}

export function readCells(history: History, specOf: SpecOf): AllCells {
  const all: Cells[] = [];
  const notMeasured: NotMeasured[] = [];
  for (const { name, history: own } of objectsOf(history)) {
    const acts = actsOf(own, specOf(name));
    if (acts === undefined) continue;
    if (typeof acts === 'string') {
      notMeasured.push({ part: name ?? '', what: 'reads', reason: acts });
      continue;
    }
    const versions = new Versions(acts);
    const nameOf = (k: number): string => partName(own, specOf(name), k);
    all.push({ versions, nameOf });
    for (const [cell, reason] of versions.unmeasured)
      notMeasured.push({ part: nameOf(acts.cell.indexOf(cell)), what: 'reads', reason });
  }
  return { all, notMeasured };
}

/** What operations do to cells; why that cannot be read; undefined if the object has no cells. */
function actsOf(history: History, spec: Spec): Acts | string | undefined {
  const { kind } = spec.family ?? {};
  const read = CELLS.get(kind ?? '');
  if (read === undefined) return undefined;
  if (!Object.hasOwn(spec.family ?? {}, 'initial')) return 'the spec does not give the initial value';
  return openOrder(history) ?? read(history, spec);
}

/** Why times do not show the whole order of calls; undefined if they do. */
export function openOrder({ columns, tables }: History): string | undefined {
  if (!columns.after) return undefined;
  if (tables.recordsAfter) return 'the history has "after", an order that its times do not show';
  return `${tables.isWidened ? 'the clock error leaves' : 'equal time stamps leave'} the order of some calls open`;
}

/** The name of the part of an operation: its object and its key. */
export function partName(history: History, spec: Spec, k: number): string {
  const { method, args, object } = history.at(k);
  const keys = spec.part?.(method, args) ?? [];
  return [object ?? [], keys]
    .flat()
    .map((key) => (typeof key === 'string' ? key : show(key)))
    .join(' ');
}

const idsOf = ({ acts }: Versions): ((k: number) => number) => {
  const { id } = acts.history.columns;
  return (k) => (k < 0 ? -1 : id[k]);
};

export function withIds(versions: Versions, cycle: readonly Precedence[]): OrderedPair[] {
  const idOf = idsOf(versions);
  return cycle.map(({ first, second, reason }) => ({ first: idOf(first), second: idOf(second), reason }));
}

export function levelsOfCells({ all, notMeasured }: AllCells): CellLevels {
  const isMeasured = all.length > 0 && notMeasured.length === 0;
  const unmeasured: Level = {
    kind: 'not measured',
    reason: notMeasured[0]?.reason ?? 'the history has no register or map',
  };
  const level = (faulty: readonly number[]): Level => {
    if (faulty.length > 0) return { kind: 'fails', cycle: [] };
    return isMeasured ? { kind: 'holds' } : unmeasured;
  };
  const wrong = all.map(({ versions }) => ({ ids: idsOf(versions), ...wrongReads(versions) }));
  const irregular = ascending(wrong.flatMap((own) => own.irregular.map(own.ids)));
  const unsafe = ascending(wrong.flatMap((own) => own.unsafe.map(own.ids)));
  return {
    regular: { ...level(irregular), ...(irregular.length > 0 && { irregular }) },
    safe: { ...level(unsafe), ...(unsafe.length > 0 && { unsafe }) },
    neverWritten: ascending(wrong.flatMap((own) => own.neverWritten.map(own.ids))),
    sessions: sessionsOf(all, isMeasured),
    stale: stalenessOf(all, isMeasured),
  };
}

const ascending = (ids: number[]): number[] => ids.sort((a, b) => a - b);

function sessionsOf(all: readonly Cells[], isMeasured: boolean): CellLevels['sessions'] {
  const broken = all.flatMap(({ versions }) =>
    brokenGuarantees(versions).map(({ guarantees, cycle, operations }) => ({
      guarantees,
      cycle: withIds(versions, cycle),
      operations: operations.map(idsOf(versions)),
    })),
  );
  return {
    // a set of several is broken although each of its guarantees may hold
    hold: isMeasured
      ? GUARANTEES.filter((own) => !broken.some(({ guarantees }) => guarantees.includes(own)))
      : [],
    broken,
  };
}

function stalenessOf(all: readonly Cells[], isMeasured: boolean): CellLevels['stale'] {
  // the bounds count the newest value, too
  const bounds = all.map(({ versions }) => mostVersions(versions));
  const reads: StaleInCell[] = all.flatMap(({ versions, nameOf }, i) =>
    staleReads(versions).map(({ read, newer, ...rest }) => {
      const { history, cell } = versions.acts;
      const { id, process } = history.columns;
      return {
        operation: id[read],
        newer: id[newer],
        part: nameOf(read),
        process: history.tables.processes[process[read]],
        cell: `${i} ${cell[read]}`,
        bound: (bounds[i].get(cell[read]) ?? Number.POSITIVE_INFINITY) - 1,
        ...rest,
      };
    }),
  );
  reads.sort((a, b) => a.operation - b.operation);
  const deltas = all.map(({ versions }) => leastDeltas(versions));
  const parts = grouped(
    reads,
    ({ cell }) => cell,
    ({ part }) => part,
  );
  all.forEach(({ versions, nameOf }, i) => {
    for (const [own, delta] of deltas[i] ?? []) {
      const key = `${i} ${own}`;
      const name = () => nameOf(versions.acts.cell.indexOf(own));
      if (delta > 0 && !parts.has(key))
        parts.set(key, { name: name(), reads: 0, by: undefined, versions: 0, isAtLeast: false });
      const part = parts.get(key);
      if (part) part.delta = delta;
    }
  });
  const delta =
    isMeasured && !deltas.includes(undefined)
      ? largest(deltas.flatMap((own) => [...(own?.values() ?? [])]))
      : undefined;
  const atMost = largest(
    bounds.flatMap((own) => [...own.values()]),
    1,
  );
  const atLeast = 1 + largest(reads.map(({ versions }) => versions));
  return {
    reads: reads.map(({ cell: _, bound: __, ...read }) => read),
    delta,
    k:
      isMeasured && Number.isFinite(atMost)
        ? { atLeast: Math.max(atLeast, atMost > 1 && delta !== undefined && delta > 0 ? 2 : 1), atMost }
        : undefined,
    byPart: worstFirst(parts),
    byProcess: worstFirst(
      grouped(
        reads,
        ({ process }) => process,
        ({ process }) => process,
      ),
    ),
  };
}

/** A stale read with its cell, and the most versions by which a read of that cell is stale in some order. */
type StaleInCell = StaleOperation & { readonly cell: string; readonly bound: number };

type Group = { -readonly [K in keyof Staleness]: Staleness[K] };

function grouped(
  reads: readonly StaleInCell[],
  keyOf: (read: StaleInCell) => string,
  nameOf: (read: StaleInCell) => string,
): Map<string, Group> {
  const groups = new Map<string, Group>();
  const bounds = new Map<Group, number>();
  for (const read of reads) {
    const key = keyOf(read);
    const own = groups.get(key) ?? {
      name: nameOf(read),
      reads: 0,
      by: undefined,
      versions: 0,
      isAtLeast: false,
    };
    groups.set(key, own);
    own.reads++;
    if (read.by !== undefined) own.by = Math.max(own.by ?? 0, read.by);
    own.versions = Math.max(own.versions, read.versions);
    bounds.set(own, Math.max(bounds.get(own) ?? 0, read.bound));
  }
  for (const [own, bound] of bounds) own.isAtLeast = own.versions < bound;
  return groups;
}

const worstFirst = (groups: ReadonlyMap<string, Group>): Staleness[] =>
  [...groups.values()].sort(
    (a, b) =>
      (b.by ?? b.versions) - (a.by ?? a.versions) || b.reads - a.reads || (b.delta ?? 0) - (a.delta ?? 0),
  );

/** The largest number; a spread would exceed the stack for long lists. */
const largest = (numbers: readonly number[], least = 0): number =>
  numbers.reduce((most, own) => Math.max(most, own), least);
