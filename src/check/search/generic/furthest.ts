/**
 * How far a search without stored configurations has got: the furthest return, the states before it, and orders that
 * lead to two of them.
 *
 * The order of the search changes while it runs. A copy is made only on backtracking, and only of what has changed
 * since the last copy: `common` is the length on which both agree. So all copies together cost no more than the
 * search itself.
 */
import type { LongestOrder, Obstruction } from '../../model/search.js';

/** A stored order: `items[0]` up to `items[length]`, of which the first `common` agree with the search. */
interface Kept {
  readonly items: Int32Array;
  length: number;
  common: number;
  state: number;
}

export class Furthest {
  /** How many returns some linearization includes. */
  position = -1;
  readonly #states = new Set<number>();
  readonly #kept: readonly [Kept, Kept];
  /** Whether the first stored order is not yet copied. */
  #isAlive = false;

  constructor(operations: number) {
    const keep = (): Kept => ({ items: new Int32Array(operations), length: 0, common: 0, state: -1 });
    this.#kept = [keep(), keep()];
  }

  get bytes(): number {
    return 2 * this.#kept[0].items.byteLength + 40 * this.#states.size;
  }

  /**
   * Records that the search is before the return at this position, in this state, by the first `length` entries of
   * its order.
   */
  note(position: number, state: number, order: Int32Array, length: number): void {
    if (position < this.position) return;
    if (position > this.position) {
      this.position = position;
      this.#states.clear();
    }
    if (this.#states.has(state)) return;
    this.#states.add(state);
    if (this.#states.size > 2) return;
    const kept = this.#kept[this.#states.size - 1];
    kept.state = state;
    kept.length = length;
    if (this.#states.size === 1) this.#isAlive = true;
    else copy(order, kept);
  }

  /** The search is about to backtrack to the first `length` entries of its order. */
  goBack(order: Int32Array, length: number): void {
    if (this.#isAlive) copy(order, this.#kept[0]);
    this.#isAlive = false;
    for (const kept of this.#kept) kept.common = Math.min(kept.common, length);
  }

  /** The result when the search has backtracked to the start. */
  obstruction(moment: number): Obstruction {
    const states = [...this.#states];
    return {
      moment,
      states,
      isExhaustive: true,
      longest: () =>
        this.#kept
          .slice(0, states.length)
          .map(({ items, length, state }): LongestOrder => ({ order: items.slice(0, length), state })),
    };
  }
}

function copy(order: Int32Array, kept: Kept): void {
  for (let i = kept.common; i < kept.length; i++) kept.items[i] = order[i];
  kept.common = kept.length;
}
