/**
 * Builds a counterexample from a search that stopped at a return: the smallest core by sound projections, and why.
 *
 * A part is a sound projection (locality). So is a prefix: an operation still open at its end may have taken effect or
 * not, but if it did, then with its known result. The prefix up to the return is the shortest one without a
 * linearization. `trim` makes it smaller.
 */

import { pick } from '../../base/collections/ints.js';
import type { History } from '../../history/history.js';
import { numberOfValue, RETURNED } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { DEAD } from '../../spec/machine/machine.js';
import type { Budget } from '../model/budget.js';
import type { LongestOrder, Obstruction } from '../model/search.js';
import type { Counterexample, Longest, Overwritten } from '../model/verdict.js';
import type { Part } from '../parts/part.js';
import { JitGraph } from '../search/generic/jit-graph.js';
import { type Allowed, collectAllowed, refusalsIn, resultsIn } from './allowed-outcomes.js';
import { type FirstFault, type StoppedSearch, searchBudget } from './first-fault.js';
import { shorten } from './shorten.js';
import { haveSameValues, trim } from './trim.js';

/** The counterexample for a return at which an exhaustive search stopped. */
export function fromStoppedSearch(
  whole: Budget,
  { part, prefix, refusal }: StoppedSearch,
  { operation, isFirst }: FirstFault,
  allowed: Allowed,
): Counterexample {
  const { machine } = part;
  // the core shows the results that are allowed without the operations on other values
  const shown = part.cuts.includes('values')
    ? collectAllowed(prefix, machine, operation, searchBudget(whole, part, prefix))
    : allowed;
  const refused = refusalsIn(machine, operation, refusal.states);
  const refutes = (rest: History, own: Budget): StoppedSearch | undefined => {
    const stopped = violates(part, rest, own);
    if (!stopped || !haveSameValues(refusalsIn(machine, operation, stopped.refusal.states), refused))
      return undefined;
    const said = collectAllowed(rest, machine, operation, own);
    return said.isSearched && haveSameValues(said.outcomes, shown.outcomes) ? stopped : undefined;
  };
  const trimmed = trim(whole, part, prefix, operation, refutes);
  const isLong = trimmed.core.length > MOST_READABLE;
  const overwritten = isLong ? overwrittenValue(part, prefix, operation) : undefined;
  const named = overwritten ? [overwritten.write, overwritten.by] : [];
  const { shortened, isMinimal } = isLong
    ? shorten(part, trimmed.core, operation, refutes, whole.explanation(SHORTEN_LIMITS), named)
    : { shortened: undefined, isMinimal: true };
  const { prefix: searched, refusal: last } = shortened?.evidence ?? trimmed.evidence ?? { prefix, refusal };
  return {
    part: part.name,
    core: shortened?.core ?? trimmed.core,
    cuts: [...part.cuts, 'prefix', ...trimmed.cuts, ...(shortened ? (['earlier'] as const) : [])],
    minimal: trimmed.minimal && isMinimal && shown.isSearched,
    isFirst,
    property: 'safety',
    allowedIsComplete: allowed.isComplete,
    cause: {
      kind: 'stuck',
      operation,
      allowed: allowed.outcomes,
      refused,
      longest: last.longest().map((order) => toLongest(part, searched.columns.id, operation, order)),
      ...(overwritten && { overwritten }),
    },
  };
}

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
  // if the returned operations have no linearization by themselves, these are no final states, and cores cannot be compared
  const isFinal = refusal.moment === core.complete().columns.events.length;
  const trimmed = isFinal
    ? trim(
        whole,
        part,
        core,
        operation,
        (rest, budget) => {
          const answer = budget.run(searchForWait(part, rest.complete(), operation));
          if (typeof answer === 'string' || answer.kind === 'linearizable') return undefined;
          const { allowed, refused } = saidOf(answer.refutation);
          return haveSameValues(allowed, said.allowed) && haveSameValues(refused, said.refused)
            ? answer.refutation
            : undefined;
        },
        ['reads'],
      )
    : { core, minimal: false, cuts: [] };
  return {
    part: part.name,
    core: trimmed.core,
    cuts: [...part.cuts, ...trimmed.cuts],
    minimal: trimmed.minimal,
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
