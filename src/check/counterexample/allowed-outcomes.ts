/**
 * The results that an operation could have had instead, in a history without a linearization.
 *
 * Linearizations reach certain states before its return; the results of the spec there are allowed, because the
 * operation could take effect right then. But it could also have taken effect at an earlier return while it was open,
 * with a result that the search refused. The results of the spec in those states are candidates; a candidate is
 * allowed exactly when the history up to the return is linearizable with it. Each is tried by a search, within
 * limits. (So is everything if operations come "after" others: those may not have taken effect yet.) In a very long
 * history only the states at the return itself are used.
 */
import { Interner } from '../../base/values/interner.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import { Machine } from '../../spec/machine/machine.js';
import type { Budget } from '../model/budget.js';
import type { Obstruction } from '../model/search.js';
import type { Part } from '../parts/part.js';
import { JitGraph } from '../search/generic/jit-graph.js';

const LONG_HISTORY = 20_000;
const MAX_STATES = 1_000;
const MAX_CANDIDATES = 50;

/**
 * The outcomes, each once; `history` is what was searched, `prefix` ends in the return that no linearization
 * includes.
 */
export function allowedOutcomes(
  part: Part,
  history: History,
  operation: number,
  refusal: Obstruction,
  budget: Budget,
  prefix: History = history.prefix(refusal.moment),
): Outcome[] {
  const k = prefix.positionsById()[operation];
  const call = history.columns.call[history.positionsById()[operation]];
  const isLong = prefix.length > LONG_HISTORY;
  const isSure = prefix.columns.after === undefined;

  const outcomes = new Interner();
  const recorded = outcomes.intern(prefix.outcome(k));
  resultsIn(part, operation, refusal.states, outcomes);
  const sure = isSure || isLong ? outcomes.values.length : 0;
  if (!isLong) resultsIn(part, operation, refusal.statesSince(call), outcomes);

  return (outcomes.values as Outcome[]).slice(0, sure + MAX_CANDIDATES).filter((outcome, number) => {
    if (number === recorded) return false;
    if (number < sure) return true;
    const changed = prefix.withOutcome(k, outcome);
    const answer = budget.run(new JitGraph(changed, new Machine(changed, part.spec)));
    return typeof answer !== 'string' && answer.kind === 'linearizable';
  });
}

/** Why the spec refuses the operation in these states, each reason once. */
export function refusalsIn({ machine }: Part, operation: number, states: readonly number[]): string[] {
  const letter = machine.letterOf(operation);
  return [...new Set(states.slice(0, MAX_STATES).flatMap((state) => machine.refusalReasons(state, letter)))];
}

/** The results of the spec in these states, each outcome once, after those that are there already. */
export function resultsIn(
  { machine }: Part,
  operation: number,
  states: readonly number[],
  outcomes: Interner = new Interner(),
): Outcome[] {
  for (const state of states.slice(0, MAX_STATES))
    for (const outcome of machine.allowedOutcomes(state, machine.letterOf(operation)))
      outcomes.intern(outcome);
  return outcomes.values as Outcome[];
}
