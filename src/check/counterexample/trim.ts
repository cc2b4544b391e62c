/**
 * Makes a core as small as sound projections allow.
 *
 * A projection is sound if "not linearizable" carries over to the whole history. Dropping a single operation is not:
 * an orphaned dequeue is incorrect by itself. Two projections are:
 *
 *   an operation that changes no state    Claim: if a history without it is not linearizable, neither is the history.
 *                                         Proof: remove it from a linearization of the history. The others go through
 *                                         the same states with the same outcomes, and precede and come "after" each
 *                                         other as before. It holds for pending operations, and so for many in turn.
 *   all operations on a value of a        In a linearization of a container, all operations on a value can be omitted.
 *   container, except an initial value    A pending removal that removed the value then never took effect. The value
 *                                         must differ from the result of an empty container: otherwise it is not known
 *                                         which operations are on it.
 *
 * The rest may be linearizable: a read can be what excludes it. So each omission is tried by a search. If the core
 * shows the allowed results, the rest may allow more: a read can determine the order of two writes. Then an omission
 * stands only if the spec still says the same of the faulty operation, which itself stays.
 *
 * Omitting more only makes both worse. So what cannot be omitted now never can, and halving finds a minimal core:
 *
 *   a set of units           step
 *   the rest shows as much   they are omitted
 *   it does not, and several each half in turn
 *   it does not, and one     it stays
 *
 * The spec declares which operations change no state: `readOnly` holds for every state. To have seen that an operation
 * changes none of the states of the core is not enough, because another result may lead to other states.
 *
 * Cost: k · log n searches if k of n units must stay, within limits.
 */
import { Interner } from '../../base/values/interner.js';
import type { History } from '../../history/history.js';
import { SpecError } from '../../spec/spec.js';
import type { Budget } from '../model/budget.js';
import { ContainerRoles } from '../monitors/duplicates/epochs.js';
import type { Part } from '../parts/parts.js';
import { isContainer } from './prefixes.js';

const MAX_OPERATIONS = 5_000;
const LIMITS = { maxSteps: 500_000, maxMemory: 2 ** 29 };

/** A smaller core; `evidence` is what was found of it, absent if nothing was omitted. */
export interface Trimmed<E> {
  readonly core: History;
  readonly evidence?: E;
  /** Whether nothing more can be omitted. */
  readonly minimal: boolean;
  /** What was omitted. */
  readonly cuts: readonly ('reads' | 'values')[];
}

/**
 * Omits what `refutes` does not need: it returns evidence that the rest shows as much, or undefined. `fault`: the id
 * of the operation that stays; `whole`: the budget of the check.
 */
export function trim<E>(
  whole: Budget,
  part: Part,
  core: History,
  fault: number,
  refutes: (rest: History, budget: Budget) => E | undefined,
  cutsToTry: readonly Unit['cut'][] = ['values', 'reads'],
): Trimmed<E> {
  const units = unitsOf(part, core, fault).filter(({ cut }) => cutsToTry.includes(cut));
  if (units.length === 0) return { core, minimal: true, cuts: [] };
  if (core.length > MAX_OPERATIONS) return { core, minimal: false, cuts: [] };
  const budget = whole.explanation(LIMITS);
  const tried = (rest: History): E | undefined => {
    try {
      return refutes(rest, budget);
    } catch (error) {
      // a spec may throw in states that only the rest leads to
      if (error instanceof SpecError) return undefined;
      throw error;
    }
  };

  let trimmed: Omit<Trimmed<E>, 'minimal'> = { core, cuts: [] };
  const cuts = new Set<Unit['cut']>();
  const kept = new Uint8Array(core.length).fill(1);
  const mark = (lot: readonly Unit[], value: number): void => {
    for (const { operations } of lot) for (const k of operations) kept[k] = value;
  };
  const lots = [units];
  for (let lot = lots.pop(); lot; lot = lots.pop()) {
    mark(lot, 0);
    const rest = core.select((k) => kept[k] === 1);
    const evidence = tried(rest);
    if (budget.reached || budget.isSpent) return { ...trimmed, minimal: false };
    if (evidence) {
      for (const { cut } of lot) cuts.add(cut);
      trimmed = { core: rest, evidence, cuts: [...cuts] };
      continue;
    }
    mark(lot, 1);
    const half = lot.length >>> 1;
    if (half > 0) lots.push(lot.slice(half), lot.slice(0, half));
  }
  return { ...trimmed, minimal: true };
}

/** Operations of a core that can be omitted together. */
interface Unit {
  readonly cut: 'reads' | 'values';
  readonly operations: readonly number[];
}

/** Values first: their reads are omitted with them. */
function unitsOf(part: Part, core: History, fault: number): Unit[] {
  const { machine } = part;
  const { id } = core.columns;
  const units: Unit[] = [];
  const reads: Unit[] = [];
  const ofValue = new Map<number, number[]>();
  const roles = isContainer(part) ? new ContainerRoles(core, part.spec) : undefined;
  for (let k = 0; k < core.length; k++) {
    const value = roles?.touched(k) ?? -1;
    if (value >= 0) ofValue.set(value, [...(ofValue.get(value) ?? []), k]);
    if (id[k] !== fault && machine.isReadOnly(machine.letterOf(id[k])))
      reads.push({ cut: 'reads', operations: [k] });
  }
  for (const [value, operations] of ofValue)
    if (
      value !== roles?.nothing &&
      !roles?.initial.includes(value) &&
      !operations.some((k) => id[k] === fault)
    )
      units.push({ cut: 'values', operations });
  return [...units, ...reads];
}

/** Whether two lists have the same values by content, in any order. Each list has each value once. */
export const haveSameValues = (these: readonly unknown[], those: readonly unknown[]): boolean =>
  these.length === those.length && areAmong(these, those);

/** Whether all values of a list are in another one, by content. */
export function areAmong(these: readonly unknown[], those: readonly unknown[]): boolean {
  const known = new Interner();
  for (const value of those) known.intern(value);
  return these.every((value) => known.find(value) !== undefined);
}
