/**
 * The first return that no linearization includes, exactly.
 *
 * A prefix of a history ends in a return. Operations that are open then may have taken effect or not; if one has, then
 * with its recorded result. If a prefix is linearizable, so is each shorter one, so there is a shortest prefix that is
 * not. Its last return is the fault, whatever decided the history:
 *
 *   1. A graph search of a prefix that is known to have no linearization stops at that return, if it ends within its
 *      step budget. It also visits all states before the return.
 *   2. Otherwise prefixes are decided as histories are (`prefixes.ts`): at growing distances before the known return,
 *      then by bisection. Containers start here, unless they are short: their monitors decide fast.
 *
 * Of a long history of a container, first only the values that were present shortly before are considered. All
 * operations on other values are omitted, which is sound: so the return that is found is a fault, but perhaps not the
 * first. Prefixes of the whole are decided from there.
 *
 * Cost: a search within its budget; then O(log n) decisions, usually one or two.
 */
import { range } from '../../base/collections/ints.js';
import type { History } from '../../history/history.js';
import { DEAD } from '../../spec/machine/machine.js';
import type { Budget } from '../model/budget.js';
import { Disagreement, type Obstruction } from '../model/search.js';
import { ContainerRoles } from '../monitors/duplicates/epochs.js';
import { ObjectMachine, Part } from '../parts/parts.js';
import { JitGraph } from '../search/generic/jit-graph.js';
import { isMergeable } from '../search/merged-values.js';
import { decidePrefix, isContainer, type Refutation } from './prefixes.js';

/**
 * Limits of a search that visits all configurations, and of the decisions of prefixes, in which each operation that is
 * read counts as a step.
 */
const SEARCH_LIMITS = { maxSteps: 1_000_000, maxMemory: 2 ** 29 };
const DECISION_LIMITS = { maxSteps: 4_000_000, maxMemory: 2 ** 29 };
/** A search of a container has fewer steps: there are more states, and each is larger. */
const CONTAINER_LIMITS = { maxSteps: 180_000, maxMemory: 2 ** 28 };
/** The first search of a container that has a monitor, if the history is short. */
const SHORT_LIMITS = { ...CONTAINER_LIMITS, maxSteps: 9_000 };
const MAX_SHORT = 200;
/** The nearby operations of a long history: those on values that were present during this many events. */
const NEARBY_EVENTS = 100;
const MAX_NEARBY = 2_000;
/** The distance before a known return grows by this factor. */
const GROWTH = 8;

/** A return without a linearization, and what is known about it. */
export interface FirstFault {
  /** The operation that returns, by id, and the moment in the history of the part. */
  readonly operation: number;
  readonly moment: number;
  /** Whether it is certainly the first. */
  readonly isFirst: boolean;
  /** A search that stopped at this return: of the part, or of its nearby operations. */
  readonly stopped?: StoppedSearch;
  /** Refutations of the prefix by a monitor, and the linearization of the prefix before it (ids), if one was found. */
  readonly refutations: readonly Refutation[];
  readonly before?: Int32Array;
}

/** A search of a prefix of a part that ended at its last return. */
export interface StoppedSearch {
  readonly part: Part;
  readonly prefix: History;
  readonly refusal: Obstruction;
  readonly explored: Explored;
}

/** A search that has visited all configurations of a history. */
interface Explored {
  readonly graph: JitGraph;
  readonly history: History;
}

/** A budget for a search that visits all configurations of a prefix of a part; none if that takes too long. */
export function searchBudget(whole: Budget, part: Part, { length }: History): Budget | undefined {
  if (!isContainer(part) && !isMergeable(part.spec)) return whole.explanation(SEARCH_LIMITS);
  return length <= MAX_NEARBY ? whole.explanation(CONTAINER_LIMITS) : undefined;
}

/**
 * The first fault of a part without a linearization. `last`: the moment of a return by which there is none; `isFirst`: a
 * search has found that this is the first; `likely`: a return by which there is perhaps none; `whole`: the budget of the
 * check.
 *
 * A monitor may be wrong about `last` though not about the verdict: later operations may be part of the
 * reason. If there is a linearization by `last`, the whole part is searched. Only if there is one of the whole too do
 * the methods contradict the verdict.
 */
export function findFirstFault(
  whole: Budget,
  part: Part,
  last: number,
  isFirst: boolean,
  likely: number = last,
): FirstFault {
  try {
    return faultBy(whole, part, last, isFirst, likely);
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error;
    return faultOfAll(whole, part);
  }
}

function faultOfAll(whole: Budget, part: Part): FirstFault {
  const { history } = part;
  const end = history.columns.events.findLastIndex((event) => event < 0);
  const found = exhaust(part, history.prefix(end), searchBudget(whole, part, history));
  if (found) return found;
  const budget = whole.explanation(DECISION_LIMITS);
  requireFault(part, end, budget);
  return { ...bisect(part, end, budget), isFirst: false };
}

function faultBy(whole: Budget, part: Part, last: number, isFirst: boolean, likely: number): FirstFault {
  const { history } = part;
  const prefix = history.prefix(last);
  const isMonitored = !isFirst && isContainer(part);
  const short = prefix.length <= MAX_SHORT ? whole.explanation(SHORT_LIMITS) : undefined;
  const own = exhaust(part, prefix, isMonitored ? short : searchBudget(whole, part, prefix));
  if (own) return own;
  if (isFirst) return { moment: last, operation: operationAt(history, last), isFirst, refutations: [] };
  const budget = whole.explanation(DECISION_LIMITS);
  const isEarlier =
    likely < last && Array.isArray(decidePrefix(part, history.prefix(likely), () => part.machine, budget));
  const decided = bisect(part, nearestFault(whole, part, isEarlier ? likely : last), budget);
  // no earlier return is a fault, so this one must be
  if (decided.moment === last) requireFault(part, last, budget);
  if (decided.isFirst || !isMonitored) return decided;
  // the monitor does not suffice
  const shorter = history.prefix(decided.moment);
  const searched = exhaust(part, shorter, searchBudget(whole, part, shorter));
  if (searched) return searched;
  const stopped = searchNearby(whole, part, decided.moment);
  if (!stopped) return decided;
  const { moment } = located(part, stopped);
  const again = bisect(part, moment, budget);
  return again.moment === moment ? { ...again, stopped } : again;
}

/** The fault at which an exhaustive search of a prefix without a linearization stops, if it ends within its budget. */
function exhaust(part: Part, prefix: History, budget: Budget | undefined): FirstFault | undefined {
  const stopped = budget && stop(part, prefix, budget);
  return stopped && { ...located(part, stopped), isFirst: true, stopped, refutations: [] };
}

/** The search of a prefix, if it ends within its budget and without a linearization. */
function stop(part: Part, prefix: History, budget: Budget): StoppedSearch | undefined {
  const graph = new JitGraph(prefix, part.machine);
  const answer = budget.run(graph, { otherBytes: () => part.objectMachine.bytes });
  if (typeof answer !== 'object') return undefined;
  if (answer.kind === 'linearizable') {
    // without some values, there may be a linearization
    if (part.cuts.includes('values')) return undefined;
    throw new Disagreement(prefix.columns.id[prefix.length - 1]);
  }
  const { moment } = answer.refutation;
  // the search has seen the whole prefix; what comes after its return does not matter
  return {
    part,
    prefix: prefix.prefix(moment),
    refusal: answer.refutation,
    explored: { graph, history: prefix },
  };
}

/** The search of the nearby operations up to a fault, if it finds one; perhaps an earlier one. */
export function searchNearby(whole: Budget, part: Part, moment: number): StoppedSearch | undefined {
  const near = nearbyPart(part, moment);
  const prefix = near && upTo(near.history, part.history, moment);
  const budget = prefix && searchBudget(whole, near, prefix);
  return budget && stop(near, prefix, budget);
}

const operationAt = ({ columns }: History, moment: number): number => columns.id[~columns.events[moment]];

/** The operation (an id) at whose return a search stopped. */
export const operationStopping = ({ prefix, refusal }: StoppedSearch): number =>
  operationAt(prefix, refusal.moment);

function located({ history }: Part, stopped: StoppedSearch) {
  const operation = operationStopping(stopped);
  return { operation, moment: history.columns.return[history.positionsById()[operation]] };
}

/** A cut of a history up to a moment of the history. */
export function upTo(cut: History, history: History, moment: number): History {
  const { events, id } = cut.columns;
  const { call, return: returned } = history.columns;
  const position = history.positionsById();
  const momentOf = (event: number): number =>
    event >= 0 ? call[position[id[event]]] : returned[position[id[~event]]];
  let length = 0;
  while (length < events.length && momentOf(events[length]) <= moment) length++;
  return cut.prefix(length - 1);
}

/* Prefixes, decided as histories are. */

/** Throws if there is a linearization by a return. */
function requireFault(part: Part, moment: number, budget: Budget): void {
  const answer = decidePrefix(part, part.history.prefix(moment), () => part.machine, budget);
  if (answer instanceof Int32Array) throw new Disagreement(operationAt(part.history, moment));
}

/** A fault of the nearby operations by a known fault, if there is one and they are fewer than all. */
function nearestFault(whole: Budget, part: Part, known: number): number {
  const near = nearbyPart(part, known);
  if (!near || near.history.length === part.history.length) return known;
  const prefix = upTo(near.history, part.history, known);
  const { operation } = bisect(near, prefix.columns.events.length - 1, whole.explanation(DECISION_LIMITS));
  return part.history.columns.return[part.history.positionsById()[operation]];
}

/** The shortest prefix without a linearization, at growing distances before one, then by bisection. */
function bisect(part: Part, known: number, budget: Budget): FirstFault {
  const { history } = part;
  const returns = range(known + 1).filter((m) => history.columns.events[m] < 0);
  let shortest = returns.length - 1;
  let longest = -1;
  let before: Int32Array = new Int32Array(0);
  let refutations: readonly Refutation[] = [];
  const fault = (isFirst: boolean): FirstFault => {
    const moment = returns[shortest];
    return { moment, operation: operationAt(history, moment), isFirst, refutations };
  };
  for (let distance = 1; shortest > longest + 1; distance *= GROWTH) {
    if (budget.reached) return fault(false);
    const isGalloping = longest < 0 && shortest - distance > 0;
    const tried = isGalloping ? shortest - distance : (longest + shortest) >>> 1;
    const answer = decidePrefix(part, history.prefix(returns[tried]), () => part.machine, budget);
    if (answer === 'unknown') return fault(false);
    if (answer instanceof Int32Array) [longest, before] = [tried, answer];
    else [shortest, refutations] = [tried, answer];
  }
  return { ...fault(true), before };
}

/** The state after operations (ids) in sequence; DEAD if the spec does not allow one of them. */
export function stateAfter({ machine }: Part, order: Int32Array): number {
  let state = machine.initial;
  for (let i = 0; i < order.length && state !== DEAD; i++)
    state = machine.step(state, machine.letterOf(order[i]));
  return state;
}

/* The operations on values of a container that were present, added or removed shortly before a moment. */

/** Undefined if the part is no container, or too many operations are left. */
export function nearbyPart(part: Part, last: number): Part | undefined {
  if (!isContainer(part)) return undefined;
  const { history, spec } = part;
  const roles = new ContainerRoles(history, spec);
  if (roles.hasNothingAsValue()) return undefined;
  const { call, return: returned, events } = history.columns;
  const from = Math.min(last - NEARBY_EVENTS, call[~events[last]]);
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
  const near = history.select((k) => {
    const value = roles.touched(k);
    return value >= 0 ? isNear[value] > 0 || inside[value] > 0 : call[k] <= last && returned[k] >= from;
  });
  if (near.length > MAX_NEARBY) return undefined;
  return new Part({
    ...part,
    history: near,
    objectMachine: new ObjectMachine(near, spec),
    cuts: [...part.cuts, 'values'],
    monitored: undefined,
  });
}
