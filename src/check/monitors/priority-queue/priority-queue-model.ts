/**
 * A priority queue of value numbers: how many of each rank are inside, and which ranks are.
 *
 * A removal that never returned takes a value of the first rank that nobody is known to take. Of several any will do: they
 * are never seen again, or the reading would have stepped aside.
 */
import { IntSet, NO_INT } from '../../../base/index.js';
import { ADD, type Container, EMPTY, IDLE, NONE, OPEN_REMOVE, REMOVE } from '../container.js';
import type { Urgencies } from './urgencies.js';

export class PriorityQueueModel {
  /** The value that was taken out last by a call that never returned, or NONE. */
  taken: number = NONE;
  readonly #container: Container;
  readonly #rank: Int32Array;
  readonly #isInside: Uint8Array;
  /** Rank to how many of its values are inside; and the ranks that have some. */
  readonly #count: Int32Array;
  readonly #ranks: IntSet;
  /** Rank to a value inside that nobody is known to take, and value to the next such. */
  readonly #left: Int32Array;
  readonly #nextLeft: Int32Array;

  constructor(container: Container, { rank }: Urgencies) {
    const { values, initial } = container;
    this.#container = container;
    this.#rank = rank;
    this.#isInside = new Uint8Array(values);
    this.#count = new Int32Array(values);
    this.#ranks = new IntSet(values);
    this.#left = new Int32Array(values).fill(NONE);
    this.#nextLeft = new Int32Array(values);
    for (let v = 0; v < initial; v++) this.#add(v);
  }

  /** Lets an operation take effect; is its answer right? */
  step(k: number): boolean {
    const { role, value } = this.#container;
    const first = this.#ranks.next(0);
    const v = value[k];
    switch (role[k]) {
      case ADD:
        this.#add(v);
        return true;
      case EMPTY:
        return first === NO_INT;
      case IDLE:
        return true;
      case OPEN_REMOVE:
        this.taken = first === NO_INT ? NONE : this.#left[first];
        if (this.taken === NONE) return first === NO_INT;
        this.#left[first] = this.#nextLeft[this.taken];
        this.#remove(this.taken);
        return true;
      default: {
        const isRight = v !== NONE && this.#isInside[v] === 1 && this.#rank[v] === first;
        if (isRight && role[k] === REMOVE) this.#remove(v);
        return isRight;
      }
    }
  }

  #add(v: number): void {
    const rank = this.#rank[v];
    this.#isInside[v] = 1;
    if (this.#count[rank]++ === 0) this.#ranks.add(rank);
    if (this.#container.remove[v] !== NONE) return;
    this.#nextLeft[v] = this.#left[rank];
    this.#left[rank] = v;
  }

  #remove(v: number): void {
    const rank = this.#rank[v];
    this.#isInside[v] = 0;
    if (--this.#count[rank] === 0) this.#ranks.delete(rank);
  }
}
