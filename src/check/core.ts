/**
 * From a search's "no" to a counterexample: the smallest core by sound cuts, and why.
 *
 * A cut is sound when "no order explains it" carries over to the whole history.
 * Dropping one operation is not: an orphaned dequeue looks wrong by itself. A
 * part is (locality). So is a prefix: an operation still open where it is cut off
 * may have taken effect or not, but if it did, then with the result that is known.
 * The search has shown that orders reach the return at `moment` but none gets past
 * it; so the prefix up to there is the shortest one that has no order.
 */
import { Interner, pick } from '../base/index.js';
import type { Outcome } from '../history/index.js';
import { DEAD } from '../spec/index.js';
import { allowedOutcomes, answersIn, reasonsIn } from './allowed.js';
import { Budget } from './budget.js';
import type { Part } from './parts.js';
import type { LongestOrder, Refusal } from './search.js';
import type { Counterexample, Longest } from './verdict.js';

/** What may go into an explanation. */
const TRYING = { steps: 1_000_000, milliseconds: 2_000, bytes: 2 ** 29 };

/** No order gets past the return at this moment. */
export function wrongAnswer(part: Part, refusal: Refusal): Counterexample {
  const { history } = part;
  const operation = history.columns.id[~history.columns.events[refusal.moment]];
  return {
    part: part.name,
    core: history.prefix(refusal.moment),
    cuts: [...part.cuts, 'prefix'],
    minimal: true,
    property: 'safety',
    cause: {
      kind: 'stuck',
      operation,
      allowed: allowedOutcomes(part, history, operation, refusal, new Budget(TRYING)),
      refused: reasonsIn(part, operation, refusal.states),
      longest: refusal.longest().map((longest) => told(part, history.columns.id, operation, longest)),
    },
  };
}

/** An order in words, and what the spec says where it ends. */
function told({ machine }: Part, id: Int32Array, operation: number, { order, state }: LongestOrder): Longest {
  const letter = machine.letterOf(operation);
  const fits = machine.step(state, letter) !== DEAD;
  const outcomes = new Interner();
  if (!fits) for (const outcome of machine.expected(state, letter)) outcomes.intern(outcome);
  return {
    order: pick(id, order),
    state: machine.describe(state),
    answers: outcomes.values as Outcome[],
    waits: !fits && machine.blocks(state, letter),
    refused: fits ? [] : machine.reasonsIn(state, letter),
  };
}

/** Nothing moves any more, but no order of what returned leaves this operation waiting. */
export function needlessWait(part: Part, operation: number, { states }: Refusal): Counterexample {
  const outcomes = new Interner();
  answersIn(part, operation, states, outcomes);
  return {
    part: part.name,
    core: part.history,
    cuts: part.cuts,
    minimal: true,
    property: 'progress',
    cause: {
      kind: 'waits',
      operation,
      allowed: outcomes.values as Outcome[],
      refused: reasonsIn(part, operation, states),
    },
  };
}
