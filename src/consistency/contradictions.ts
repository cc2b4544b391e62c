/**
 * All contradictions of a history, by part and over time, and counted against the faults that its annotations describe.
 *
 * A contradiction is a set of few operations that no order contains, whatever else happened: a stale read with the
 * operation that shows a newer value, a value that was removed twice. Each stands by itself, so all of them can be
 * counted after the first violation. It is placed at the operation whose return makes it one: the history up to that return
 * is not linearizable.
 */
import type { History } from '../history/history.js';
import type { CellLevels } from './cells.js';
import type { FaultyValues } from './container-values.js';
import { faultsOf } from './faults.js';

export type ContradictionKind =
  | 'stale read'
  | 'value never written'
  | 'value not yet written'
  | 'broken session guarantee'
  | 'value invented'
  | 'value removed twice'
  | 'value overtaken'
  | 'value removed from below'
  | 'value missed'
  | 'not empty';

/** A contradiction, by the id of the operation whose return makes it one. */
interface Contradiction {
  readonly kind: ContradictionKind;
  readonly operation: number;
  readonly part: string;
}

/** How many contradictions were called during a fault. */
export interface FaultCount {
  readonly fault: string;
  /** How often the fault occurred, and how many operations were called during it. */
  readonly times: number;
  readonly operations: number;
  readonly counts: readonly {
    readonly kind: ContradictionKind;
    readonly total: number;
    readonly within: number;
  }[];
}

/** All contradictions, and where they are. One operation may have several, such as a stale read that breaks a session guarantee. */
export interface AllContradictions {
  readonly each: readonly Contradiction[];
  /** How many operations have one, by part. */
  readonly byPart: readonly { readonly part: string; readonly count: number }[];
  /** How many operations have one, in each tenth of the history. */
  readonly overTime: readonly number[];
  readonly faults: readonly FaultCount[];
  /** Whether contradictions of all parts are counted, or only of some, or of none. */
  readonly extent: 'all' | 'some' | 'none';
}

/** What contradictions follow from. */
type Measured = CellLevels & { readonly values: FaultyValues | undefined };

export function allContradictions(
  consistency: Measured,
  history: History,
  partOf: (position: number) => string,
  extent: AllContradictions['extent'],
): AllContradictions {
  const position = history.positionsById();
  const each = contradictionsOf(consistency)
    .map(([kind, operation]) => ({ kind, operation, part: partOf(position[operation]) }))
    .sort((a, b) => a.operation - b.operation);
  const parts = new Map<string, number>();
  const overTime = new Array<number>(TENTHS).fill(0);
  const operations = new Map(each.map(({ operation, part }) => [operation, part]));
  for (const [operation, part] of operations) {
    parts.set(part, (parts.get(part) ?? 0) + 1);
    overTime[Math.min(TENTHS - 1, Math.floor((TENTHS * position[operation]) / history.length))]++;
  }
  return {
    each,
    byPart: Array.from(parts, ([part, count]) => ({ part, count })).sort((a, b) => b.count - a.count),
    overTime,
    faults: countFaults(each, history, position),
    extent,
  };
}

const TENTHS = 10;

function contradictionsOf({
  stale,
  neverWritten,
  regular,
  sessions,
  values,
}: Measured): [ContradictionKind, number][] {
  const found: [ContradictionKind, number][] = [];
  const add = (kind: ContradictionKind, operations: Iterable<number | undefined>): void => {
    for (const operation of operations) if (operation !== undefined) found.push([kind, operation]);
  };
  const staleIds = new Set(stale.reads.map(({ operation }) => operation));
  add('stale read', staleIds);
  add('value never written', neverWritten);
  const unwritten = new Set(neverWritten);
  add(
    'value not yet written',
    (regular.irregular ?? []).filter((id) => !staleIds.has(id) && !unwritten.has(id)),
  );
  add('broken session guarantee', new Set(sessions.broken.flatMap(({ operations }) => operations)));
  add('value invented', values?.invented ?? []);
  add('value removed twice', values?.duplicated ?? []);
  // an overtaken value need not be removed at all
  add('value overtaken', values?.overtaken.map(({ overtaker }) => overtaker) ?? []);
  add('value removed from below', values?.fromBelow.map(({ taken }) => taken) ?? []);
  const missed = values?.missing.map(({ foundEmpty }) => foundEmpty) ?? [];
  add('value missed', missed);
  const missing = new Set(missed);
  add('not empty', values?.notEmpty.filter((id) => !missing.has(id)) ?? []);
  return found;
}

/** The faults of a history, and how many operations were called during each. */
export const faultCounts = (history: History): FaultCount[] =>
  countFaults([], history, history.positionsById());

function countFaults(
  each: readonly Contradiction[],
  { annotations, columns }: History,
  position: Int32Array,
): FaultCount[] {
  const faults = faultsOf(annotations);
  const kinds = [...new Set(each.map(({ kind }) => kind))];
  return [...new Set(faults.map(({ name }) => name))].map((name) => {
    const own = faults.filter((fault) => fault.name === name);
    const isInside = (moment: number): boolean =>
      own.some(({ from, until }) => moment >= from && moment < until);
    return {
      fault: name,
      times: own.length,
      operations: columns.call.reduce((sum, moment) => sum + (isInside(moment) ? 1 : 0), 0),
      counts: kinds.map((kind) => {
        const all = each.filter((one) => one.kind === kind);
        const within = all.filter(({ operation }) => isInside(columns.call[position[operation]]));
        return { kind, total: all.length, within: within.length };
      }),
    };
  });
}
