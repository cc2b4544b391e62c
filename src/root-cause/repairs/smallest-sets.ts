/**
 * Sets of parts of which none covers another. A set covers another if each part of that one lies in a part
 * of its own (subsumption): so the sets that are kept are the smallest of all that were added.
 */
export class SmallestSets<T> {
  sets: (readonly T[])[] = [];
  readonly #contains: (part: T, other: T) => boolean;

  constructor(contains: (part: T, other: T) => boolean) {
    this.#contains = contains;
  }

  add(set: readonly T[]): void {
    if (this.isCovered(set)) return;
    this.sets = this.sets.filter((other) => !this.#covers(other, set));
    this.sets.push(set);
  }

  /** Does a set cover one that is kept? */
  isCovered(set: readonly T[]): boolean {
    return this.sets.some((other) => this.#covers(set, other));
  }

  #covers(set: readonly T[], other: readonly T[]): boolean {
    return other.every((part) => set.some((own) => this.#contains(own, part)));
  }
}
