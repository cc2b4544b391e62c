/**
 * Sets of spec states as integers: what a machine stands in where a spec leaves a choice.
 *
 * Most sets have one member, and those have a table of their own.
 */
import { GrowingInts } from '../../base/collections/growing.js';

export class StateSets {
  /** Set to its only member, or to -1 and all of them, ascending; and back. */
  readonly #single = new GrowingInts();
  readonly #several = new Map<number, readonly number[]>();
  readonly #setOfSingle: number[] = [];
  readonly #setOfSeveral = new Map<string, number>();

  /** Memory taken, estimated. */
  get bytes(): number {
    return 16 * this.#single.length + 200 * this.#several.size;
  }

  members(set: number): readonly number[] {
    const single = this.#single.at(set);
    return single >= 0 ? [single] : (this.#several.get(set) ?? []);
  }

  /** The set of one member. */
  of(member: number): number {
    let set: number | undefined = this.#setOfSingle[member];
    if (set === undefined) {
      set = this.#single.length;
      this.#single.push(member);
      this.#setOfSingle[member] = set;
    }
    return set;
  }

  /** The set of these, of which there may be equal ones; at least one. */
  ofAll(members: readonly number[]): number {
    if (members.length === 1) return this.of(members[0]);
    const distinct = [...new Set(members)].sort((a, b) => a - b);
    if (distinct.length === 1) return this.of(distinct[0]);
    const key = distinct.join();
    let set = this.#setOfSeveral.get(key);
    if (set === undefined) {
      set = this.#single.length;
      this.#single.push(-1);
      this.#several.set(set, distinct);
      this.#setOfSeveral.set(key, set);
    }
    return set;
  }
}
