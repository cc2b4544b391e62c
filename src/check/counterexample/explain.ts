/**
 * Builds the counterexample of a violation, whatever decided it: the faulty operation (`findFirstFault`), the results
 * that were allowed, and the reason.
 *
 * The best reason is a contradiction that a monitor found and that ends in the faulty operation: it names few
 * operations, and all others are omitted. Each candidate is verified: by `verifyCause`, and by a search of these
 * operations up to the return. Otherwise the reason is that a search stopped at the return.
 */
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { Machine } from '../../spec/machine/machine.js';
import type { Budget } from '../model/budget.js';
import type { Obstruction } from '../model/search.js';
import type { Counterexample } from '../model/verdict.js';
import type { Contradiction, MonitorRefutation } from '../monitors/common/monitor.js';
import { ContainerRoles } from '../monitors/duplicates/epochs.js';
import { monitored, verifyCause } from '../monitors/registry.js';
import type { Part } from '../parts/parts.js';
import { partAmong } from '../parts/parts.js';
import { isMergeable } from '../search/merged-values.js';
import { type Allowed, collectAllowed, refusalsIn, resultsIn } from './allowed-outcomes.js';
import {
  type FirstFault,
  findFirstFault,
  nearbyPart,
  operationStopping,
  type StoppedSearch,
  searchBudget,
  searchNearby,
  stateAfter,
  upTo,
} from './first-fault.js';
import { fromReturn, fromStoppedSearch, needsEach } from './from-search.js';
import { decideByMonitor, decidePrefix, isContainer } from './prefixes.js';
import { trim } from './trim.js';

/** Limits of the decisions about allowed results, and of the searches that verify a reason. */
const LIMITS = { maxSteps: 4_000_000, maxMemory: 2 ** 29 };

/** The results of a container without a monitor are decided one by one if its history is at most this long. */
const MAX_MERGED = 200;

/** The counterexample for a violation that a search found. `whole`, here and below: the budget of the check. */
export function fromObstruction(whole: Budget, part: Part, refusal: Obstruction): Counterexample {
  const fault = findFirstFault(whole, part, refusal.moment, true);
  const allowed = allowedAt(whole, part, fault, () => refusal.states);
  const stopped = stoppedAt(whole, part, fault);
  if (stopped) return fromStoppedSearch(whole, stopped, fault, allowed);
  const { id } = part.history.columns;
  const longest = refusal.longest().map(({ order, state }) => ({ order: order.map((k) => id[k]), state }));
  return fromReturn(part, fault, allowed, longest);
}

/** The counterexample for a violation that a monitor found. */
export function fromRefutation(whole: Budget, part: Part, refutation: MonitorRefutation): Counterexample {
  const { operations, among } = namedBy(refutation);
  const isWhole = part.spec.part !== undefined && !part.cuts.includes('part');
  const own = among && isWhole ? partAmong(part, operations[0], among) : part;
  const { id, return: returned } = part.history.columns;
  const moments = operations.map((k) => returned[k]).filter((moment) => moment !== NEVER);
  const last = id[operations.find((k) => returned[k] === Math.max(...moments)) ?? operations[0]];
  const { history } = own;
  const known = history.columns.return[history.positionsById()[last]];
  const blamed = 'cause' in refutation ? refutation.cause.operation : last;
  const likely = history.columns.return[history.positionsById()[blamed]];
  const fault = findFirstFault(whole, own, known, false, likely);
  const allowed = allowedAt(whole, own, fault, () => statesBefore(own, fault));
  const given = fromContradiction(whole, own, part.history, refutation, fault, allowed);
  if (given && isCalledBy(given.core, own.history, fault.moment)) return given;
  // what the monitor says of the history up to the faulty return
  const decided =
    fault.refutations.length > 0
      ? fault.refutations
      : decideByMonitor(own, history.prefix(fault.moment), whole.explanation(LIMITS));
  for (const candidate of Array.isArray(decided) ? decided : []) {
    const explained = fromContradiction(whole, own, candidate.history, candidate.refutation, fault, allowed);
    if (explained) return explained;
  }
  if (given) return given;
  const stopped = stoppedAt(whole, own, fault);
  if (stopped) return fromStoppedSearch(whole, stopped, fault, allowed);
  // the first fault is unknown, and so is what was allowed at another operation
  if (!fault.isFirst && 'cause' in refutation) {
    const blamed = { ...fault, operation: refutation.cause.operation };
    const unsure = fromContradiction(whole, own, part.history, refutation, blamed, {
      outcomes: [],
      isComplete: false,
      isSearched: false,
    });
    if (unsure) return unsure;
  }
  const { before } = fault;
  return fromReturn(own, fault, allowed, before ? [{ order: before, state: stateAfter(own, before) }] : []);
}

/** Whether all operations of a core were called by a moment of the history. Later ones only show what became of a value. */
function isCalledBy(core: History, history: History, moment: number): boolean {
  const { call } = history.columns;
  const position = history.positionsById();
  return core.columns.id.every((id) => call[position[id]] <= moment);
}

/** A search that stops at the fault: of the part, or of its nearby operations. */
function stoppedAt(
  whole: Budget,
  part: Part,
  { stopped, moment, operation }: FirstFault,
): StoppedSearch | undefined {
  const found = stopped ?? searchNearby(whole, part, moment);
  return found && operationStopping(found) === operation ? found : undefined;
}

/** The operations without a linearization that a refutation names. */
function namedBy(refutation: MonitorRefutation) {
  const { among } = refutation;
  return 'cause' in refutation
    ? { operations: refutation.operations, among }
    : { operations: [refutation.operation], among };
}

/* The allowed results. */

/**
 * By one search of the prefix. If that takes too long and the part is a container, each value that was present shortly
 * before is tried: first without the operations on distant values, which excludes most, then with all operations.
 * `states`: some states before the return, if all else takes too long.
 */
function allowedAt(whole: Budget, part: Part, fault: FirstFault, states: () => readonly number[]): Allowed {
  const { history, machine } = part;
  const { operation, moment } = fault;
  const prefix = history.prefix(moment);
  const explored = fault.stopped?.part === part ? fault.stopped.explored : undefined;
  // what has not been explored takes too long to explore again
  const budget = explored && searchBudget(whole, part, prefix);
  const known = collectAllowed(prefix, machine, operation, budget, explored);
  if (known.isSearched) return known;
  const near = nearbyPart(part, moment);
  const tried = near
    ? allowedByDecisions(whole, part, prefix, near, upTo(near.history, history, moment), operation)
    : isMergeable(part.spec) && prefix.length <= MAX_MERGED
      ? allowedByDecisions(whole, part, prefix, part, prefix, operation)
      : undefined;
  if (tried) return tried;
  const some = prefix.columns.after ? [] : resultsIn(machine, operation, states());
  return {
    outcomes: known.outcomes.length > 0 ? known.outcomes : some,
    isComplete: false,
    isSearched: false,
  };
}

/** Undefined if some result stays undecided, or the operation is not one that removes or sees a value. */
function allowedByDecisions(
  whole: Budget,
  part: Part,
  prefix: History,
  near: Part,
  nearby: History,
  operation: number,
): Allowed | undefined {
  const roles = new ContainerRoles(nearby, part.spec);
  if (roles.of(nearby.positionsById()[operation]) === 'add') return undefined;
  const budget = whole.explanation(LIMITS);
  const isPossible = (own: Part, cut: History, outcome: Outcome): boolean | undefined => {
    const changed = cut.withOutcome(cut.positionsById()[operation], outcome);
    const answer = decidePrefix(own, changed, () => new Machine(changed, part.spec), budget);
    return answer === 'unknown' || budget.reached ? undefined : answer instanceof Int32Array;
  };
  const { initial = [], empty } = part.spec.family ?? {};
  const values = new Set(initial as readonly unknown[]);
  for (let k = 0; k < nearby.length; k++) if (roles.of(k) === 'add') values.add(nearby.args(k)[0]);
  const isWhole = nearby.length === prefix.length;
  const outcomes: Outcome[] = [];
  for (const value of [empty, ...values]) {
    const outcome: Outcome = { kind: 'returned', value };
    const isAllowed = isPossible(near, nearby, outcome) && (isWhole || isPossible(part, prefix, outcome));
    if (isAllowed === undefined) return undefined;
    if (isAllowed) outcomes.push(outcome);
  }
  return { outcomes, isComplete: true, isSearched: true };
}

/** The state before the fault, if a linearization is known. */
const statesBefore = (part: Part, { before }: FirstFault): number[] =>
  before ? [stateAfter(part, before)] : [];

/** Why the spec refuses the faulty operation. A search that visits all states is made only if it refuses in some. */
function refusedAt(whole: Budget, part: Part, fault: FirstFault): string[] {
  const { machine } = part;
  const { operation } = fault;
  const some = [machine.initial, ...statesBefore(part, fault)];
  const mayRefuse = fault.stopped || refusalsIn(machine, operation, some).length > 0;
  const stopped = mayRefuse && stoppedAt(whole, part, fault);
  return stopped ? refusalsIn(machine, operation, stopped.refusal.states) : [];
}

/* The reason by a monitor. */

/**
 * Undefined if the contradiction is none about the faulty operation. A monitor may name another one of the operations
 * that contradict each other; whether the cause also holds of the faulty one is verified.
 */
function fromContradiction(
  whole: Budget,
  part: Part,
  history: History,
  refutation: MonitorRefutation,
  fault: FirstFault,
  allowed: Allowed,
): Counterexample | undefined {
  const { moment, operation, isFirst } = fault;
  const asBlaming = (found: MonitorRefutation, from: History): Contradiction | undefined =>
    'cause' in found && found.operations.some((k) => from.columns.id[k] === operation)
      ? { ...found, cause: { ...found.cause, operation } }
      : undefined;
  const contradiction = asBlaming(refutation, history);
  if (!contradiction) return undefined;
  const budget = whole.explanation(LIMITS);
  // a core starts in the initial state, so operations on initial values stay, and pending ones that may have removed them
  const roles = isContainer(part) ? new ContainerRoles(part.history, part.spec) : undefined;
  const initial = new Set(roles?.initial);
  const isOnInitial = (k: number): boolean =>
    roles !== undefined &&
    initial.size > 0 &&
    (initial.has(roles.touched(k)) || roles.isOpenRemoval(k)) &&
    part.history.columns.call[k] <= moment;
  /** Whether operations have no linearization by the faulty return. */
  const isContradictory = (some: History, own: Budget): boolean => {
    const cut = upTo(some, part.history, moment);
    return Array.isArray(decidePrefix(part, cut, () => part.machine, own));
  };
  const verified = (found: Contradiction, from: History): History | undefined => {
    const kept = new Set(found.operations.map((k) => from.columns.id[k]));
    const core = part.history.select((k) => kept.has(part.history.columns.id[k]) || isOnInitial(k));
    const upToFault = found.cause.kind === 'unreached' ? part.history.prefix(moment) : part.history;
    return verifyCause(upToFault, part.spec, found.cause) && isContradictory(core, budget) ? core : undefined;
  };
  const core = verified(contradiction, history);
  if (!core) return undefined;
  const trimmed = trim(whole, part, core, operation, (rest, own) => {
    if (!isContradictory(rest, own)) return undefined;
    const again = monitored(rest, part.spec);
    const result = again && 'reading' in again ? again.reading.decide(() => 'steps') : undefined;
    const smaller = result?.kind === 'violation' && asBlaming(result.refutation, rest);
    return smaller && verified(smaller, rest) ? smaller : undefined;
  });
  const refused = refusedAt(whole, part, fault);
  const isCut = isCalledBy(trimmed.core, part.history, moment);
  const needed = trim(
    whole,
    part,
    trimmed.core,
    operation,
    (rest, own) => isContradictory(rest, own) || undefined,
  );
  return {
    part: part.name,
    core: trimmed.core,
    cuts: [...new Set([...part.cuts, 'values' as const, ...trimmed.cuts])],
    minimal:
      trimmed.minimal &&
      isCut &&
      needed.minimal &&
      needed.evidence === undefined &&
      needsEach(whole, part, upTo(trimmed.core, part.history, moment), operation),
    isFirst,
    property: 'safety',
    allowedIsComplete: allowed.isComplete,
    cause: { ...(trimmed.evidence ?? contradiction).cause, allowed: allowed.outcomes, refused },
  };
}
