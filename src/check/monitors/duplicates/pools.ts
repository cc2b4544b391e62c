/**
 * Epochs in which it is unclear which operation returns which duplicate, as numbers: duplicates, and places of
 * removals and peeks.
 *
 * The duplicates of a pool are in order of call; its places are first those of removals, then those of peeks. Cost:
 * one pass.
 */
import { type Epochs, INITIAL } from './epochs.js';

export interface Pool {
  readonly epoch: number;
  readonly firstDuplicate: number;
  readonly endDuplicate: number;
  readonly firstPlace: number;
  readonly firstPeek: number;
  readonly endPlace: number;
}

export class Pools {
  readonly all: Pool[] = [];
  /** For each duplicate, the operation that adds it, and its pool. */
  readonly adder: number[] = [];
  readonly poolOfDuplicate: Pool[] = [];
  /** For each place, its operation and its pool. */
  readonly operation: number[] = [];
  readonly poolOfPlace: Pool[] = [];
  readonly #epochs: Epochs;
  readonly #numberOf = new Map<number, number>();
  readonly #duplicateOf = new Map<number, number>();
  readonly #placeOf = new Map<number, number>();

  constructor(epochs: Epochs, unclear: readonly number[]) {
    this.#epochs = epochs;
    for (const epoch of unclear) this.#add(epoch);
  }

  /** The pool of an operation, if any. */
  numberOf(k: number): number | undefined {
    return this.#numberOf.get(this.#epochs.of[k]);
  }

  /** The duplicate that an operation adds; the place of one that returns a duplicate. */
  duplicateOf(k: number): number | undefined {
    return this.#duplicateOf.get(k);
  }

  placeOf(k: number): number | undefined {
    return this.#placeOf.get(k);
  }

  isPeek(place: number): boolean {
    return place >= this.poolOfPlace[place].firstPeek;
  }

  /**
   * Whether the operation at this place can have returned this duplicate, by real time. `remover`: the place of its
   * removal; negative if there is none.
   */
  isInTime(place: number, duplicate: number, remover: number): boolean {
    const { call, return: returned } = this.#epochs.roles.history.columns;
    const [k, adder] = [this.operation[place], this.adder[duplicate]];
    if (adder !== INITIAL && call[adder] > returned[k]) return false;
    return remover < 0 || !this.isPeek(place) || returned[this.operation[remover]] > call[k];
  }

  #add(epoch: number): void {
    const { roles, first } = this.#epochs;
    const members = [...this.#epochs.members(epoch)];
    const [firstDuplicate, firstPlace] = [this.adder.length, this.operation.length];
    if (first[epoch] === INITIAL) this.adder.push(INITIAL);
    for (const k of members) {
      if (roles.of(k) !== 'add') continue;
      this.#duplicateOf.set(k, this.adder.length);
      this.adder.push(k);
    }
    for (const role of ['remove', 'peek'])
      for (const k of members) {
        if (roles.of(k) !== role) continue;
        this.#placeOf.set(k, this.operation.length);
        this.operation.push(k);
      }
    const firstPeek = firstPlace + this.#epochs.removals[epoch];
    const [endDuplicate, endPlace] = [this.adder.length, this.operation.length];
    const pool = { epoch, firstDuplicate, endDuplicate, firstPlace, firstPeek, endPlace };
    for (let duplicate = firstDuplicate; duplicate < endDuplicate; duplicate++)
      this.poolOfDuplicate.push(pool);
    for (let place = firstPlace; place < endPlace; place++) this.poolOfPlace.push(pool);
    this.#numberOf.set(epoch, this.all.length);
    this.all.push(pool);
  }
}

/* The part of a matching that a contradiction depends on: if it occurs again, so does the contradiction. */

/** A partial matching: for each duplicate the place of its removal, for each place its duplicate. */
export interface Matching {
  readonly remover: Int32Array;
  readonly duplicate: Int32Array;
}

/** In a matching: it is not removed; it has no duplicate yet. */
export const NO_PARTNER = -1;
export const UNMATCHED = -1;

export class Clash {
  readonly operations: readonly number[];
  /** Duplicates and their removals; places of peeks, and their duplicates. */
  readonly #removers: readonly (readonly [duplicate: number, remover: number])[];
  readonly #peeks: readonly (readonly [place: number, duplicate: number])[];
  /** Their pools, and all places that it depends on. */
  readonly pools: readonly number[];
  readonly places: readonly number[];

  constructor(
    pools: Pools,
    { remover, duplicate }: Matching,
    operations: readonly number[],
    otherDuplicates: readonly number[],
  ) {
    this.operations = operations;
    const duplicates = new Set(otherDuplicates);
    const peeks: [number, number][] = [];
    for (const k of operations) {
      const place = pools.placeOf(k);
      const own = place === undefined ? pools.duplicateOf(k) : duplicate[place];
      if (own === undefined) continue;
      duplicates.add(own);
      if (place !== undefined && pools.isPeek(place)) peeks.push([place, own]);
    }
    this.#removers = Array.from(duplicates, (own) => [own, remover[own]] as const);
    this.#peeks = peeks;
    this.pools = [...new Set(Array.from(duplicates, (own) => pools.all.indexOf(pools.poolOfDuplicate[own])))];
    const places = new Set(peeks.map(([place]) => place));
    for (const [own, by] of this.#removers) {
      // that it is not removed is known when all possible removals are matched
      const { firstPlace, firstPeek } = pools.poolOfDuplicate[own];
      if (by !== NO_PARTNER) places.add(by);
      else for (let place = firstPlace; place < firstPeek; place++) places.add(place);
    }
    this.places = [...places];
  }

  isIn({ remover, duplicate }: Matching): boolean {
    return (
      this.#removers.every(([own, by]) => remover[own] === by) &&
      this.#peeks.every(([place, own]) => duplicate[place] === own)
    );
  }
}
