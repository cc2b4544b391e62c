/**
 * Builds a counterexample from a search that stopped at a return: the smallest core by sound projections, and why.
 *
 * A part is a sound projection (locality). So is a prefix: an operation still open at its end may have taken effect or
 * not, but if it did, then with its known result. The prefix up to the return is the shortest one without a
 * linearization. `trim` makes it smaller.
 */

import { pick } from '../../base/collections/ints.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import { DEAD } from '../../spec/machine/machine.js';
import type { Budget } from '../model/budget.js';
import type { LongestOrder, Obstruction } from '../model/search.js';
import type { Counterexample, Longest } from '../model/verdict.js';
import type { Part } from '../parts/part.js';
import { JitGraph } from '../search/generic/jit-graph.js';
import { type Allowed, collectAllowed, refusalsIn, resultsIn } from './allowed-outcomes.js';
import { type FirstFault, type StoppedSearch, searchBudget } from './first-fault.js';
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
  const trimmed = trim(whole, part, prefix, operation, (rest, own) => {
    const stopped = violates(part, rest, own);
    if (!stopped || !haveSameValues(refusalsIn(machine, operation, stopped.refusal.states), refused))
      return undefined;
    const said = collectAllowed(rest, machine, operation, own);
    return said.isSearched && haveSameValues(said.outcomes, shown.outcomes) ? stopped : undefined;
  });
  const { prefix: searched, refusal: last } = trimmed.evidence ?? { prefix, refusal };
  return {
    part: part.name,
    core: trimmed.core,
    cuts: [...part.cuts, 'prefix', ...trimmed.cuts],
    minimal: trimmed.minimal && shown.isSearched,
    isFirst,
    property: 'safety',
    allowedIsComplete: allowed.isComplete,
    cause: {
      kind: 'stuck',
      operation,
      allowed: allowed.outcomes,
      refused,
      longest: last.longest().map((order) => toLongest(part, searched.columns.id, operation, order)),
    },
  };
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
