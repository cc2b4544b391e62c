/**
 * How far a history is from linearizable: which weaker levels hold, how stale its reads are, what became of the values
 * of its queues, and which of its parts are concerned.
 *
 * Every claim names the operations that show it, by id. What cannot be measured is listed with the reason.
 */
import { show } from '../base/values/show.js';
import { check } from '../check/check.js';
import { Budget, type Limits, resolveLimits } from '../check/model/budget.js';
import { Container } from '../check/monitors/container/container.js';
import { type Acts, mapActs, registerActs } from '../check/monitors/register/operations.js';
import { objectsOf, partsOf, type SpecOf } from '../check/parts/parts.js';
import { type AnySpecOf, splitObjects } from '../check/rendezvous/split-objects.js';
import type { History } from '../history/history.js';
import type { AnySpec } from '../spec/rendezvous/sync-spec.js';
import type { Spec } from '../spec/spec.js';
import { queueFaults } from './queue-values.js';
import { orderByVersions } from './saturation.js';
import { searchSequential, verifiedOrder } from './sequential.js';
import { brokenGuarantees, GUARANTEES, type Guarantee, incoherentCell, type Precedence } from './sessions.js';
import { irregularReads, leastDelta, staleReads, Versions } from './versions.js';

/** Limits of `measureConsistency`. */
export interface ConsistencyOptions extends Pick<Limits, 'timeout' | 'shouldStop'> {
  /** Steps of the search for a sequential order. Default: 200,000. */
  readonly maxSteps?: number | undefined;
}

/** Two operations, by id, of which the first comes before the second in every order; -1 is the initial value. */
export type OrderedPair = Precedence;

/** A weaker level. */
type Level =
  | { readonly kind: 'holds'; readonly order?: Int32Array }
  /** Pairs that no order contains, in a circle; none if a search has tried all orders. */
  | { readonly kind: 'fails'; readonly cycle: readonly OrderedPair[] }
  | { readonly kind: 'not measured'; readonly reason: string };

/** The consistency of a history below linearizability. Operations are named by id. */
export interface Consistency {
  readonly sequential: Level;
  /** Each read alone is correct; `irregular` are those that are not. */
  readonly regular: Level & { readonly irregular?: readonly number[] };
  /** Session guarantees that hold for every process and part, and those that do not. */
  readonly sessions: {
    readonly hold: readonly Guarantee[];
    readonly broken: readonly {
      readonly guarantees: readonly Guarantee[];
      readonly cycle: readonly OrderedPair[];
      readonly times: number;
    }[];
  };
  readonly stale: {
    readonly reads: readonly StaleOperation[];
    /** The least time by which the calls of all reads must move back to make the measured parts linearizable. */
    readonly delta: number | undefined;
  };
  /** Faulty values of queues; undefined if the history has no queue of distinct values. */
  readonly values: FaultyValues | undefined;
  /** The verdict of each part by itself, where the history has several. */
  readonly parts: {
    readonly linearizable: number;
    readonly violations: readonly { readonly part: string; readonly operation: number }[];
    readonly undecided: readonly string[];
    /** Parts that were not checked, because the time was over. */
    readonly notExamined: readonly string[];
  };
  /** Parts whose stale reads, sessions and regularity are not or only partly measured. */
  readonly notMeasured: readonly { readonly part: string; readonly reason: string }[];
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

export interface FaultyValues {
  /** Removals of values that were never added, or not yet; and removals of values that were already removed. */
  readonly invented: readonly number[];
  readonly duplicated: readonly number[];
  readonly overtaken: readonly {
    readonly value: unknown;
    readonly by: number;
    readonly put: number | undefined;
  }[];
  /** Never removed, although a later value was or the queue was found empty: lost, or still inside. */
  readonly missing: readonly { readonly value: unknown; readonly put: number | undefined }[];
  /** Operations that found the queue empty although a value was present all the time. */
  readonly notEmpty: readonly number[];
}

const MAX_STEPS = 200_000;

/**
 * Measures how far a history is from linearizable.
 *
 * @example
 * const { sequential, values } = measureConsistency(history, queue());
 * console.log(sequential.kind, values?.missing.length);
 */
export function measureConsistency(
  history: History,
  spec: AnySpec | AnySpecOf,
  options: ConsistencyOptions = {},
): Consistency {
  const anySpecOf = typeof spec === 'function' ? spec : () => spec;
  const { plain, specOf, rendezvous } = splitObjects(history, anySpecOf);
  const happened = plain?.withoutFailed();
  const cells = happened ? readCells(happened, specOf) : { all: [], notMeasured: [] };
  return {
    sequential:
      rendezvous.length > 0 || happened === undefined
        ? { kind: 'not measured', reason: 'calls of some objects synchronise' }
        : sequentialLevel(happened, specOf, cells.all, options.maxSteps ?? MAX_STEPS),
    ...levelsOfCells(cells),
    values: happened && valuesOf(happened, specOf),
    parts: happened ? checkParts(happened, specOf, options) : NO_PARTS,
    notMeasured: cells.notMeasured,
  };
}

const NO_PARTS = { linearizable: 0, violations: [], undecided: [], notExamined: [] };

/** A register, or the keys of a map. */
interface Cells {
  readonly versions: Versions;
  readonly nameOf: (operation: number) => string;
}

interface AllCells {
  readonly all: readonly Cells[];
  readonly notMeasured: readonly { readonly part: string; readonly reason: string }[];
}

function readCells(history: History, specOf: SpecOf): AllCells {
  const all: Cells[] = [];
  const notMeasured: { part: string; reason: string }[] = [];
  for (const { name, history: own } of objectsOf(history)) {
    const acts = actsOf(own, specOf(name));
    if (acts === undefined) continue;
    if (typeof acts === 'string') {
      notMeasured.push({ part: name ?? '', reason: acts });
      continue;
    }
    const versions = new Versions(acts);
    const nameOf = (k: number): string => partName(own, specOf(name), k);
    all.push({ versions, nameOf });
    for (const [cell, reason] of versions.unmeasured)
      notMeasured.push({ part: nameOf(acts.cell.indexOf(cell)), reason });
  }
  return { all, notMeasured };
}

/** What operations do to cells; why that cannot be read; undefined if the object has no cells. */
function actsOf(history: History, spec: Spec): Acts | string | undefined {
  const { kind } = spec.family ?? {};
  const read = CELLS.get(kind ?? '');
  if (read === undefined) return undefined;
  if (!Object.hasOwn(spec.family ?? {}, 'initial')) return 'the spec does not give the initial value';
  if (history.columns.after) return 'time stamps or a clock error leave the order of some calls open';
  return read(history, spec);
}

const CELLS: ReadonlyMap<string, (history: History, spec: Spec) => Acts | string> = new Map([
  ['register', registerActs],
  ['cas-register', registerActs],
  ['map', mapActs],
  ['map-previous', mapActs],
]);

/** The name of the part of an operation: its object and its key. */
function partName(history: History, spec: Spec, k: number): string {
  const { method, args, object } = history.at(k);
  const keys = spec.part?.(method, args) ?? [];
  return [object ?? [], keys]
    .flat()
    .map((key) => (typeof key === 'string' ? key : show(key)))
    .join(' ');
}

function sequentialLevel(history: History, specOf: SpecOf, cells: readonly Cells[], maxSteps: number): Level {
  for (const { versions } of cells) {
    const found = incoherentCell(versions);
    if (found) return { kind: 'fails', cycle: withIds(versions, found.cycle) };
  }
  const isOne = history.objects.length === 1 && cells.length === 1;
  const found = isOne ? orderByVersions(cells[0].versions) : undefined;
  if (found && found.order === undefined) return { kind: 'fails', cycle: [] };
  const result = found?.order
    ? verifiedOrder(history, specOf, found.order)
    : searchSequential(history, specOf, maxSteps);
  if (result.kind === 'holds') return result;
  return result.kind === 'fails'
    ? { kind: 'fails', cycle: [] }
    : { kind: 'not measured', reason: result.reason };
}

const idsOf = ({ acts }: Versions): ((k: number) => number) => {
  const { id } = acts.history.columns;
  return (k) => (k < 0 ? -1 : id[k]);
};

function withIds(versions: Versions, cycle: readonly Precedence[]): OrderedPair[] {
  const idOf = idsOf(versions);
  return cycle.map(({ first, second, reason }) => ({ first: idOf(first), second: idOf(second), reason }));
}

function levelsOfCells({ all, notMeasured }: AllCells): Pick<Consistency, 'regular' | 'sessions' | 'stale'> {
  const broken = all.flatMap(({ versions }) =>
    brokenGuarantees(versions).map(({ guarantees, cycle, times }) => ({
      guarantees,
      cycle: withIds(versions, cycle),
      times,
    })),
  );
  const reads = all.flatMap(({ versions, nameOf }) =>
    staleReads(versions).map(({ read, newer, ...rest }) => {
      const { history } = versions.acts;
      const { id, process } = history.columns;
      return {
        operation: id[read],
        newer: id[newer],
        part: nameOf(read),
        process: history.tables.processes[process[read]],
        ...rest,
      };
    }),
  );
  const irregular = all.flatMap(({ versions }) => irregularReads(versions).map(idsOf(versions)));
  const deltas = all.map(({ versions }) => leastDelta(versions));
  const isMeasured = all.length > 0 && notMeasured.length === 0;
  const unmeasured: Level = {
    kind: 'not measured',
    reason: notMeasured[0]?.reason ?? 'the history has no register or map',
  };
  return {
    regular:
      irregular.length > 0
        ? { kind: 'fails', cycle: [], irregular }
        : isMeasured
          ? { kind: 'holds' }
          : unmeasured,
    sessions: {
      // a set of several is broken although each of its guarantees may hold
      hold: isMeasured
        ? GUARANTEES.filter((own) => !broken.some(({ guarantees }) => guarantees.includes(own)))
        : [],
      broken,
    },
    stale: {
      reads: reads.sort((a, b) => a.operation - b.operation),
      delta: isMeasured && !deltas.includes(undefined) ? Math.max(...(deltas as number[])) : undefined,
    },
  };
}

/** The faulty values of the first queue of distinct values; a history rarely has two. */
function valuesOf(history: History, specOf: SpecOf): FaultyValues | undefined {
  for (const { name, history: own } of objectsOf(history)) {
    const spec = specOf(name);
    if (spec.family?.kind !== 'queue' || own.columns.after) continue;
    const container = Container.read(own, spec);
    if (typeof container === 'string') continue;
    const { id } = own.columns;
    const { invented, duplicated, overtaken, missing, notEmpty } = queueFaults(container);
    const named = (value: number) => ({
      value: container.valueOf(value),
      put: container.add[value] < 0 ? undefined : id[container.add[value]],
    });
    return {
      invented: invented.map((k) => id[k]),
      duplicated: duplicated.map((k) => id[k]),
      overtaken: overtaken.map(({ value, by }) => ({ ...named(value), by })),
      missing: missing.map(named),
      notEmpty: notEmpty.map((k) => id[k]),
    };
  }
  return undefined;
}

/** Checks each part by itself. This is sound by locality. */
function checkParts(history: History, specOf: SpecOf, options: ConsistencyOptions): Consistency['parts'] {
  const parts = partsOf(history, specOf, { monitors: false });
  const { timeout = Number.POSITIVE_INFINITY } = resolveLimits({ timeout: options.timeout });
  const budget = new Budget({ ...resolveLimits({ timeout }), shouldStop: options.shouldStop });
  const violations: { part: string; operation: number }[] = [];
  const undecided: string[] = [];
  const notExamined: string[] = [];
  let linearizable = 0;
  for (const { name, history: own, spec } of parts) {
    if (budget.isSpent || options.shouldStop?.()) {
      notExamined.push(name);
      continue;
    }
    const verdict = check(own, spec, {
      maxSteps: options.maxSteps ?? MAX_STEPS,
      shouldStop: options.shouldStop,
    });
    if (verdict.kind === 'violation')
      violations.push({ part: name, operation: verdict.counterexample.cause.operation });
    else if (verdict.kind === 'undecided') undecided.push(name);
    else linearizable++;
  }
  return { linearizable, violations, undecided, notExamined };
}
