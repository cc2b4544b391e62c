/**
 * How far a history is from linearizable: which weaker levels hold, how stale its reads are, what became of the values
 * of its queues and stacks, and which of its parts are concerned.
 *
 * Every claim names the operations that show it, by id. What cannot be measured is listed with the reason.
 *
 * A *brief* measure takes a small, fixed number of steps: the parts are not checked, and the search for a sequential
 * order gives up early.
 */

import { check } from '../check/check.js';
import { Budget, type Limits, resolveLimits } from '../check/model/budget.js';
import { Container } from '../check/monitors/container/container.js';
import { objectsOf, partsOf, type SpecOf } from '../check/parts/parts.js';
import { type AnySpecOf, splitObjects } from '../check/rendezvous/split-objects.js';
import { orderByVersions, type SaturationLimits } from '../check/versions/saturation.js';
import type { History } from '../history/history.js';
import type { AnySpec } from '../spec/rendezvous/sync-spec.js';
import { type CausalLevels, causalLevels } from './causal.js';
import {
  type CellLevels,
  type Cells,
  type Level,
  levelsOfCells,
  type NotMeasured,
  openOrder,
  partName,
  readCells,
  withIds,
} from './cells.js';
import {
  containerFaults,
  type FaultyValues,
  type Reordered,
  type ReorderedValue,
} from './container-values.js';
import { type AllContradictions, allContradictions } from './contradictions.js';
import { type SequentialLimits, searchSequential, verifiedOrder } from './sequential.js';
import { incoherentCell } from './sessions.js';

/** Limits of `measureConsistency`. */
export interface ConsistencyOptions extends Pick<Limits, 'timeout' | 'shouldStop'> {
  /** Steps of the search for a sequential order. Default: 200,000. */
  readonly maxSteps?: number | undefined;
  /** Measure only what a small, fixed number of steps allows. Default: false. */
  readonly brief?: boolean | undefined;
}

/** The consistency of a history below linearizability. Operations are named by id. */
export interface Consistency extends CellLevels, CausalLevels {
  /** A brief measure leaves out the parts and causal consistency, and gives up early. */
  readonly extent: 'brief' | 'full';
  readonly sequential: Level;
  /** Faulty values of queues and stacks; undefined if the history has none of distinct values. */
  readonly values: FaultyValues | undefined;
  /** The verdict of each part by itself, where the history has several. */
  readonly parts: {
    readonly linearizable: number;
    readonly violations: readonly { readonly part: string; readonly operation: number }[];
    readonly undecided: readonly string[];
    /** Parts that were not checked, because the time was over. */
    readonly notExamined: readonly string[];
  };
  /** Parts whose reads or values are not or only partly measured. */
  readonly notMeasured: readonly NotMeasured[];
  /** Every contradiction that stands by itself, and how many were called during annotated faults. */
  readonly contradictions: AllContradictions;
}

const MAX_STEPS = 200_000;

interface Effort {
  readonly search: SequentialLimits;
  readonly saturation: SaturationLimits;
  /** The longest history in which a search looks for a sequential order. */
  readonly longest: number;
}

/** How much work is allowed. */
function effortOf(
  { brief = false, maxSteps = MAX_STEPS }: ConsistencyOptions,
  isOver: () => boolean,
): Effort {
  return brief
    ? {
        search: { maxSteps: 2_000, isOver },
        saturation: { mostWork: 400_000, mostAttempts: 4, isOver },
        longest: 1_000,
      }
    : {
        search: { maxSteps, isOver },
        saturation: { mostWork: 400_000_000, mostAttempts: 60, isOver },
        longest: Number.POSITIVE_INFINITY,
      };
}

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
  const budget = new Budget(resolveLimits({ timeout: options.timeout, shouldStop: options.shouldStop }));
  const isOver = (): boolean => budget.isSpent || (options.shouldStop?.() ?? false);
  const cells = happened ? readCells(happened, specOf) : { all: [], notMeasured: [] };
  const { values, measured, notMeasured } = happened
    ? valuesOf(happened, specOf)
    : { values: undefined, measured: 0, notMeasured: [] };
  const levels = levelsOfCells(cells);
  const sequential: Level =
    rendezvous.length > 0 || happened === undefined
      ? { kind: 'not measured', reason: 'calls of some objects synchronise' }
      : sequentialLevel(happened, specOf, cells.all, effortOf(options, isOver));
  const causality =
    options.brief || happened === undefined
      ? NO_CAUSALITY
      : causalLevels(happened, cells.all, obstacleOf(happened, cells, rendezvous.length));
  const unmeasured = [...cells.notMeasured, ...notMeasured];
  return {
    extent: options.brief ? 'brief' : 'full',
    // a sequentially consistent history is causally consistent
    sequential:
      sequential.kind === 'not measured' && causality.convergent.kind === 'fails'
        ? { kind: 'fails', cycle: [] }
        : sequential,
    ...causality,
    ...levels,
    values,
    parts: happened && !options.brief ? checkParts(happened, specOf, options, isOver) : NO_PARTS,
    notMeasured: unmeasured,
    contradictions: allContradictions(
      { ...levels, values },
      history,
      (k) => partName(history, specOf(history.at(k).object), k),
      cells.all.length + measured === 0
        ? 'none'
        : cells.all.length + measured < history.objects.length || unmeasured.length > 0
          ? 'some'
          : 'all',
    ),
  };
}

const STUCK = 'the history is stuck, so pending calls must block';

const NO_CAUSALITY: CausalLevels = {
  causal: { kind: 'not measured', reason: 'it was not asked for' },
  convergent: { kind: 'not measured', reason: 'it was not asked for' },
};

/** Why causal consistency of the registers and maps does not say all; undefined if it does. */
function obstacleOf(
  { objects, stuck }: History,
  { all, notMeasured }: ReturnType<typeof readCells>,
  rendezvous: number,
): string | undefined {
  if (stuck) return STUCK;
  if (notMeasured.length > 0) return notMeasured[0].reason;
  return all.length < objects.length || rendezvous > 0
    ? 'some objects are neither registers nor maps'
    : undefined;
}

const NO_PARTS = { linearizable: 0, violations: [], undecided: [], notExamined: [] };

function sequentialLevel(history: History, specOf: SpecOf, cells: readonly Cells[], effort: Effort): Level {
  for (const { versions } of cells) {
    const found = incoherentCell(versions);
    if (found) return { kind: 'fails', cycle: withIds(versions, found.cycle) };
  }
  if (history.stuck) return { kind: 'not measured', reason: STUCK };
  const isOne = history.objects.length === 1 && cells.length === 1;
  const found = isOne ? orderByVersions(cells[0].versions, effort.saturation) : undefined;
  if (found && found.order === undefined) return { kind: 'fails', cycle: [] };
  if (!found && history.length > effort.longest)
    return { kind: 'not measured', reason: 'the history is too long for a brief search' };
  const result = found?.order
    ? verifiedOrder(history, specOf, found.order)
    : searchSequential(history, specOf, effort.search);
  if (result.kind === 'holds') return result;
  return result.kind === 'fails'
    ? { kind: 'fails', cycle: [] }
    : { kind: 'not measured', reason: result.reason };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] };

/** The faulty values of all queues and stacks of distinct values together; `measured`: how many such objects there are. */
function valuesOf(
  history: History,
  specOf: SpecOf,
): {
  readonly values: FaultyValues | undefined;
  readonly measured: number;
  readonly notMeasured: readonly NotMeasured[];
} {
  const all: Mutable<FaultyValues> = {
    invented: [],
    duplicated: [],
    overtaken: [],
    fromBelow: [],
    missing: [],
    notEmpty: [],
  };
  const notMeasured: NotMeasured[] = [];
  let measured = 0;
  for (const { name, history: own } of objectsOf(history)) {
    const spec = specOf(name);
    const kind = spec.family?.kind;
    if (kind !== 'queue' && kind !== 'stack') continue;
    const container = openOrder(own) ?? Container.read(own, spec);
    if (typeof container === 'string') {
      notMeasured.push({ part: name ?? '', what: 'values', reason: container });
      continue;
    }
    measured++;
    const { id } = own.columns;
    const idOf = (k: number): number | undefined => (k < 0 ? undefined : id[k]);
    const faults = containerFaults(container, kind);
    const named = (value: number) => ({ value: container.valueOf(value), put: idOf(container.add[value]) });
    const reordered = ({ value, by, overtaker }: Reordered): ReorderedValue => ({
      ...named(value),
      by,
      taken: idOf(faults.removal[value]),
      ...(overtaker !== undefined && { overtaker: idOf(faults.removal[overtaker]) }),
    });
    for (const k of faults.invented) all.invented.push(id[k]);
    for (const k of faults.duplicated) all.duplicated.push(id[k]);
    for (const k of faults.notEmpty) all.notEmpty.push(id[k]);
    for (const value of faults.missing)
      all.missing.push({ ...named(value), foundEmpty: idOf(faults.foundEmpty(value)) });
    for (const one of faults.overtaken) all.overtaken.push(reordered(one));
    for (const one of faults.fromBelow) all.fromBelow.push(reordered(one));
  }
  return { values: measured > 0 ? all : undefined, measured, notMeasured };
}

/** Checks each part by itself. This is sound by locality. */
function checkParts(
  history: History,
  specOf: SpecOf,
  options: ConsistencyOptions,
  isOver: () => boolean,
): Consistency['parts'] {
  const violations: { part: string; operation: number }[] = [];
  const undecided: string[] = [];
  const notExamined: string[] = [];
  let linearizable = 0;
  for (const { name, history: own, spec } of partsOf(history, specOf, { monitors: false })) {
    if (isOver()) {
      notExamined.push(name);
      continue;
    }
    const verdict = check(own, spec, {
      maxSteps: options.maxSteps ?? MAX_STEPS,
      shouldStop: isOver,
    });
    if (verdict.kind === 'violation')
      violations.push({ part: name, operation: verdict.counterexample.cause.operation });
    else if (verdict.kind === 'undecided') undecided.push(name);
    else linearizable++;
  }
  return { linearizable, violations, undecided, notExamined };
}
