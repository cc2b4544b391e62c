/**
 * How far a search has got that forgets where it has been: the furthest return, the
 * states in which orders stood before it, and orders that lead to two of these.
 *
 * The search's own order is alive and changes. A copy is made only when the search
 * goes back, and only of what has changed since the last copy: `common` is how far
 * the two agree. So all copies together cost no more than the search itself.
 */
import type { LongestOrder, Obstruction } from '../../model/search.js';

/** An order that was kept: `items[0]` up to `items[length]`, of which the first `common` are still those of the search. */
interface Kept {
  readonly items: Int32Array;
  length: number;
  common: number;
  state: number;
}

export class Furthest {
  /** How many returns some order explains. */
  position = -1;
  readonly #states = new Set<number>();
  readonly #kept: readonly [Kept, Kept];
  /** The first kept order has not been copied yet. */
  #isAlive = false;

  constructor(operations: number) {
    const keep = (): Kept => ({ items: new Int32Array(operations), length: 0, common: 0, state: -1 });
    this.#kept = [keep(), keep()];
  }

  get bytes(): number {
    return 2 * this.#kept[0].items.byteLength + 40 * this.#states.size;
  }

  /** The search stands before the return at this position, in this state, by the first `length` entries of its order. */
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

  /** The search is about to go back, to the first `length` entries of its order. */
  goBack(order: Int32Array, length: number): void {
    if (this.#isAlive) copy(order, this.#kept[0]);
    this.#isAlive = false;
    for (const kept of this.#kept) kept.common = Math.min(kept.common, length);
  }

  /** What to tell when the search has gone back all the way. */
  obstruction(moment: number): Obstruction {
    const states = [...this.#states];
    return {
      moment,
      states,
      // those before earlier returns are forgotten
      hasAllEarlierStates: false,
      statesSince: () => states,
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
