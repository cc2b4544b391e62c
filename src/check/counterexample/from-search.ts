/**
 * Builds a counterexample from the obstruction of a search: the smallest core by sound projections, and why.
 *
 * A projection is sound if "not linearizable" carries over to the whole history. Dropping a single operation is not:
 * an orphaned dequeue is incorrect by itself. A part is sound (locality). So is a prefix: an operation still open at
 * its end may have taken effect or not, but if it did, then with its known result. The search has shown that
 * linearizations reach the return at `moment` but none includes it, so the prefix up to there is the shortest one
 * without a linearization. The last projection omits reads. It only lets more linearizations reach that return, so
 * the core still ends in it.
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
 * The last projection: operations that change no state are omitted from a core if they do not matter.
 *
 * Claim: let r change no state: each step with its outcome leads from a state to the same state. If a history without
 * r is not linearizable, neither is the history. Proof: remove r from a linearization of the history. The others go
 * through the same states with the same outcomes, and precede and come "after" each other as before; so this is a
 * linearization of the rest. It holds for r pending or returned, and so, by induction, for many. (It fails for
 * an enqueue, even a pending one: it may explain a dequeue.)
 *
 * The rest may be linearizable: a read can be what excludes it. So each omission is tried by a search. And the rest
 * may allow results that the whole does not: a read can determine the order of two writes. A core must show why these
 * are incorrect too, so an omission stands only if the spec still says the same of the faulty operation, which itself
 * stays.
 *
 * By the claim, omitting more only makes both worse. So what cannot be omitted now never can, and halving finds a
 * minimal core:
 *
 *   a set of operations      step
 *   the rest shows as much   they are omitted
 *   it does not, and several each half in turn
 *   it does not, and one     it stays
 *
 * The spec declares which operations change no state: `readOnly` holds for every state. To have seen that an
 * operation changes none of the states of the core is not enough: another result of the faulty operation may lead to
 * other states.
 *
 * Cost: k · log n searches if k of n must stay, within limits.
 */

const MAX_OPERATIONS = 5_000;
const TRIM_LIMITS = { maxSteps: 1_000_000, timeout: 1_000, maxMemory: 2 ** 29 };

/** What the spec says of the faulty operation: the results it allows, and why it refuses others. */
interface SpecReply {
  readonly allowed: readonly Outcome[];
  readonly refused: readonly string[];
}

interface Trimming {
  readonly part: Part;
  readonly core: History;
  /** The faulty operation, and what the spec says of it. */
  readonly fault: number;
  readonly said: SpecReply;
  /** A search for a linearization of the rest, and what the spec says if there is none. */
  readonly search: (rest: History) => Search;
  readonly saidOf: (rest: History, refusal: Obstruction, budget: Budget) => SpecReply;
}

/** A core, and its obstruction if operations were omitted; `minimal`: no more can be omitted. */
interface Trimmed {
  readonly core: History;
  readonly refusal?: Obstruction;
  readonly minimal: boolean;
}

function omitReads({ part, core, fault, said, search, saidOf }: Trimming): Trimmed {
  const { id } = core.columns;
  // the operations that change no state, except the faulty one
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
      // a spec may throw in states that only the rest leads to
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

/** Whether two lists have the same values by content, in any order. Each list has each value once. */
function haveSameValues(these: readonly unknown[], those: readonly unknown[]): boolean {
  const known = new Interner();
  for (const value of those) known.intern(value);
  return these.length === those.length && these.every((value) => known.find(value) !== undefined);
}

/** Longer histories are not searched again. */
const MAX_EVENTS = 40_000;
/** Limits of the search for allowed results. */
const EXPLANATION_LIMITS = { maxSteps: 1_000_000, timeout: 2_000, maxMemory: 2 ** 29 };

/** The counterexample for a return that no linearization includes. */
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

/** The same obstruction from a search that knows all earlier states, if it finishes within the limits. */
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

/** A linearization and its state as data, and what the spec says there. */
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

/**
 * The counterexample for a stuck history in which an operation is pending, although it blocks in no linearization.
 */
export function fromNeedlessWait(part: Part, operation: number, refusal: Obstruction): Counterexample {
  const saidOf = (_: History, { states }: Obstruction): SpecReply => ({
    allowed: resultsIn(part, operation, states),
    refused: refusalsIn(part, operation, states),
  });
  const { history: core } = part;
  const said = saidOf(core, refusal);
  // if the returned operations have no linearization by themselves, these are no final states, and cores cannot be compared
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

/** Searches for a linearization of the returned operations after which an operation blocks. */
export function searchForWait({ machine }: Part, complete: History, operation: number): JitGraph {
  const letter = machine.letterOf(operation);
  return new JitGraph(complete, machine, { accepts: (state) => machine.mayBlock(state, letter) });
}
