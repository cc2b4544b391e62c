/**
 * A priority queue of value numbers: how many of each rank are inside, and which ranks are. Values that were one are one; they
 * may differ in rank.
 *
 * A removal that never returned takes a value of the first rank that nobody is known to take. Of several any will do: they
 * are never seen again, or the reading would have stepped aside.
 */
import { IntSet, NO_INT } from '../../../base/collections/int-set.js';
import { ABSENT, PairMap } from '../../../base/collections/pair-map.js';
import { ADD, type Container, EMPTY, IDLE, NONE, OPEN_REMOVE, REMOVE } from '../container/container.js';
import { namesOf } from '../container/original-names.js';
import type { Urgencies } from './ranks.js';

export class PriorityQueueModel {
  /** The value that was taken out last by a call that never returned, or NONE. */
  taken: number = NONE;
  readonly #container: Container;
  readonly #rank: Int32Array;
  /** Value to its name; name and rank to how many of them are inside, by the first value that had both. */
  readonly #nameOf: Int32Array;
  readonly #kinds = new PairMap();
  readonly #inside: Int32Array;
  /** Rank to how many of its values are inside; and the ranks that have some. */
  readonly #count: Int32Array;
  readonly #ranks: IntSet;
  /** Rank to a value inside that nobody is known to take, and value to the next such. */
  readonly #left: Int32Array;
  readonly #nextLeft: Int32Array;

  constructor(container: Container, { rank }: Urgencies, plain?: (value: unknown) => unknown) {
    const { values, initial } = container;
    this.#container = container;
    this.#rank = rank;
    this.#nameOf = namesOf(container, plain);
    this.#inside = new Int32Array(values);
    for (let v = 0; v < values; v++)
      if (this.#kinds.get(this.#nameOf[v], rank[v]) === ABSENT) this.#kinds.add(this.#nameOf[v], rank[v], v);
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
        const given = v === NONE || first === NO_INT ? ABSENT : this.#kinds.get(this.#nameOf[v], first);
        const isRight = given !== ABSENT && this.#inside[given] > 0;
        if (isRight && role[k] === REMOVE) this.#remove(given);
        return isRight;
      }
    }
  }

  #add(v: number): void {
    const rank = this.#rank[v];
    this.#inside[this.#kinds.get(this.#nameOf[v], rank)]++;
    if (this.#count[rank]++ === 0) this.#ranks.add(rank);
    if (this.#container.remove[v] !== NONE) return;
    this.#nextLeft[v] = this.#left[rank];
    this.#left[rank] = v;
  }

  #remove(v: number): void {
    const rank = this.#rank[v];
    this.#inside[this.#kinds.get(this.#nameOf[v], rank)]--;
    if (--this.#count[rank] === 0) this.#ranks.delete(rank);
  }
}
