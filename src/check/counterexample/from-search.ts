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
import { SpecError } from '../../spec/spec.js';
import { Budget } from '../model/budget.js';
import type { LongestOrder, Obstruction, Search } from '../model/search.js';
import type { Counterexample, Longest } from '../model/verdict.js';
import type { Part } from '../parts/part.js';
import { JitGraph } from '../search/generic/jit-graph.js';
import { allowedOutcomes, refusalsIn, resultsIn } from './allowed-outcomes.js';

/*
 * The last cut: operations that change no state are left out of a core, where they do not matter.
 *
 * Claim: let r change no state, which means that each step with its outcome leads from
 * a state to that same state. If a history without r has no order, the history has none.
 * Proof: take r out of an order of the history. The others go through the same states
 * with the same outcomes, and precede and come "after" each other as before; so this
 * is an order of the rest. It holds for r pending or returned, and so, one after
 * another, for many. (It fails for an enqueue, even a pending one: it may be what
 * explains a dequeue.)
 *
 * The rest may well have an order: a read can be what rules it out. So each cut is
 * tried by a search. And the rest may allow answers that the whole does not: a read
 * can be what tells in which order two writes took effect. A core must show why these
 * are wrong too; so a cut stands only where the spec still says the same of the
 * operation at fault, which itself stays.
 *
 * Both only get worse with more left out, by the claim. So what can not be left out
 * now never can, and halving finds a core of which nothing more can be left out:
 *
 *   a lot of operations      what happens
 *   the rest shows as much   they are left out
 *   it does not, and several each half in turn
 *   it does not, and one     it stays
 *
 * Which change no state, the spec declares: `readOnly` is of every state. To have seen
 * that an operation changes none of the states that the core leads to is not enough:
 * another answer of the operation at fault may lead to others, and then what is allowed
 * depends on it.
 *
 * Cost: k · log n searches where k of n have to stay, within a budget.
 */

const MAX_OPERATIONS = 5_000;
const TRIM_LIMITS = { maxSteps: 1_000_000, timeout: 1_000, maxMemory: 2 ** 29 };

/** What the spec says of the operation at fault: the answers it allows, and why it refuses others. */
interface SpecReply {
  readonly allowed: readonly Outcome[];
  readonly refused: readonly string[];
}

interface Trimming {
  readonly part: Part;
  readonly core: History;
  /** The operation at fault, and what the spec says of it. */
  readonly fault: number;
  readonly said: SpecReply;
  /** A search for what should not be there, and what the spec says where it finds nothing. */
  readonly search: (rest: History) => Search;
  readonly saidOf: (rest: History, refusal: Obstruction, budget: Budget) => SpecReply;
}

/** A core, and the search's "no" to it if it was cut; `minimal`: no more could be left out. */
interface Trimmed {
  readonly core: History;
  readonly refusal?: Obstruction;
  readonly minimal: boolean;
}

function omitReads({ part, core, fault, said, search, saidOf }: Trimming): Trimmed {
  const { id } = core.columns;
  // the operations that change no state, but for the one at fault
  const isRead = (_: number, k: number) =>
    id[k] !== fault && part.machine.isReadOnly(part.machine.letterOf(id[k]));
  if (!id.some(isRead)) return { core, minimal: true };
  if (core.length > MAX_OPERATIONS) return { core, minimal: false };
  const reads = Array.from(id.keys()).filter(isRead);

  const budget = new Budget(TRIM_LIMITS);
  const refuses = (rest: History): Obstruction | undefined => {
    try {
      const answer = budget.run(search(rest), { otherBytes: () => part.objectMachine.bytes });
      if (typeof answer === 'string' || answer.kind === 'linearizable') return undefined;
      const { refutation } = answer;
      const { allowed, refused } = saidOf(rest, refutation, budget);
      return haveSameValues(refused, said.refused) && haveSameValues(allowed, said.allowed)
        ? refutation
        : undefined;
    } catch (error) {
      // a spec need not cope with states that only the rest leads to
      if (error instanceof SpecError) return undefined;
      throw error;
    }
  };

  let trimmed: Omit<Trimmed, 'minimal'> = { core };
  const kept = new Uint8Array(core.length).fill(1);
  const lots = [reads];
  for (let lot = lots.pop(); lot; lot = lots.pop()) {
    for (const k of lot) kept[k] = 0;
    const rest = core.select((k) => kept[k] === 1);
    const refusal = refuses(rest);
    if (budget.isSpent) return { ...trimmed, minimal: false };
    if (refusal) {
      trimmed = { core: rest, refusal };
      continue;
    }
    for (const k of lot) kept[k] = 1;
    const half = lot.length >>> 1;
    if (half > 0) lots.push(lot.slice(half), lot.slice(0, half));
  }
  return { ...trimmed, minimal: true };
}

/** Are these values the same as those, by content, whatever their order? Each list has each value once. */
function haveSameValues(these: readonly unknown[], those: readonly unknown[]): boolean {
  const known = new Interner();
  for (const value of those) known.intern(value);
  return these.length === those.length && these.every((value) => known.find(value) !== undefined);
}

/** Longer histories are not searched again. */
const MAX_EVENTS = 40_000;
/** What may go into finding what is allowed. */
const EXPLANATION_LIMITS = { maxSteps: 1_000_000, timeout: 2_000, maxMemory: 2 ** 29 };

/** No order gets past the return at this moment. */
export function fromObstruction(part: Part, given: Obstruction): Counterexample {
  const { history, machine } = part;
  const refusal = given.hasAllEarlierStates ? given : withAllStates(part, given);
  const operation = history.columns.id[~history.columns.events[refusal.moment]];
  const prefix = history.prefix(refusal.moment);
  const saidOf = (searched: History, no: Obstruction, budget: Budget, cut?: History): SpecReply => ({
    allowed: allowedOutcomes(part, searched, operation, no, budget, cut),
    refused: refusalsIn(part, operation, no.states),
  });
  const said = saidOf(history, refusal, new Budget(EXPLANATION_LIMITS), prefix);
  const trimmed = omitReads({
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
      longest: longest.map((order) => toLongest(part, id, operation, order)),
    },
  };
}

/** The same refusal by a search that knows more to tell, if it comes to it in time. */
function withAllStates({ history, machine }: Part, refusal: Obstruction): Obstruction {
  const { moment } = refusal;
  if (moment > MAX_EVENTS) return refusal;
  const budget = new Budget(EXPLANATION_LIMITS);
  const answer = budget.run(new JitGraph(history.prefix(moment), machine), {
    otherBytes: () => machine.bytes,
  });
  return typeof answer === 'object' && answer.kind === 'violation' && answer.refutation.moment === moment
    ? answer.refutation
    : refusal;
}

/** An order in words, and what the spec says where it ends. */
function toLongest(
  { machine }: Part,
  id: Int32Array,
  operation: number,
  { order, state }: LongestOrder,
): Longest {
  const letter = machine.letterOf(operation);
  const fits = machine.step(state, letter) !== DEAD;
  const outcomes = new Interner();
  if (!fits) for (const outcome of machine.allowedOutcomes(state, letter)) outcomes.intern(outcome);
  return {
    order: pick(id, order),
    state: machine.describe(state),
    answers: outcomes.values as Outcome[],
    waits: !fits && machine.mayBlock(state, letter),
    refused: fits ? [] : machine.refusalReasons(state, letter),
  };
}

/** Nothing moves any more, but no order of what returned leaves this operation waiting. */
export function fromNeedlessWait(part: Part, operation: number, refusal: Obstruction): Counterexample {
  const saidOf = (_: History, { states }: Obstruction): SpecReply => ({
    allowed: resultsIn(part, operation, states),
    refused: refusalsIn(part, operation, states),
  });
  const { history: core } = part;
  const said = saidOf(core, refusal);
  // where what returned has no order by itself, those states are of no end, and cuts can not be compared
  const trimmed: Trimmed =
    refusal.moment < core.complete().columns.events.length
      ? { core, minimal: false }
      : omitReads({
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
  return new JitGraph(complete, machine, { accepts: (state) => machine.mayBlock(state, letter) });
}
