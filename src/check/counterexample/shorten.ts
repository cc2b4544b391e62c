/**
 * Leaves out early operations of a core that lead to states which fewer operations lead to as well.
 *
 * A *configuration* at a moment is a state and the open operations that have taken effect. Pending operations take
 * effect directly before the first one that depends on them (effects.ts), and as few as possible do. Let C be
 * all such configurations of the core just before the faulty operation is called. One *covers* another if it differs
 * only in that fewer pending operations have taken effect.
 *
 *   Claim: if a selection of the core has all operations that are open then or called later, covers all configurations
 *   in C, and has no linearization, then the core has none either.
 *   Proof: a linearization of the core passes through a configuration of C. The selection covers it, and the same
 *   operations follow. So the selection would have a linearization.
 *
 * The configurations of both are computed by the definition, event by event, and compared. So whatever proposes a
 * selection, it is sound:
 *
 *   without loops    for each configuration in C, the operations that lead to it, without those between two equal
 *                    states. If an object returns to a state often, few are left
 *   by halves        delta debugging: lots of operations are left out, then their halves, then single ones
 *
 * Cost: within the budget; each selection costs its events times the configurations between them.
 */
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import { DEAD, type Machine } from '../../spec/machine/machine.js';
import { SpecError } from '../../spec/spec.js';
import type { Budget } from '../model/budget.js';
import type { Part } from '../parts/parts.js';

/** At most this many configurations are compared, and steps are taken for one selection. */
const MAX_CONFIGURATIONS = 500;
const MAX_STEPS = 100_000;

/** The operations that led to a configuration, latest first. */
interface Path {
  readonly k: number;
  readonly state: number;
  readonly before: Path | undefined;
}

interface Configuration {
  readonly state: number;
  /** The open operations that have taken effect, ascending: those that return, and pending ones. */
  readonly done: readonly number[];
  readonly used: readonly number[];
  readonly path: Path | undefined;
}

/** A shorter core; `evidence` is what was found of it. */
interface Shortened<E> {
  readonly core: History;
  readonly evidence: E;
}

/**
 * Tries to leave out operations that returned before `fault` (an id) was called, except `kept` (ids). `refutes` returns
 * evidence that the rest shows as much, or undefined. Undefined if nothing can be left out. `isMinimal` is false if the
 * budget ended first, or there are too many configurations.
 */
export function shorten<E>(
  { machine }: Part,
  core: History,
  fault: number,
  refutes: (rest: History, budget: Budget) => E | undefined,
  budget: Budget,
  kept: readonly number[] = [],
): { readonly shortened: Shortened<E> | undefined; readonly isMinimal: boolean } {
  const { id, call, return: returned } = core.columns;
  const from = call[core.positionsById()[fault]];
  const early = Array.from(id.keys()).filter((k) => returned[k] < from && !kept.includes(id[k]));
  if (early.length === 0) return { shortened: undefined, isMinimal: true };
  const all = core.columns.after ? undefined : configurationsAt(core, machine, fault, budget);
  if (!all) return { shortened: undefined, isMinimal: false };

  let shortened: Shortened<E> | undefined;
  const isLeft = new Uint8Array(core.length).fill(1);
  /** Evidence of a selection that is sound. */
  const evidenceOf = (rest: History): E | undefined => {
    try {
      const own = configurationsAt(rest, machine, fault, budget);
      return own && isCovered(all, core, own, rest) ? refutes(rest, budget) : undefined;
    } catch (error) {
      // a spec may throw in states that only the rest leads to
      if (error instanceof SpecError) return undefined;
      throw error;
    }
  };
  /** Leaves out a lot of operations, if that is sound and shows as much. */
  const leaveOut = (lot: readonly number[]): boolean => {
    for (const k of lot) isLeft[k] = 0;
    const rest = core.select((k) => isLeft[k] === 1);
    const evidence = evidenceOf(rest);
    if (evidence && !budget.isSpent && !budget.reached) {
      shortened = { core: rest, evidence };
      return true;
    }
    for (const k of lot) isLeft[k] = 1;
    return false;
  };

  const needed = new Set(all.flatMap(({ path }) => withoutLoops(path, machine.initial)));
  leaveOut(early.filter((k) => !needed.has(k)));
  const remaining = (): number[] => early.filter((k) => isLeft[k] === 1);
  const lots = [remaining()];
  for (let lot = lots.pop(); lot && !budget.reached; lot = lots.pop()) {
    if (lot.length === 0 || leaveOut(lot)) continue;
    const half = lot.length >>> 1;
    if (half > 0) lots.push(lot.slice(half), lot.slice(0, half));
  }
  // what had to stay may be left out after others were
  while (!budget.reached && remaining().some((k) => leaveOut([k]))) {}
  return { shortened, isMinimal: !budget.reached && !budget.isSpent };
}

/**
 * The configurations just before an operation (an id) is called, without those that others cover; undefined if there
 * are too many.
 */
function configurationsAt(
  history: History,
  machine: Machine,
  operation: number,
  budget: Budget,
): readonly Configuration[] | undefined {
  const { call, events, return: returned } = history.columns;
  const letters = machine.lettersOf(history);
  const until = call[history.positionsById()[operation]];
  const open: number[] = [];
  let current = new Configurations();
  current.add({ state: machine.initial, done: [], used: [], path: undefined });
  let steps = 0;

  /** Lets an open operation take effect, after as many pending ones as it depends on, and adds the results. */
  const extend = (
    { state, done, used, path }: Configuration,
    before: number | undefined,
    into: Configuration[],
  ): boolean => {
    const pending = new Set<number>();
    for (const k of open) {
      if (done.includes(k) || used.includes(k)) continue;
      const isPending = returned[k] === NEVER;
      // of equal pending operations, the one called first goes first
      if (isPending && pending.size === pending.add(letters[k]).size) continue;
      if (++steps > MAX_STEPS) return false;
      const next = machine.step(state, letters[k]);
      if (next === DEAD || (before !== undefined && machine.step(before, letters[k]) === next)) continue;
      const reached = { state: next, path: { k, state: next, before: path } };
      if (!isPending) into.push({ ...reached, done: withOne(done, k), used });
      else if (next !== state && !extend({ ...reached, done, used: withOne(used, k) }, state, into))
        return false;
    }
    return true;
  };
  const close = (): boolean => {
    const waiting = current.all();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const reached: Configuration[] = [];
      if (!extend(next, undefined, reached)) return false;
      waiting.push(...reached.filter((configuration) => current.add(configuration)));
      if (current.size > MAX_CONFIGURATIONS) return false;
    }
    return true;
  };

  let isComplete = true;
  for (let moment = 0; moment < until && isComplete; moment++) {
    const event = events[moment];
    if (event >= 0) {
      open.push(event);
      continue;
    }
    isComplete = close();
    const k = ~event;
    open.splice(open.indexOf(k), 1);
    const after = new Configurations();
    for (const configuration of current.all())
      if (configuration.done.includes(k))
        after.add({ ...configuration, done: configuration.done.filter((own) => own !== k) });
    current = after;
  }
  isComplete &&= close();
  budget.add({ steps, configurations: 0, searches: [] });
  return isComplete ? current.all() : undefined;
}

const withOne = (list: readonly number[], k: number): number[] => [...list, k].sort((a, b) => a - b);

/** A set of configurations, without those that others cover. */
class Configurations {
  readonly #groups = new Map<string, Configuration[]>();
  size = 0;

  /** False if another configuration covers it. */
  add(configuration: Configuration): boolean {
    const key = `${configuration.state} ${configuration.done.join()}`;
    const group = this.#groups.get(key) ?? [];
    if (group.some(({ used }) => isSubset(used, configuration.used))) return false;
    const left = group.filter(({ used }) => !isSubset(configuration.used, used));
    this.size += 1 + left.length - group.length;
    this.#groups.set(key, [...left, configuration]);
    return true;
  }

  all(): Configuration[] {
    return [...this.#groups.values()].flat();
  }
}

const isSubset = (some: readonly number[], all: readonly number[]): boolean =>
  some.every((k) => all.includes(k));

/** Whether configurations of a selection cover those of the history. */
function isCovered(
  all: readonly Configuration[],
  history: History,
  own: readonly Configuration[],
  selection: History,
): boolean {
  const idsOf = (of: History, list: readonly number[]): number[] => list.map((k) => of.columns.id[k]);
  const known = own.map(({ state, done, used }) => ({
    state,
    done: idsOf(selection, done).join(),
    used: idsOf(selection, used),
  }));
  return all.every(({ state, done, used }) => {
    const key = idsOf(history, done).join();
    const ids = idsOf(history, used);
    return known.some((by) => by.state === state && by.done === key && isSubset(by.used, ids));
  });
}

/** The operations of a path that are left if every detour from a state back to itself is omitted. */
function withoutLoops(path: Path | undefined, initial: number): number[] {
  const left: { k: number; state: number }[] = [];
  const all: Path[] = [];
  for (let step = path; step; step = step.before) all.push(step);
  const depth = new Map<number, number>([[initial, 0]]);
  for (const { k, state } of all.reverse()) {
    const known = depth.get(state);
    if (known === undefined) {
      left.push({ k, state });
      depth.set(state, left.length);
    } else for (const { state: dropped } of left.splice(known)) depth.delete(dropped);
  }
  return left.map(({ k }) => k);
}
