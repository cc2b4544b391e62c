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
import { allowedOutcomes, answersIn } from './allowed.js';
import type { Part } from './parts.js';
import type { Refusal } from './search.js';
import type { Counterexample } from './verdict.js';

/** No order gets past the return at this moment. */
export function wrongAnswer(part: Part, refusal: Refusal): Counterexample {
  const { moment, longest } = refusal;
  const core = part.history.prefix(moment);
  const operation = part.history.columns.id[~part.history.columns.events[moment]];
  const [{ order, state }] = longest();
  return {
    part: part.name,
    core,
    cuts: [...part.cuts, 'prefix'],
    minimal: true,
    property: 'safety',
    cause: {
      kind: 'stuck',
      operation,
      allowed: allowedOutcomes(part, core, operation, refusal),
      longest: { order: pick(part.history.columns.id, order), state: part.machine.describe(state) },
    },
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
    cause: { kind: 'waits', operation, allowed: outcomes.values as Outcome[] },
  };
}
