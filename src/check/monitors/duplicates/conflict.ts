/** How much of a matching operations that contradict each other depend on: where all of it is so again, they do again. */
import type { Pools } from './pools.js';

/** A matching so far: copy to the place of who takes it out, place to its copy. */
export interface Matching {
  readonly taker: Int32Array;
  readonly copy: Int32Array;
}

/** In a matching: nobody takes it out; it has no copy yet. */
export const NOBODY = -1;
export const UNMATCHED = -1;

export class Clash {
  readonly operations: readonly number[];
  /** Copies and who takes them out; places of who sees a copy, and that copy. */
  readonly #takers: readonly (readonly [copy: number, taker: number])[];
  readonly #sights: readonly (readonly [place: number, copy: number])[];
  /** The pools of these, and all places that it depends on. */
  readonly pools: readonly number[];
  readonly places: readonly number[];

  constructor(
    pools: Pools,
    { taker, copy }: Matching,
    operations: readonly number[],
    besides: readonly number[],
  ) {
    this.operations = operations;
    const copies = new Set(besides);
    const sights: [number, number][] = [];
    for (const k of operations) {
      const place = pools.placeOf(k);
      const own = place === undefined ? pools.copyOf(k) : copy[place];
      if (own === undefined) continue;
      copies.add(own);
      if (place !== undefined && pools.isPeek(place)) sights.push([place, own]);
    }
    this.#takers = Array.from(copies, (own) => [own, taker[own]] as const);
    this.#sights = sights;
    this.pools = [...new Set(Array.from(copies, (own) => pools.all.indexOf(pools.poolOfCopy[own])))];
    const places = new Set(sights.map(([place]) => place));
    for (const [own, by] of this.#takers) {
      // that nobody takes it out is known when all who might are matched
      const { firstPlace, firstPeek } = pools.poolOfCopy[own];
      if (by !== NOBODY) places.add(by);
      else for (let place = firstPlace; place < firstPeek; place++) places.add(place);
    }
    this.places = [...places];
  }

  isIn({ taker, copy }: Matching): boolean {
    return (
      this.#takers.every(([own, by]) => taker[own] === by) &&
      this.#sights.every(([place, own]) => copy[place] === own)
    );
  }
}
