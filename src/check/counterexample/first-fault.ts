/**
 * The first return that no linearization includes, exactly.
 *
 * A prefix of a history ends in a return. Operations that are open then may have taken effect or not; if one has, then
 * with its recorded result. If a prefix is linearizable, so is each shorter one, so there is a shortest prefix that is
 * not. Its last return is the fault, whatever decided the history:
 *
 *   1. A graph search of a prefix that is known to have no linearization stops at that return, if it ends within its
 *      step budget. It also visits all states before the return.
 *   2. Otherwise prefixes are decided as histories are, by a monitor or a search: at growing distances before the known
 *      return, then by bisection.
 *
 * A monitor cannot read an operation that a prefix has cut off. If the operation changes no state, it is omitted: it
 * need not take effect. Any other one is first taken as pending with an unknown result, which allows more. If that is
 * linearizable, but not with its recorded result, it either returns after all events or is omitted. A refutation of one
 * choice excludes all choices that agree on the operations that it names.
 *
 * Of a long history of a container, a search sees only the values that were present shortly before. All operations on
 * other values are omitted, which is sound: so the return that it finds is a fault, but perhaps not the first.
 *
 * Cost: a search within its budget; then O(log n) decisions, usually one or two.
 */
import { range } from '../../base/collections/ints.js';
import type { History } from '../../history/history.js';
import { NEVER, PENDING } from '../../history/model/columns.js';
import { DEAD, type Machine } from '../../spec/machine/machine.js';
import { SpecRun } from '../../spec/machine/spec-run.js';
import type { Spec } from '../../spec/spec.js';
import { Budget } from '../model/budget.js';
import { Disagreement, type Obstruction, type Search, type SearchResult } from '../model/search.js';
import type { LimitReason } from '../model/verdict.js';
import type { MonitorRefutation } from '../monitors/common/monitor.js';
import { ContainerRoles } from '../monitors/duplicates/versions.js';
import { monitored, monitorOf } from '../monitors/registry.js';
import { ObjectMachine, Part } from '../parts/part.js';
import { searchFor } from '../search/choose-search.js';
import { JitGraph } from '../search/generic/jit-graph.js';

/**
 * Limits of a search that visits all configurations, and of the decisions of prefixes, in which each operation that is
 * read counts as a step. Steps come first, so that the result is the same on every machine.
 */
const SEARCH_LIMITS = { maxSteps: 1_000_000, timeout: 10_000, maxMemory: 2 ** 29 };
const DECISION_LIMITS = { maxSteps: 4_000_000, timeout: 10_000, maxMemory: 2 ** 29 };
/** A search of a container has fewer steps: there are more states, and each is larger. */
const CONTAINER_LIMITS = { maxSteps: 20_000, timeout: 2_000, maxMemory: 2 ** 28 };
/** The nearby operations of a long history: those on values that were present during this many events. */
const NEARBY_EVENTS = 100;
const MAX_NEARBY = 2_000;
/** The distance before a known return grows by this factor. */
const GROWTH = 8;
/** Steps of a search that decides a prefix, if no monitor does. */
const PREFIX_STEPS = 30_000;

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

interface Refutation {
  readonly history: History;
  readonly refutation: MonitorRefutation;
}

/** Whether the values of a part can be omitted: it is a container. */
export const isContainer = ({ spec }: Part): boolean => monitorOf(spec)?.leaves !== undefined;

/** A budget for a search that visits all configurations of a prefix of a part; none if that takes too long. */
export function searchBudget(part: Part, { length }: History): Budget | undefined {
  if (!isContainer(part)) return new Budget(SEARCH_LIMITS);
  return length <= MAX_NEARBY ? new Budget(CONTAINER_LIMITS) : undefined;
}

/**
 * The first fault of a part that has no linearization by `last`, the moment of a return; `isFirst`: a search has found
 * that this is the first; `likely`: a return by which there is perhaps none.
 */
export function findFirstFault(
  part: Part,
  last: number,
  isFirst: boolean,
  likely: number = last,
): FirstFault {
  const { history } = part;
  const own = exhaust(part, history.prefix(last));
  if (own) return { ...located(part, own), isFirst: true, stopped: own, refutations: [] };
  const budget = new Budget(DECISION_LIMITS);
  const isEarlier =
    likely < last && Array.isArray(decidePrefix(part, history.prefix(likely), () => part.machine, budget));
  const known = isEarlier ? likely : last;
  const near = nearbyPart(part, known);
  const found = near && exhaust(near, upTo(near.history, history, known));
  const nearest = found ? located(part, found) : { moment: known, operation: operationAt(history, known) };
  const stopped = found && { stopped: found };
  if (isFirst)
    return {
      ...nearest,
      moment: known,
      operation: operationAt(history, known),
      isFirst: true,
      ...(nearest.moment === known && stopped),
      refutations: [],
    };
  const { moment, ...decided } = bisect(part, nearest.moment, budget);
  const operation = operationAt(history, moment);
  if (moment === nearest.moment && found) return { moment, operation, stopped: found, ...decided };
  const nearer = nearbyPart(part, moment);
  const again = nearer && exhaust(nearer, upTo(nearer.history, history, moment));
  const isThere = again !== undefined && located(part, again).moment === moment;
  return { moment, operation, ...(isThere && { stopped: again }), ...decided };
}

/** The search of a prefix without a linearization, if it ends within its budget. */
function exhaust(part: Part, prefix: History): StoppedSearch | undefined {
  const graph = new JitGraph(prefix, part.machine);
  const answer = searchBudget(part, prefix)?.run(graph, { otherBytes: () => part.objectMachine.bytes });
  if (typeof answer !== 'object') return undefined;
  if (answer.kind === 'linearizable') throw new Disagreement(prefix.columns.id[prefix.length - 1]);
  const { moment } = answer.refutation;
  // the search has seen the whole prefix; what comes after its return does not matter
  return {
    part,
    prefix: prefix.prefix(moment),
    refusal: answer.refutation,
    explored: { graph, history: prefix },
  };
}

const operationAt = ({ columns }: History, moment: number): number => columns.id[~columns.events[moment]];

function located({ history }: Part, { prefix, refusal }: StoppedSearch) {
  const operation = operationAt(prefix, refusal.moment);
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

type Bisected = Pick<FirstFault, 'moment' | 'isFirst' | 'refutations' | 'before'>;

/** The shortest prefix without a linearization, at growing distances before one, then by bisection. */
function bisect(part: Part, known: number, budget: Budget): Bisected {
  const { history } = part;
  const returns = range(known + 1).filter((m) => history.columns.events[m] < 0);
  let shortest = returns.length - 1;
  let longest = -1;
  let before: Int32Array | undefined = new Int32Array(0);
  let refutations: readonly Refutation[] = [];
  for (let distance = 1; shortest > longest + 1; distance *= GROWTH) {
    if (budget.reached) return { moment: returns[shortest], isFirst: false, refutations };
    const isGalloping = longest < 0 && shortest - distance > 0;
    const tried = isGalloping ? shortest - distance : (longest + shortest) >>> 1;
    const answer = decidePrefix(part, history.prefix(returns[tried]), () => part.machine, budget);
    if (answer === 'unknown') return { moment: returns[shortest], isFirst: false, refutations };
    if (answer instanceof Int32Array) [longest, before] = [tried, answer];
    else [shortest, refutations] = [tried, answer];
  }
  return { moment: returns[shortest], isFirst: true, refutations, ...(before && { before }) };
}

/**
 * A linearization of a prefix, as ids; refutations, one for each choice of operations that are cut off; or that it is
 * unknown. A refutation by a search is no data, so the list may be empty.
 */
export function decidePrefix(
  part: Part,
  prefix: History,
  machineOf: () => Machine,
  budget: Budget,
): Int32Array | readonly Refutation[] | 'unknown' {
  if (!prefix.columns.after && monitorOf(part.spec)) {
    const answer = decideByMonitor(part, prefix, budget);
    if (answer !== 'unknown') return answer;
  }
  const machine = machineOf();
  const search = searchFor({ history: prefix, machine }, []);
  const answer = budget.run(search, { pauseAt: PREFIX_STEPS, otherBytes: () => machine.bytes });
  if (typeof answer === 'string') return 'unknown';
  return answer.kind === 'linearizable' ? answer.witness.map((k) => prefix.columns.id[k]) : [];
}

/** The same by the monitor of the object, if it can read the prefix. */
export function decideByMonitor(
  part: Part,
  prefix: History,
  budget: Budget,
): Int32Array | readonly Refutation[] | 'unknown' {
  const { id, status, return: returned } = prefix.columns;
  const { machine } = part;
  const isCutOff = (k: number): boolean => returned[k] === NEVER && status[k] !== PENDING;
  const read = (history: History) => {
    budget.add({ steps: history.length, configurations: 0, searches: [] });
    const own = monitored(history, part.spec);
    if (!own || 'obstacle' in own) return undefined;
    const run = (search: Search) => budget.run(search) as SearchResult | LimitReason;
    return { history, result: own.reading.decide(run) };
  };
  // a monitor of a container reads a cut-off add as a pending one
  const roles = isContainer(part) ? new ContainerRoles(prefix, part.spec) : undefined;
  const changing: number[] = [];
  for (let k = 0; k < prefix.length; k++)
    if (isCutOff(k) && roles?.of(k) !== 'add' && !machine.isReadOnly(machine.letterOf(id[k])))
      changing.push(k);
  const isOmitted = (k: number): boolean => isCutOff(k) && roles?.of(k) !== 'add' && !changing.includes(k);
  if (changing.length > 0) {
    const relaxed = read(prefix.withUnknown(changing).settled(isOmitted, []));
    if (relaxed?.result.kind === 'violation')
      return [{ history: relaxed.history, refutation: relaxed.result.refutation }];
    if (relaxed?.result.kind === 'linearizable') {
      const order = relaxed.result.witness.map((k) => relaxed.history.columns.id[k]);
      if (isAllowed(prefix, part.spec, order)) return order;
    }
  }

  const refutations: Refutation[] = [];
  /** `returning` took effect, the others did not; `fixed` must stay so. */
  const decide = (
    returning: readonly number[],
    fixed: readonly number[],
  ): Int32Array | 'none' | 'unknown' => {
    if (budget.reached) return 'unknown';
    const isOut = (k: number): boolean => isOmitted(k) || (changing.includes(k) && !returning.includes(k));
    const history = prefix.settled(isOut, returning);
    const result = read(history)?.result;
    if (result?.kind === 'linearizable') return result.witness.map((k) => history.columns.id[k]);
    if (result?.kind !== 'violation') return 'unknown';
    refutations.push({ history, refutation: result.refutation });
    const isNamed = touchedBy(result.refutation, history, roles);
    const decided = [...fixed];
    for (const k of changing) {
      if (decided.includes(k) || !isNamed(k)) continue;
      decided.push(k);
      const isIn = returning.includes(k);
      const answer = decide(isIn ? returning.filter((own) => own !== k) : [...returning, k], decided);
      if (answer !== 'none') return answer;
    }
    return 'none';
  };
  const answer = decide([], []);
  return answer === 'none' ? refutations : answer;
}

/**
 * Whether an operation that is cut off could matter for a refutation: in a container, if it removes one of the values
 * that the refutation names. Other values can be omitted, and the contradiction stays.
 */
function touchedBy(
  refutation: MonitorRefutation,
  history: History,
  roles: ContainerRoles | undefined,
): (k: number) => boolean {
  if (!roles || !('cause' in refutation)) return () => true;
  const own = new ContainerRoles(history, { family: roles.family });
  const values = new Set(refutation.operations.map((k) => own.touched(k)));
  return (k) => values.has(roles.touched(k));
}

/** Whether the methods of a spec allow operations (ids) in sequence, with their recorded results. */
function isAllowed(history: History, spec: Spec, order: Int32Array): boolean {
  const run = new SpecRun(history, spec, () => true);
  const position = history.positionsById();
  return order.every((id) => run.step(position[id]));
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
