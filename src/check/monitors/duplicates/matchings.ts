/**
 * Which copy each answer gives, where that is not clear: one matching after another.
 *
 * A removal takes one copy of its generation, and no two take the same; a peek sees one that is not gone before. When some operations contradict
 * each other under the present matching, so they do under all that match the copies of these operations alike: in an order,
 * all about other copies can be left out. Such a clash is remembered. Generations that never
 * clash with one another are matched by themselves, so a change in one place leaves all others as they were. When a
 * generation, or several that clash, have no matching left without a clash, then these operations have no order at all.
 *
 * Cost: the matchings of a few copies that clash, each tried at most once; bounded by `fuel`.
 */

import { UnionFind } from '../../../base/algorithms/union-find.js';
import { NEVER } from '../../../history/model/columns.js';
import { Clash, type Matching, NO_PARTNER, Pools, UNMATCHED } from './pools.js';
import { type Fuel, rematch } from './rematch.js';
import { INITIAL, type Versions } from './versions.js';

/*
 * Which copies the answers of a generation give, as a first guess: as if each operation had taken effect halfway between its call
 * and its return. Of the copies inside the first or the last goes, as the container has it. If it is wrong, others are tried.
 * Cost: O(m log m) for m operations, and O(m) for each that looks at what is inside.
 */

/** Whoever gives a copy to who put it in. Who finds none inside has no guess. */
function guessOf(generations: Versions, generation: number, leaves: 'first' | 'last'): Map<number, number> {
  const { roles } = generations;
  const { call, return: returned } = roles.history.columns;
  const halfway = (k: number): number => call[k] + (returned[k] === NEVER ? call[k] : returned[k]);
  const members = [...generations.members(generation)].sort((a, b) => halfway(a) - halfway(b));
  const inside: number[] = generations.first[generation] === INITIAL ? [INITIAL] : [];
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
  readonly #generations: Versions;
  readonly #pools: Pools;
  readonly #matching: Matching;
  readonly #clashes: Clash[] = [];
  /** Pools that clash with one another. */
  readonly #together: UnionFind;
  readonly #fuel: Fuel;

  constructor(
    generations: Versions,
    unclear: readonly number[],
    { leaves, fuel }: { readonly leaves: 'first' | 'last'; readonly fuel: number },
  ) {
    this.#generations = generations;
    this.#fuel = { left: fuel };
    const pools = new Pools(generations, unclear);
    this.#pools = pools;
    this.#together = new UnionFind(pools.all.length);
    this.#matching = {
      taker: new Int32Array(pools.putter.length).fill(NO_PARTNER),
      copy: new Int32Array(pools.operation.length).fill(UNMATCHED),
    };
    for (const { generation, firstCopy } of pools.all)
      for (const [k, putter] of guessOf(generations, generation, leaves))
        this.#matching.copy[pools.placeOf(k) as number] =
          putter === INITIAL ? firstCopy : (pools.copyOf(putter) as number);
  }

  /** A matching to begin with; or the operations that have none; or it takes too long. */
  begin(): 'matched' | 'too long' | readonly number[] {
    for (const pool of this.#pools.all)
      if (!rematch(this.#pools, [pool], [], this.#matching, this.#fuel))
        return this.#fuel.left <= 0 ? 'too long' : this.#upTo(pool.generation);
    return 'matched';
  }

  /** Who put in what an operation puts in or gives, where that was unclear; undefined if it is matched with nothing. */
  putterOf(k: number): number | undefined {
    const place = this.#pools.placeOf(k);
    if (place === undefined) return k;
    return this.#pools.putter[this.#matching.copy[place]];
  }

  /**
   * Another matching, in which these operations need not contradict each other. Otherwise: they do in any ('always'), or with
   * others on the same copies, which are given; or it takes too long.
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
    if (rematch(this.#pools, pools, own, this.#matching, this.#fuel)) return 'matched';
    return this.#fuel.left <= 0 ? 'too long' : own.flatMap((other) => other.operations);
  }

  /** Copies that were there at first and that nobody takes out: they may be in the way without any operation. */
  #leftAtFirst(): number[] {
    const { all, putter } = this.#pools;
    return all
      .map(({ firstCopy }) => firstCopy)
      .filter((copy) => putter[copy] === INITIAL && this.#matching.taker[copy] === NO_PARTNER);
  }

  /** All on its value, up to its end: that copies had been taken out before is part of the reason. */
  #upTo(generation: number): number[] {
    const { previous } = this.#generations;
    const own = [...this.#generations.members(generation)];
    return previous[generation] < 0 ? own : [...this.#upTo(previous[generation]), ...own];
  }
}
