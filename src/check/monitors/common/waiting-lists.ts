/**
 * Lists of operations that wait for a state in which their result is correct: of a key, or of a count.
 *
 * When one of them returns, its whole list takes effect, or the history is not linearizable. So no operation is ever
 * removed alone. Cost: O(1) per operation.
 */
import type { LateOrder } from './late-order.js';

const NONE = -1;

export class WaitingLists {
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #waits: Uint8Array;

  constructor(operations: number, lists: number) {
    this.#first = new Int32Array(lists).fill(NONE);
    this.#next = new Int32Array(operations);
    this.#waits = new Uint8Array(operations);
  }

  add(list: number, k: number): void {
    this.#next[k] = this.#first[list];
    this.#first[list] = k;
    this.#waits[k] = 1;
  }

  has(k: number): boolean {
    return this.#waits[k] === 1;
  }

  /** Lets a whole list take effect now. */
  release(list: number, order: Pick<LateOrder, 'put'>): void {
    for (let k = this.#first[list]; k !== NONE; k = this.#next[k]) {
      this.#waits[k] = 0;
      order.put(k);
    }
    this.#first[list] = NONE;
  }
}
