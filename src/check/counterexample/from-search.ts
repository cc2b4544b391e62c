/**
 * From a search's "no" to a counterexample: the smallest core by sound cuts, and why.
 *
 * A cut is sound when "no order explains it" carries over to the whole history.
 * Dropping one operation is not: an orphaned dequeue looks wrong by itself. A
 * part is (locality). So is a prefix: an operation still open where it is cut off
 * may have taken effect or not, but if it did, then with the result that is known.
 * The search has shown that orders reach the return at `moment` but none gets past
 * it; so the prefix up to there is the shortest one that has no order. The last cut
 * leaves out reads: `trim-reads.ts` says why that is sound. It only lets more orders reach
 * that return, so the core ends in it still.
 */
import { pick } from '../../base/collections/ints.js';
import { Interner } from '../../base/values/interner.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import { DEAD } from '../../spec/machine/machine.js';
import { Budget } from '../model/budget.js';
import type { LongestOrder, Refusal } from '../model/search.js';
import type { Counterexample, Longest } from '../model/verdict.js';
import type { Part } from '../parts/part.js';
import { JitGraph } from '../search/generic/jit-graph.js';
import { allowedOutcomes, answersIn, reasonsIn } from './allowed-outcomes.js';
import { type Said, type Trimmed, withoutReads } from './trim-reads.js';

/** Longer histories are not searched again. */
const MOST_EVENTS = 40_000;
/** What may go into finding what is allowed. */
const TRYING = { steps: 1_000_000, milliseconds: 2_000, bytes: 2 ** 29 };

/** No order gets past the return at this moment. */
export function wrongAnswer(part: Part, given: Refusal): Counterexample {
  const { history, machine } = part;
  const refusal = given.remembers ? given : remembering(part, given);
  const operation = history.columns.id[~history.columns.events[refusal.moment]];
  const prefix = history.prefix(refusal.moment);
  const saidOf = (searched: History, no: Refusal, budget: Budget, cut?: History): Said => ({
    allowed: allowedOutcomes(part, searched, operation, no, budget, cut),
    refused: reasonsIn(part, operation, no.states),
  });
  const said = saidOf(history, refusal, new Budget(TRYING), prefix);
  const trimmed = withoutReads({
    part,
    core: prefix,
    fault: operation,
    said,
    search: (rest) => new JitGraph(rest, machine),
    saidOf,
  });
  const { id } = (trimmed.refusal ? trimmed.core : history).columns;
  const longest = (trimmed.refusal ?? refusal).longest();
  return {
    part: part.name,
    core: trimmed.core,
    cuts: [...part.cuts, 'prefix', ...(trimmed.refusal ? (['reads'] as const) : [])],
    minimal: trimmed.minimal,
    property: 'safety',
    cause: {
      kind: 'stuck',
      operation,
      ...said,
      longest: longest.map((order) => told(part, id, operation, order)),
    },
  };
}

/** The same refusal by a search that knows more to tell, if it comes to it in time. */
function remembering({ history, machine }: Part, refusal: Refusal): Refusal {
  const { moment } = refusal;
  if (moment > MOST_EVENTS) return refusal;
  const budget = new Budget(TRYING);
  const answer = budget.run(new JitGraph(history.prefix(moment), machine), {
    otherBytes: () => machine.bytes,
  });
  return typeof answer === 'string' || answer.found || answer.moment !== moment ? refusal : answer;
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
export function needlessWait(part: Part, operation: number, refusal: Refusal): Counterexample {
  const saidOf = (_: History, { states }: Refusal): Said => ({
    allowed: answersIn(part, operation, states),
    refused: reasonsIn(part, operation, states),
  });
  const { history: core } = part;
  const said = saidOf(core, refusal);
  // where what returned has no order by itself, those states are of no end, and cuts can not be compared
  const trimmed: Trimmed =
    refusal.moment < core.complete().columns.events.length
      ? { core, minimal: false }
      : withoutReads({
          part,
          core,
          fault: operation,
          said,
          search: (rest) => searchForWait(part, rest.complete(), operation),
          saidOf,
        });
  return {
    part: part.name,
    core: trimmed.core,
    cuts: [...part.cuts, ...(trimmed.refusal ? (['reads'] as const) : [])],
    minimal: trimmed.minimal,
    property: 'progress',
    cause: { kind: 'waits', operation, ...said },
  };
}

/** Looks for an order of what returned after which an operation has to wait. */
export function searchForWait({ machine }: Part, complete: History, operation: number): JitGraph {
  const letter = machine.letterOf(operation);
  return new JitGraph(complete, machine, { accepts: (state) => machine.blocks(state, letter) });
}
