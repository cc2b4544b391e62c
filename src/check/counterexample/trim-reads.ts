/**
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
import { Interner } from '../../base/values/interner.js';
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import { SpecError } from '../../spec/spec-error.js';
import { Budget } from '../model/budget.js';
import type { Refusal, Search } from '../model/search.js';
import type { Part } from '../parts/part.js';

const MOST_OPERATIONS = 5_000;
const TRYING = { steps: 1_000_000, milliseconds: 1_000, bytes: 2 ** 29 };

/** What the spec says of the operation at fault: the answers it allows, and why it refuses others. */
export interface Said {
  readonly allowed: readonly Outcome[];
  readonly refused: readonly string[];
}

export interface Trimming {
  readonly part: Part;
  readonly core: History;
  /** The operation at fault, and what the spec says of it. */
  readonly fault: number;
  readonly said: Said;
  /** A search for what should not be there, and what the spec says where it finds nothing. */
  readonly search: (rest: History) => Search;
  readonly saidOf: (rest: History, refusal: Refusal, budget: Budget) => Said;
}

/** A core, and the search's "no" to it if it was cut; `minimal`: no more could be left out. */
export interface Trimmed {
  readonly core: History;
  readonly refusal?: Refusal;
  readonly minimal: boolean;
}

export function withoutReads({ part, core, fault, said, search, saidOf }: Trimming): Trimmed {
  const { id } = core.columns;
  // the operations that change no state, but for the one at fault
  const isRead = (_: number, k: number) =>
    id[k] !== fault && part.machine.isReadOnly(part.machine.letterOf(id[k]));
  if (!id.some(isRead)) return { core, minimal: true };
  if (core.length > MOST_OPERATIONS) return { core, minimal: false };
  const reads = Array.from(id.keys()).filter(isRead);

  const budget = new Budget(TRYING);
  const refuses = (rest: History): Refusal | undefined => {
    try {
      const answer = budget.run(search(rest), { otherBytes: () => part.objectMachine.bytes });
      if (typeof answer === 'string' || answer.found) return undefined;
      const { allowed, refused } = saidOf(rest, answer, budget);
      return areSame(refused, said.refused) && areSame(allowed, said.allowed) ? answer : undefined;
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
function areSame(these: readonly unknown[], those: readonly unknown[]): boolean {
  const known = new Interner();
  for (const value of those) known.intern(value);
  return these.length === those.length && these.every((value) => known.find(value) !== undefined);
}
