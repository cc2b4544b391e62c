/**
 * Matchings: which duplicate each result gives, if that is unclear.
 *
 * A removal takes one duplicate of its version, and no two take the same; a peek sees one that has not left before.
 * If some operations contradict each other under the current matching, they do so under all matchings that agree on
 * the duplicates of these operations: in a linearization, all operations on other duplicates can be omitted. Such a
 * clash is stored. Versions that never clash with one another are matched independently, so a local change leaves the
 * others as they were. If a version, or several that clash, have no matching left without a clash, these operations
 * have no linearization.
 *
 * Cost: the matchings of a few duplicates that clash, each tried at most once; bounded by `stepBudget`.
 */

import { UnionFind } from '../../../base/collections/int-set.js';
import { NEVER } from '../../../history/model/columns.js';
import { Clash, type Matching, NO_PARTNER, Pools, UNMATCHED } from './pools.js';
import { rematch, type StepBudget } from './rematch.js';
import { INITIAL, type Versions } from './versions.js';

/*
 * A first guess of which duplicates the results of a version give: as if each operation had taken effect halfway
 * between its call and its return. Of the duplicates present, the first or the last leaves, depending on the
 * container. If the guess is wrong, others are tried. Cost: O(m log m) for m operations, and O(m) for each peek.
 */

/** For each operation that returns a duplicate, the operation that added it; none if no duplicate is present. */
function guessOf(versions: Versions, version: number, leaves: 'first' | 'last'): Map<number, number> {
  const { roles } = versions;
  const { call, return: returned } = roles.history.columns;
  const halfway = (k: number): number => call[k] + (returned[k] === NEVER ? call[k] : returned[k]);
  const members = [...versions.members(version)].sort((a, b) => halfway(a) - halfway(b));
  const inside: number[] = versions.first[version] === INITIAL ? [INITIAL] : [];
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

export class Matchings {
  readonly #versions: Versions;
  readonly #pools: Pools;
  readonly #matching: Matching;
  readonly #clashes: Clash[] = [];
  /** Pools that clash with one another. */
  readonly #together: UnionFind;
  readonly #stepBudget: StepBudget;

  constructor(
    versions: Versions,
    unclear: readonly number[],
    { leaves, stepBudget }: { readonly leaves: 'first' | 'last'; readonly stepBudget: number },
  ) {
    this.#versions = versions;
    this.#stepBudget = { left: stepBudget };
    const pools = new Pools(versions, unclear);
    this.#pools = pools;
    this.#together = new UnionFind(pools.all.length);
    this.#matching = {
      remover: new Int32Array(pools.adder.length).fill(NO_PARTNER),
      duplicate: new Int32Array(pools.operation.length).fill(UNMATCHED),
    };
    for (const { version, firstDuplicate } of pools.all)
      for (const [k, adder] of guessOf(versions, version, leaves))
        this.#matching.duplicate[pools.placeOf(k) as number] =
          adder === INITIAL ? firstDuplicate : (pools.duplicateOf(adder) as number);
  }

  /** An initial matching; or the operations that have none; or the step budget is exceeded. */
  begin(): 'matched' | 'too long' | readonly number[] {
    for (const pool of this.#pools.all)
      if (!rematch(this.#pools, [pool], [], this.#matching, this.#stepBudget))
        return this.#stepBudget.left <= 0 ? 'too long' : this.#upTo(pool.version);
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
  #upTo(version: number): number[] {
    const { previous } = this.#versions;
    const own = [...this.#versions.members(version)];
    return previous[version] < 0 ? own : [...this.#upTo(previous[version]), ...own];
  }
}
