/**
 * Matchings: which duplicate each result gives, if that is unclear.
 *
 * A removal takes one duplicate of its epoch, and no two take the same; a peek sees one that has not left before.
 * If some operations contradict each other under the current matching, they do so under all matchings that agree on
 * the duplicates of these operations: in a linearization, all operations on other duplicates can be omitted. Such a
 * clash is stored. Epochs that never clash with one another are matched independently, so a local change leaves the
 * others as they were. If an epoch, or several that clash, have no matching left without a clash, these operations
 * have no linearization.
 *
 * Cost: the matchings of a few duplicates that clash, each tried at most once; bounded by `stepBudget`.
 */

import { UnionFind } from '../../../base/collections/int-set.js';
import { NEVER } from '../../../history/model/columns.js';
import { type Epochs, INITIAL } from './epochs.js';
import { Clash, type Matching, NO_PARTNER, type Pool, Pools, UNMATCHED } from './pools.js';

export class Matchings {
  readonly #epochs: Epochs;
  readonly #pools: Pools;
  readonly #matching: Matching;
  readonly #clashes: Clash[] = [];
  /** Pools that clash with one another. */
  readonly #together: UnionFind;
  readonly #stepBudget: StepBudget;

  constructor(
    epochs: Epochs,
    unclear: readonly number[],
    { leaves, stepBudget }: { readonly leaves: 'first' | 'last'; readonly stepBudget: number },
  ) {
    this.#epochs = epochs;
    this.#stepBudget = { left: stepBudget };
    const pools = new Pools(epochs, unclear);
    this.#pools = pools;
    this.#together = new UnionFind(pools.all.length);
    this.#matching = {
      remover: new Int32Array(pools.adder.length).fill(NO_PARTNER),
      duplicate: new Int32Array(pools.operation.length).fill(UNMATCHED),
    };
    for (const { epoch, firstDuplicate } of pools.all)
      for (const [k, adder] of guessOf(epochs, epoch, leaves))
        this.#matching.duplicate[pools.placeOf(k) as number] =
          adder === INITIAL ? firstDuplicate : (pools.duplicateOf(adder) as number);
  }

  /** An initial matching; or the operations that have none; or the step budget is exceeded. */
  begin(): 'matched' | 'too long' | readonly number[] {
    for (const pool of this.#pools.all)
      if (!rematch(this.#pools, [pool], [], this.#matching, this.#stepBudget))
        return this.#stepBudget.left <= 0 ? 'too long' : this.#upTo(pool.epoch);
    return 'matched';
  }

  /**
   * The operation that added what an operation adds or returns, if that was unclear; undefined if it is unmatched.
   */
  adderOf(k: number): number | undefined {
    const place = this.#pools.placeOf(k);
    if (place === undefined) return k;
    return this.#pools.adder[this.#matching.duplicate[place]];
  }

  /**
   * Another matching, in which these operations need not contradict each other. Otherwise: they do in every matching
   * ('always'), or together with other operations on the same duplicates, which are returned; or the step budget is
   * exceeded.
   */
  avoid(operations: readonly number[]): 'matched' | 'always' | 'too long' | readonly number[] {
    const clash = new Clash(this.#pools, this.#matching, operations, this.#leftAtFirst());
    if (clash.pools.length === 0) return 'always';
    if (clash.places.length === 0) return operations;
    this.#clashes.push(clash);
    for (const pool of clash.pools) this.#together.union(pool, clash.pools[0]);
    const root = this.#together.find(clash.pools[0]);
    const own = this.#clashes.filter(({ pools }) => this.#together.find(pools[0]) === root);
    const pools = this.#pools.all.filter((_, number) => this.#together.find(number) === root);
    if (rematch(this.#pools, pools, own, this.#matching, this.#stepBudget)) return 'matched';
    return this.#stepBudget.left <= 0 ? 'too long' : own.flatMap((other) => other.operations);
  }

  /** Initial duplicates that are never removed: they may obstruct without any operation. */
  #leftAtFirst(): number[] {
    const { all, adder } = this.#pools;
    return all
      .map(({ firstDuplicate }) => firstDuplicate)
      .filter(
        (duplicate) => adder[duplicate] === INITIAL && this.#matching.remover[duplicate] === NO_PARTNER,
      );
  }

  /** All operations on its value, up to its end: earlier removals of duplicates are part of the reason. */
  #upTo(epoch: number): number[] {
    const { previous } = this.#epochs;
    const own = [...this.#epochs.members(epoch)];
    return previous[epoch] < 0 ? own : [...this.#upTo(previous[epoch]), ...own];
  }
}

interface StepBudget {
  left: number;
}

/**
 * Finds another matching of some pools without a clash, near the current one. Changes the matching in place. False if there
 * is none, or the budget is exceeded.
 *
 * A depth-first search gives each place a duplicate: the one it had, or one that was added shortly before or after
 * that. The places of the latest clashes come first, so that they change and others follow. If nothing fits,
 * the search jumps back to the last place that is responsible: one that has a suitable duplicate, or is in a clash.
 *
 *   P. Prosser. Hybrid algorithms for the constraint satisfaction problem. 1993: conflict-directed backjumping.
 *
 * Cost: exponential in the worst case in the places that clash; `stepBudget` bounds the duplicates that are examined.
 */
function rematch(
  pools: Pools,
  chosen: readonly Pool[],
  clashes: readonly Clash[],
  matching: Matching,
  stepBudget: StepBudget,
): boolean {
  const { remover, duplicate } = matching;
  const places = inOrder(pools, chosen, clashes);
  const had = places.map((place) => duplicate[place]);
  for (const { firstDuplicate, endDuplicate, firstPlace, endPlace } of chosen) {
    remover.fill(NO_PARTNER, firstDuplicate, endDuplicate);
    duplicate.fill(UNMATCHED, firstPlace, endPlace);
  }
  const depthOf = new Map(places.map((place, depth) => [place, depth]));
  const clashesAt = byLastPlace(clashes, depthOf);
  const tried = new Int32Array(places.length);
  /** For each depth, the depths that are responsible for what did not fit. */
  const responsible: Set<number>[] = places.map(() => new Set());

  const release = (place: number): void => {
    if (duplicate[place] !== UNMATCHED && !pools.isPeek(place)) remover[duplicate[place]] = NO_PARTNER;
    duplicate[place] = UNMATCHED;
  };
  /** Whether a duplicate fits a place; if not, records the responsible depths. */
  const fits = (place: number, own: number, depth: number): boolean => {
    const isPeek = pools.isPeek(place);
    if (!pools.isInTime(place, own, NO_PARTNER)) return false;
    if (remover[own] !== NO_PARTNER && !(isPeek && pools.isInTime(place, own, remover[own]))) {
      responsible[depth].add(depthOf.get(remover[own]) as number);
      return false;
    }
    duplicate[place] = own;
    if (!isPeek) remover[own] = place;
    const clash = clashesAt[depth]?.find((other) => other.isIn(matching));
    if (!clash) return true;
    for (const other of clash.places)
      if (other !== place) responsible[depth].add(depthOf.get(other) as number);
    release(place);
    return false;
  };
  const isMatched = (place: number, depth: number): boolean => {
    const { firstDuplicate, endDuplicate } = pools.poolOfPlace[place];
    const from = had[depth] === UNMATCHED ? firstDuplicate : had[depth];
    while (tried[depth] <= 2 * (endDuplicate - firstDuplicate)) {
      const turn = tried[depth]++;
      const own = turn % 2 === 0 ? from + turn / 2 : from - (turn + 1) / 2;
      if (own >= firstDuplicate && own < endDuplicate && stepBudget.left-- > 0 && fits(place, own, depth))
        return true;
    }
    return false;
  };

  for (let depth = 0; depth < places.length; ) {
    release(places[depth]);
    if (isMatched(places[depth], depth)) {
      depth++;
      continue;
    }
    if (stepBudget.left <= 0) return false;
    const reasons = responsible[depth];
    const back = Math.max(-1, ...reasons);
    if (back < 0) return false;
    for (; depth > back; depth--) {
      release(places[depth]);
      tried[depth] = 0;
      responsible[depth] = new Set();
    }
    for (const other of reasons) if (other < back) responsible[back].add(other);
  }
  return true;
}

/** Removals before peeks; those of the latest clashes first. */
function inOrder(pools: Pools, chosen: readonly Pool[], clashes: readonly Clash[]): number[] {
  const places = chosen.flatMap(({ firstPlace, endPlace }) =>
    Array.from({ length: endPlace - firstPlace }, (_, i) => firstPlace + i),
  );
  const latest = new Map<number, number>();
  for (const [number, clash] of clashes.entries())
    for (const place of clash.places) latest.set(place, number);
  const ageOf = (place: number): number => clashes.length - (latest.get(place) ?? -1);
  const isPeek = (place: number): number => (pools.isPeek(place) ? 1 : 0);
  return places.sort((a, b) => isPeek(a) - isPeek(b) || ageOf(a) - ageOf(b) || a - b);
}

/** For each depth, the clashes that are decided by then. */
function byLastPlace(clashes: readonly Clash[], depthOf: ReadonlyMap<number, number>): Clash[][] {
  const clashesAt: Clash[][] = [];
  for (const clash of clashes) {
    const last = Math.max(...clash.places.map((place) => depthOf.get(place) as number));
    const own = clashesAt[last] ?? [];
    own.push(clash);
    clashesAt[last] = own;
  }
  return clashesAt;
}

/**
 * A first guess of which duplicate each result of an epoch gives: the operation that added it, or none if no duplicate
 * is present. It is as if each operation had taken effect halfway between its call and its return. Of the duplicates
 * present, the first or the last leaves, depending on the container. If the guess is wrong, others are tried. Cost:
 * O(m log m) for m operations, and O(m) for each peek.
 */
function guessOf(epochs: Epochs, epoch: number, leaves: 'first' | 'last'): Map<number, number> {
  const { roles } = epochs;
  const { call, return: returned } = roles.history.columns;
  const halfway = (k: number): number => call[k] + (returned[k] === NEVER ? call[k] : returned[k]);
  const members = [...epochs.members(epoch)].sort((a, b) => halfway(a) - halfway(b));
  const inside: number[] = epochs.first[epoch] === INITIAL ? [INITIAL] : [];
  const guess = new Map<number, number>();
  let gone = 0;
  for (const k of members) {
    const next = leaves === 'first' ? inside[gone] : inside.at(-1);
    const role = roles.of(k);
    if (role === 'add') inside.push(k);
    else if (next !== undefined && gone < inside.length) {
      guess.set(k, next);
      if (role === 'remove')
        if (leaves === 'first') gone++;
        else inside.pop();
    }
  }
  return guess;
}
