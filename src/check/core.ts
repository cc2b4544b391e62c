/**
 * From a search's "no" to a counterexample: the smallest core by sound cuts, and why.
 *
 * A cut is sound when "no order explains it" carries over to the whole history.
 * Dropping one operation is not: an orphaned dequeue looks wrong by itself. A
 * part is (locality). So is a prefix: an operation still open where it is cut off
 * may have taken effect or not, but if it did, then with the result that is known.
 * The search has shown that orders reach the return at `moment` but none gets past
 * it; so the prefix up to there is the shortest one that has no order.
 *
 * The longest order comes from a second search, of all but that return, which
 * has an answer. It has a budget of its own: an explanation never loses a verdict.
 */
import { Interner, pick } from '../base/index.js';
import type { Outcome } from '../history/index.js';
import { DEAD } from '../spec/index.js';
import { Budget } from './budget.js';
import type { Part } from './parts.js';
import type { Refusal } from './search.js';
import { JitGraph } from './searches/jit-graph.js';
import type { Counterexample, Longest } from './verdict.js';

const EXPLAINING = { steps: 5_000_000, milliseconds: 5_000, bytes: 1 << 30 };
/** States asked for what they would have allowed. */
const MOST_STATES = 1_000;

/** No order gets past the return at this moment. */
export function wrongAnswer(part: Part, { moment, states }: Refusal): Counterexample {
  const core = part.history.prefix(moment);
  const operation = core.columns.id[~core.columns.events[moment]];
  const longest = longestOrder(part, moment);
  return {
    part: part.name,
    core,
    cuts: [...part.cuts, 'prefix'],
    minimal: true,
    property: 'safety',
    cause: {
      kind: 'stuck',
      operation,
      allowed: allowed(part, operation, states),
      ...(longest && { longest }),
    },
  };
}

/** Nothing moves any more, but no order of what returned leaves this operation waiting. */
export function needlessWait(part: Part, operation: number, { states }: Refusal): Counterexample {
  return {
    part: part.name,
    core: part.history,
    cuts: part.cuts,
    minimal: true,
    property: 'progress',
    cause: { kind: 'waits', operation, allowed: allowed(part, operation, states) },
  };
}

/** What the spec would have answered, each outcome once. */
function allowed({ machine }: Part, operation: number, states: readonly number[]): Outcome[] {
  const outcomes = new Interner();
  for (const state of states.slice(0, MOST_STATES))
    for (const outcome of machine.expected(state, machine.letterOf(operation))) outcomes.intern(outcome);
  return outcomes.values as Outcome[];
}

function longestOrder({ history, machine }: Part, moment: number): Longest | undefined {
  const before = history.prefix(moment - 1);
  const answer = new Budget(EXPLAINING).run(new JitGraph(before, machine), () => 0);
  if (typeof answer === 'string' || !answer.found) return undefined;
  const order = pick(before.columns.id, answer.order);
  let state = machine.initial;
  for (const operation of order) if (state !== DEAD) state = machine.step(state, machine.letterOf(operation));
  return { order, state: machine.describe(state) };
}
