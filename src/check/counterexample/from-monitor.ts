/**
 * Builds a counterexample from the refutation of a monitor.
 *
 * A monitor names few values that contradict each other. All operations on other values are omitted: in a
 * linearization of a container all operations on a value can be omitted, so a projection without a linearization
 * refutes the history.
 *
 * The faulty operation is the first return that no linearization includes, which may come before those that the
 * monitor names. A short search looks for it (`findFirstFault`). If it stops earlier, the monitor reads the history
 * up to there; if it finds no contradiction, the search explains why it stops. The search also knows the results that
 * were allowed.
 */
import { range } from '../../base/collections/ints.js';
import { Interner } from '../../base/values/interner.js';
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { Budget } from '../model/budget.js';
import type { Obstruction, SearchResult } from '../model/search.js';
import type { Cause, Counterexample, LimitReason } from '../model/verdict.js';
import type { BlockedReturn, Contradiction } from '../monitors/common/monitor.js';
import { ContainerRoles } from '../monitors/duplicates/versions.js';
import { monitored, monitorOf, verifyCause } from '../monitors/registry.js';
import { ObjectMachine, Part } from '../parts/part.js';
import { partAmong } from '../parts/parts.js';
import { containerSearch } from '../search/choose-search.js';
import { JitGraph } from '../search/generic/jit-graph.js';
import { RefutingSearch } from '../search/refutation.js';
import { allowedOutcomes } from './allowed-outcomes.js';
import { fromObstruction } from './from-search.js';

/*
 * The first return that no linearization includes, near operations without a linearization.
 *
 * A history that ends with the last of them has no linearization, so a search stops at that return or before. In a
 * long history, only operations on values of a container that were present shortly before are searched. The others
 * are on other values, so an obstruction here is one of the whole, although the whole may have an earlier one. All
 * this has limits, because the verdict is known without it.
 */

/** Limits of the search for the first faulty return. */
const FIRST_FAULT_LIMITS = { maxSteps: 200_000, timeout: 1_000, maxMemory: 2 ** 28 };
/** Longer histories are not searched for an explanation. */
const SHORT_HISTORY = 2_000;
/** Steps of a graph search before the search of the object, if it has one. */
const GRAPH_STEPS = 30_000;
/** In longer histories, this many events before the last one. */
const NEARBY_EVENTS = 300;

interface FirstFault {
  /** What was searched: the part, or its nearby operations. */
  readonly near: Part;
  readonly refusal: Obstruction;
}

/**
 * `contradicting`: ids of operations without a linearization. Undefined if the return is not found within the limits.
 */
function findFirstFault(
  part: Part,
  contradicting: readonly number[],
  budget: Budget,
): FirstFault | undefined {
  const { history } = part;
  const { return: returned } = history.columns;
  const position = history.positionsById();
  const last = Math.max(-1, ...contradicting.map((id) => returned[position[id]]).filter((m) => m !== NEVER));
  if (last < 0) return undefined;
  const near = isShort(part) ? part : nearbyPart(part, last);
  if (!near) return undefined;
  const moment =
    near.history.columns.return[
      near.history.positionsById()[history.columns.id[~history.columns.events[last]]]
    ];
  const refusal = searchObstruction(near, near.history.prefix(moment), budget);
  return refusal && { near, refusal };
}

const isShort = ({ history }: Part): boolean => history.length <= SHORT_HISTORY;

/** The operation whose return a search stops at. */
function faultyOperation({ history }: Part, { moment }: Obstruction): number {
  return history.columns.id[~history.columns.events[moment]];
}

function searchObstruction(part: Part, history: History, budget: Budget): Obstruction | undefined {
  const { machine } = part;
  const graph =
    history.length > SHORT_HISTORY ? new RefutingSearch(history, machine) : new JitGraph(history, machine);
  const others = { otherBytes: () => part.objectMachine.bytes };
  const looked = budget.run(graph, { ...others, pauseAt: GRAPH_STEPS });
  const own =
    looked === 'paused' && hasDuplicates(history, part)
      ? containerSearch({ history, machine }, GRAPH_STEPS)
      : undefined;
  const answer = looked === 'paused' ? budget.run(own ?? graph, others) : looked;
  return typeof answer === 'object' && answer.kind === 'violation' ? answer.refutation : undefined;
}

/** Whether a value is added more than once. Otherwise the monitor knows enough. */
function hasDuplicates(history: History, { spec }: Part): boolean {
  const roles = new ContainerRoles(history, spec);
  const added = range(history.length).filter((k) => roles.of(k) === 'add');
  return new Set(added.map((k) => roles.touched(k))).size < added.length;
}

/** The operations on values of a container that were present, added or removed shortly before a moment. */
function nearbyPart(part: Part, last: number): Part | undefined {
  const { history, spec } = part;
  if (monitorOf(spec)?.leaves === undefined) return undefined;
  const roles = new ContainerRoles(history, spec);
  const { call, return: returned } = history.columns;
  const from = last - NEARBY_EVENTS;
  // for each value, how often more it was added before the end than removed before the start
  const inside = new Int32Array(history.tables.values.values.length);
  const isNear = new Uint8Array(inside.length);
  // operations on initial values cannot be omitted
  for (const value of roles.initial) isNear[value] = 1;
  for (let k = 0; k < history.length && call[k] <= last; k++) {
    const value = roles.touched(k);
    if (value < 0) continue;
    if (roles.of(k) === 'add') inside[value]++;
    else if (roles.of(k) === 'remove' && returned[k] < from) inside[value]--;
    if (returned[k] >= from) isNear[value] = 1;
  }
  const own = history.select((k) => {
    const value = roles.touched(k);
    return value >= 0 ? isNear[value] > 0 || inside[value] > 0 : call[k] <= last && returned[k] >= from;
  });
  if (own.length > SHORT_HISTORY) return undefined;
  return new Part({
    ...part,
    history: own,
    objectMachine: new ObjectMachine(own, spec),
    cuts: [...part.cuts, 'values'],
    monitored: undefined,
  });
}

/** Limits of the search that explains a blocked return. */
const EXPLANATION_LIMITS = { maxSteps: 3_000_000, timeout: 2_000, maxMemory: 2 ** 29 };

export function fromContradiction(part: Part, ruling: Contradiction): Counterexample {
  const { operations, among, cause } = ruling;
  const isWhole = part.spec.part !== undefined && !part.cuts.includes('part');
  const own = among && isWhole ? partAmong(part, operations[0], among) : part;
  const ids = operations.map((k) => part.history.columns.id[k]);
  const budget = new Budget(FIRST_FAULT_LIMITS);
  const first = findFirstFault(own, ids, budget);
  if (!first) return toCounterexample(part, own, ruling, []);
  const { near, refusal } = first;
  const blamed = faultyOperation(near, refusal);
  const allowed = (operation: number): Outcome[] =>
    near === own && operation === blamed ? allowedOutcomes(own, own.history, blamed, refusal, budget) : [];
  if (cause.operation === blamed || isContradictoryBy(near, refusal, ids, budget))
    return toCounterexample(part, own, ruling, allowed(cause.operation));
  const shorter = contradictionAt(near, refusal, budget);
  return shorter
    ? toCounterexample(near, near, shorter, allowed(shorter.cause.operation))
    : fromObstruction(near, refusal);
}

/** Whether these operations contradict each other by the return that a search stops at. */
function isContradictoryBy(
  part: Part,
  { moment }: Obstruction,
  ids: readonly number[],
  budget: Budget,
): boolean {
  const kept = new Set(ids);
  const core = part.history.prefix(moment);
  return (
    searchObstruction(
      part,
      core.select((k) => kept.has(core.columns.id[k])),
      budget,
    ) !== undefined
  );
}

function toCounterexample(
  part: Part,
  own: Part,
  { operations, cause, minimal }: Contradiction,
  allowed: Outcome[],
): Counterexample {
  const kept = new Set(operations);
  return {
    part: own.name,
    core: part.history.select((k) => kept.has(k)),
    cuts: own.cuts.includes('values') ? own.cuts : [...own.cuts, 'values'],
    minimal,
    property: 'safety',
    cause: { ...cause, allowed, refused: [] },
  };
}

/** The contradiction that a monitor finds at the return that a search stops at, if any. */
function contradictionAt(part: Part, refusal: Obstruction, budget: Budget): Contradiction | undefined {
  const { history, spec } = part;
  const prefix = history.prefix(refusal.moment);
  const own = monitored(prefix, spec);
  if (!own || 'obstacle' in own) return undefined;
  const result = own.reading.decide((search) => budget.run(search) as SearchResult | LimitReason);
  if (result.kind !== 'violation' || !('cause' in result.refutation)) return undefined;
  const ruling = result.refutation;
  const { id } = prefix.columns;
  const ids = ruling.operations.map((k) => id[k]);
  // operations that are open there end later, and a cause must hold whatever their results are
  if (!verifyCause(history, spec, ruling.cause) || !isContradictoryBy(part, refusal, ids, budget))
    return undefined;
  const position = history.positionsById();
  return { ...ruling, operations: ids.map((own) => position[own]) };
}

/** The counterexample for a return that no linearization of certain operations includes. */
export function fromBlockedReturn(part: Part, { operation, among }: BlockedReturn): Counterexample {
  const id = part.history.columns.id[operation];
  const own = among ? partAmong(part, operation, among) : part;
  const { history } = own;
  const moment = history.columns.return[history.positionsById()[id]];
  const refusal = searchObstruction(own, history.prefix(moment), new Budget(EXPLANATION_LIMITS));
  const few = refusal && fromObstruction(own, refusal);
  // other operations may obstruct earlier, and show what is allowed; those on other keys cannot
  if (part.spec.part === undefined && own !== part && isShort(part)) {
    const first = findFirstFault(part, [id], new Budget(FIRST_FAULT_LIMITS));
    const whole = first && fromObstruction(part, first.refusal);
    if (whole && !(few && doAgree(few.cause, whole.cause))) return whole;
  }
  if (few) return few;
  return {
    part: own.name,
    core: history.prefix(moment),
    cuts: [...own.cuts, 'prefix'],
    minimal: false,
    property: 'safety',
    cause: { kind: 'late', operation: id, allowed: [], refused: [] },
  };
}

/** Whether two causes have the same faulty operation and allow the same. */
function doAgree(one: Cause, other: Cause): boolean {
  const outcomes = new Interner();
  const allowed = (cause: Cause): string =>
    cause.allowed
      .map((outcome) => outcomes.intern(outcome))
      .sort((a, b) => a - b)
      .join();
  return one.operation === other.operation && allowed(one) === allowed(other);
}
