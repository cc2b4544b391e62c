/**
 * Versions in which it is unclear which operation returns which duplicate, as numbers: duplicates, and places of
 * removals and peeks.
 *
 * The duplicates of a pool are in order of call; its places are first those of removals, then those of peeks. Cost:
 * one pass.
 */
import { INITIAL, type Versions } from './versions.js';

export interface Pool {
  readonly generation: number;
  readonly firstCopy: number;
  readonly endCopy: number;
  readonly firstPlace: number;
  readonly firstPeek: number;
  readonly endPlace: number;
}

export class Pools {
  readonly all: Pool[] = [];
  /** For each duplicate, the operation that adds it, and its pool. */
  readonly putter: number[] = [];
  readonly poolOfCopy: Pool[] = [];
  /** For each place, its operation and its pool. */
  readonly operation: number[] = [];
  readonly poolOfPlace: Pool[] = [];
  readonly #generations: Versions;
  readonly #numberOf = new Map<number, number>();
  readonly #copyOf = new Map<number, number>();
  readonly #placeOf = new Map<number, number>();

  constructor(generations: Versions, unclear: readonly number[]) {
    this.#generations = generations;
    for (const generation of unclear) this.#add(generation);
  }

  /** The pool of an operation, if any. */
  numberOf(k: number): number | undefined {
    return this.#numberOf.get(this.#generations.of[k]);
  }

  /** The duplicate that an operation adds; the place of one that returns a duplicate. */
  copyOf(k: number): number | undefined {
    return this.#copyOf.get(k);
  }

  placeOf(k: number): number | undefined {
    return this.#placeOf.get(k);
  }

  isPeek(place: number): boolean {
    return place >= this.poolOfPlace[place].firstPeek;
  }

  /**
   * Whether the operation at this place can have returned this duplicate, by real time. `taker`: the place of its
   * removal; negative if there is none.
   */
  isInTime(place: number, copy: number, taker: number): boolean {
    const { call, return: returned } = this.#generations.roles.history.columns;
    const [k, putter] = [this.operation[place], this.putter[copy]];
    if (putter !== INITIAL && call[putter] > returned[k]) return false;
    return taker < 0 || !this.isPeek(place) || returned[this.operation[taker]] > call[k];
  }

  #add(generation: number): void {
    const { roles, first } = this.#generations;
    const members = [...this.#generations.members(generation)];
    const [firstCopy, firstPlace] = [this.putter.length, this.operation.length];
    if (first[generation] === INITIAL) this.putter.push(INITIAL);
    for (const k of members) {
      if (roles.of(k) !== 'add') continue;
      this.#copyOf.set(k, this.putter.length);
      this.putter.push(k);
    }
    for (const role of ['remove', 'peek'])
      for (const k of members) {
        if (roles.of(k) !== role) continue;
        this.#placeOf.set(k, this.operation.length);
        this.operation.push(k);
      }
    const firstPeek = firstPlace + this.#generations.removals[generation];
    const [endCopy, endPlace] = [this.putter.length, this.operation.length];
    const pool = { generation, firstCopy, endCopy, firstPlace, firstPeek, endPlace };
    for (let copy = firstCopy; copy < endCopy; copy++) this.poolOfCopy.push(pool);
    for (let place = firstPlace; place < endPlace; place++) this.poolOfPlace.push(pool);
    this.#numberOf.set(generation, this.all.length);
    this.all.push(pool);
  }
}

/* The part of a matching that a contradiction depends on: if it occurs again, so does the contradiction. */

/** A partial matching: for each duplicate the place of its removal, for each place its duplicate. */
export interface Matching {
  readonly taker: Int32Array;
  readonly copy: Int32Array;
}

/** In a matching: it is not removed; it has no duplicate yet. */
export const NO_PARTNER = -1;
export const UNMATCHED = -1;

export class Clash {
  readonly operations: readonly number[];
  /** Duplicates and their removals; places of peeks, and their duplicates. */
  readonly #takers: readonly (readonly [copy: number, taker: number])[];
  readonly #sights: readonly (readonly [place: number, copy: number])[];
  /** Their pools, and all places that it depends on. */
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
      // that it is not removed is known when all possible removals are matched
      const { firstPlace, firstPeek } = pools.poolOfCopy[own];
      if (by !== NO_PARTNER) places.add(by);
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
