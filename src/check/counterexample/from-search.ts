/**
 * Builds a counterexample from a search that stopped at a return: the smallest core by sound projections, and why.
 *
 * A part is a sound projection (locality). So is a prefix: an operation still open at its end may have taken effect or
 * not, but if it did, then with its known result. The prefix up to the return is the shortest one without a
 * linearization. `trim` makes it smaller.
 */

import { pick } from '../../base/collections/ints.js';
import type { History } from '../../history/history.js';
import { NEVER, numberOfValue, RETURNED } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { DEAD } from '../../spec/machine/machine.js';
import { SpecError } from '../../spec/spec.js';
import type { Budget } from '../model/budget.js';
import type { LongestOrder, Obstruction } from '../model/search.js';
import type { Counterexample, Longest, Overwritten } from '../model/verdict.js';
import type { Part } from '../parts/parts.js';
import { JitGraph } from '../search/generic/jit-graph.js';
import { type Allowed, collectAllowed, refusalsIn, resultsIn } from './allowed-outcomes.js';
import { type FirstFault, operationStopping, type StoppedSearch, searchBudget } from './first-fault.js';
import { shorten } from './shorten.js';
import { areAmong, haveSameValues, type Trimmed, trim } from './trim.js';

/** The counterexample for a return at which an exhaustive search stopped. */
export function fromStoppedSearch(
  whole: Budget,
  stopped: StoppedSearch,
  { operation, isFirst }: FirstFault,
  allowed: Allowed,
): Counterexample {
  const { part, prefix, refusal } = stopped;
  const { machine } = part;
  // the core shows the results that are allowed without the operations on other values
  const shown = part.cuts.includes('values')
    ? collectAllowed(prefix, machine, operation, searchBudget(whole, part, prefix))
    : allowed;
  const said = { outcomes: shown.outcomes, refused: refusalsIn(machine, operation, refusal.states) };
  const needed = prefix.length > MOST_SEARCHED ? neededOperations(stopped) : undefined;
  const isLess = needed !== undefined && needed.length < prefix.length;
  const refutes = refutesLike(part, operation, said, isLess ? areAmong : haveSameValues);
  const trimmed: Reduced = trim(whole, part, isLess ? needed : prefix, operation, refutes);
  const cut: Reduced = isLess ? { ...trimmed, cuts: ['pending', ...trimmed.cuts] } : trimmed;
  const isLong = isLess || cut.core.length > MOST_READABLE;
  const overwritten = isLong ? overwrittenValue(part, prefix, operation) : undefined;
  const named = overwritten ? [overwritten.write, overwritten.by] : [];
  const shorter = isLong ? reduce(whole, part, cut, operation, said, named) : cut;
  const { prefix: searched, refusal: last } = shorter.evidence ?? stopped;
  return {
    part: part.name,
    core: shorter.core,
    cuts: [...part.cuts, 'prefix', ...shorter.cuts],
    minimal: shorter.minimal && shown.isSearched && needsEach(whole, part, shorter.core, operation),
    isFirst,
    property: 'safety',
    allowedIsComplete: allowed.isComplete,
    cause: {
      kind: 'stuck',
      operation,
      allowed: allowed.outcomes,
      refused: said.refused,
      longest: last.longest().map((order) => toLongest(part, searched.columns.id, operation, order)),
      ...(overwritten && { overwritten }),
    },
  };
}

/** What a core shows of the faulty operation: the allowed results, and why the spec refuses the recorded one. */
interface Said {
  readonly outcomes: readonly Outcome[];
  readonly refused: readonly string[];
}

/** Whether a core has no linearization, and the spec says the same of the faulty operation, or part of it. */
function refutesLike(part: Part, operation: number, said: Said, compare: Compare) {
  const { machine } = part;
  return (rest: History, own: Budget): StoppedSearch | undefined => {
    const stopped = violates(part, rest, own);
    if (!stopped || !compare(refusalsIn(machine, operation, stopped.refusal.states), said.refused))
      return undefined;
    const { isSearched, outcomes } = collectAllowed(rest, machine, operation, own);
    return isSearched && compare(outcomes, said.outcomes) ? stopped : undefined;
  };
}

type Compare = (these: readonly unknown[], those: readonly unknown[]) => boolean;

/** A reduced core. */
interface Reduced extends Omit<Trimmed<StoppedSearch>, 'cuts'> {
  readonly cuts: readonly ('reads' | 'values' | 'earlier' | 'pending')[];
}

/**
 * Leaves out early operations, and pending ones that no other depends on. With fewer reads fewer writes are needed, so
 * both in turn. Without a pending operation, the core may show fewer of the allowed results, but never another one.
 */
function reduce(
  whole: Budget,
  part: Part,
  trimmed: Reduced,
  operation: number,
  said: Said,
  named: readonly number[],
): Reduced {
  const budget = whole.explanation(SHORTEN_LIMITS);
  const refutes = refutesLike(part, operation, said, areAmong);
  for (let reduced = trimmed; ; ) {
    const stopped = reduced.evidence ?? violates(part, reduced.core, budget);
    const needed = stopped && neededOperations(stopped);
    const isLess = needed !== undefined && needed.length < reduced.core.length;
    const evidence = isLess ? refutes(needed, budget) : undefined;
    if (isLess && evidence) {
      const again = trim(whole, part, needed, operation, refutes);
      const cuts = new Set([...reduced.cuts, 'pending' as const, ...again.cuts]);
      reduced = { evidence, ...again, cuts: [...cuts] };
    } else if (reduced !== trimmed || isLess)
      return { ...reduced, minimal: reduced.minimal && needed !== undefined && !isLess };
    const { shortened, isMinimal } = shorten(part, reduced.core, operation, refutes, budget, named);
    const minimal = reduced.minimal && isMinimal;
    if (!shortened) return { ...reduced, minimal };
    reduced = { ...shortened, minimal, cuts: [...new Set([...reduced.cuts, 'earlier' as const])] };
  }
}

/**
 * The operations that a search visited, without the pending ones that no other depends on (effects.ts): if a
 * history has a linearization, then one without them. Undefined if they are not known.
 */
function neededOperations({ prefix, explored: { graph, history } }: StoppedSearch): History | undefined {
  const { after, return: returned } = prefix.columns;
  const isSame = history.columns.events.length === prefix.columns.events.length;
  if (after || !isSame) return undefined;
  const { neededPending } = graph;
  return prefix.select((k) => returned[k] !== NEVER || neededPending.has(k));
}

/** Of a longer prefix, only pending operations that others depend on are searched again. */
const MOST_SEARCHED = 100;
/** A core of this many operations is not shortened: how its state came about is worth showing. */
const MOST_READABLE = 12;
/** Steps of the search for a shorter core. */
const SHORTEN_LIMITS = { maxSteps: 500_000, maxMemory: 2 ** 29 };

/**
 * The last write of the value that a read of a register, or of a key, returned, and an operation that replaced the
 * value: it was called after the write had returned, and had returned before the read was called.
 */
function overwrittenValue({ spec }: Part, prefix: History, operation: number): Overwritten | undefined {
  const { kind, roles = {} } = spec.family ?? {};
  const isMap = kind === 'map';
  if (!isMap && kind !== 'register' && kind !== 'cas-register') return undefined;
  const { columns, tables } = prefix;
  const { id, method, argumentStart, argument, status, result, call, return: returned } = columns;
  const k = prefix.positionsById()[operation];
  const nameOf = (own: number): string => tables.methods[method[own]];
  if (nameOf(k) !== (isMap ? roles.get : roles.read) || status[k] !== RETURNED) return undefined;
  const written = (own: number): number | undefined => {
    if (status[own] !== RETURNED || returned[own] >= call[k]) return undefined;
    if (nameOf(own) === (isMap ? roles.put : roles.write)) return argument[argumentStart[own + 1] - 1];
    return isMap && nameOf(own) === roles.remove && tables.values.values[result[own]] === true
      ? numberOfValue(tables, spec.family?.initial)
      : undefined;
  };
  const all = Array.from(id.keys()).filter((own) => written(own) !== undefined);
  const write = all.findLast((own) => written(own) === result[k]);
  const by =
    write === undefined
      ? undefined
      : all.findLast((own) => call[own] > returned[write] && written(own) !== result[k]);
  return write === undefined || by === undefined ? undefined : { write: id[write], by: id[by] };
}

/** Of a core of more operations, it is not tried whether each is needed. */
const MOST_SINGLE = 1_000;
/** Steps of the searches that leave out one operation each. */
const SINGLE_LIMITS = { maxSteps: 200_000, maxMemory: 2 ** 29 };

/**
 * Whether no operation of a core can be left out: without any one of them, the rest is linearizable up to the faulty
 * return (the last of the core), fails at another return, or the spec says something else of the faulty operation; or
 * no order gives its results, even if all operations overlap, although one gives those of the core.
 */
export function needsEach(whole: Budget, part: Part, core: History, operation: number): boolean {
  if (core.length > MOST_SINGLE) return false;
  const { machine } = part;
  const budget = whole.explanation(SINGLE_LIMITS);
  const stopped = violates(part, core, budget);
  const { outcomes, isSearched } = collectAllowed(core, machine, operation, budget);
  if (!stopped || !isSearched) return false;
  const refused = refusalsIn(machine, operation, stopped.refusal.states);
  const saysAsMuch = refutesLike(part, operation, { outcomes, refused }, haveSameValues);
  const isPossible = (some: History): boolean => !violates(part, some.withoutOrder(), budget);
  return isEachNeeded(core, operation, budget, (rest) => {
    const found = saysAsMuch(rest, budget);
    if (!found || operationStopping(found) !== operation) return false;
    return isPossible(rest) || !isPossible(core);
  });
}

/** False also if the budget is spent. Cost: one search of the core for each operation. */
function isEachNeeded(
  core: History,
  operation: number,
  budget: Budget,
  saysAsMuch: (rest: History) => boolean,
): boolean {
  return core.columns.id.every((own, k) => {
    if (own === operation) return true;
    try {
      return !saysAsMuch(core.select((other) => other !== k)) && !budget.isSpent && !budget.reached;
    } catch (error) {
      // a spec may throw in states that only the rest leads to
      if (error instanceof SpecError) return true;
      throw error;
    }
  });
}

/** The search of a core that may have a linearization, if it has none. */
function violates(part: Part, core: History, budget: Budget): StoppedSearch | undefined {
  const search = new JitGraph(core, part.machine);
  const answer = budget.run(search, { otherBytes: () => part.objectMachine.bytes });
  return typeof answer === 'object' && answer.kind === 'violation'
    ? { part, prefix: core, refusal: answer.refutation, explored: { graph: search, history: core } }
    : undefined;
}

/** The counterexample for a return that was found without an exhaustive search; `longest`: orders of ids. */
export function fromReturn(
  part: Part,
  { operation, moment, isFirst }: FirstFault,
  allowed: Allowed,
  longest: readonly LongestOrder[],
): Counterexample {
  const { history } = part;
  const base = {
    part: part.name,
    core: history.prefix(moment),
    cuts: [...part.cuts, 'prefix'] as const,
    minimal: false,
    isFirst,
    property: 'safety' as const,
    allowedIsComplete: allowed.isComplete,
  };
  if (longest.length === 0)
    return { ...base, cause: { kind: 'late', operation, allowed: allowed.outcomes, refused: [] } };
  const { machine } = part;
  return {
    ...base,
    cause: {
      kind: 'stuck',
      operation,
      allowed: allowed.outcomes,
      refused: refusalsIn(
        machine,
        operation,
        longest.map(({ state }) => state),
      ),
      longest: longest.map(({ order, state }) => ({ order, ...stateInWords(part, operation, state) })),
    },
  };
}

/** A linearization and its state as data, and what the spec says there. */
function toLongest(part: Part, id: Int32Array, operation: number, { order, state }: LongestOrder): Longest {
  return { order: pick(id, order), ...stateInWords(part, operation, state) };
}

function stateInWords({ machine }: Part, operation: number, state: number): Omit<Longest, 'order'> {
  const letter = machine.letterOf(operation);
  const fits = machine.step(state, letter) !== DEAD;
  return {
    state: machine.describe(state),
    answers: fits ? [] : machine.results(state, letter).map(({ outcome }) => outcome),
    waits: !fits && machine.mayBlock(state, letter),
    refused: fits ? [] : machine.refusalReasons(state, letter),
  };
}

/**
 * The counterexample for a stuck history in which an operation is pending, although it blocks in no linearization.
 */
export function fromNeedlessWait(
  whole: Budget,
  part: Part,
  operation: number,
  refusal: Obstruction,
): Counterexample {
  const { history: core, machine } = part;
  const saidOf = ({ states }: Obstruction): { allowed: Outcome[]; refused: string[] } => ({
    allowed: resultsIn(machine, operation, states),
    refused: refusalsIn(machine, operation, states),
  });
  const said = saidOf(refusal);
  const saysAsMuch = (rest: History, budget: Budget): Obstruction | undefined => {
    const answer = budget.run(searchForWait(part, rest.complete(), operation));
    if (typeof answer === 'string' || answer.kind === 'linearizable') return undefined;
    const { allowed, refused } = saidOf(answer.refutation);
    return haveSameValues(allowed, said.allowed) && haveSameValues(refused, said.refused)
      ? answer.refutation
      : undefined;
  };
  // if the returned operations have no linearization by themselves, these are no final states, and cores cannot be compared
  const isFinal = refusal.moment === core.complete().columns.events.length;
  const trimmed = isFinal
    ? trim(whole, part, core, operation, saysAsMuch, ['reads'])
    : { core, minimal: false, cuts: [] };
  const budget = whole.explanation(SINGLE_LIMITS);
  const isRefuted = (rest: History): boolean => saysAsMuch(rest, budget) !== undefined;
  return {
    part: part.name,
    core: trimmed.core,
    cuts: [...part.cuts, ...trimmed.cuts],
    minimal:
      trimmed.minimal &&
      trimmed.core.length <= MOST_SINGLE &&
      isEachNeeded(trimmed.core, operation, budget, isRefuted),
    isFirst: true,
    property: 'progress',
    allowedIsComplete: refusal.isExhaustive,
    cause: { kind: 'waits', operation, ...said },
  };
}

/** Searches for a linearization of the returned operations after which an operation blocks. */
export function searchForWait({ machine }: Part, complete: History, operation: number): JitGraph {
  const letter = machine.letterOf(operation);
  return new JitGraph(complete, machine, { accepts: (state) => machine.mayBlock(state, letter) });
}
