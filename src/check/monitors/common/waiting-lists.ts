/**
 * Operations that wait for a state in which their answer is right, in lists: of a key, of a count.
 *
 * Who returns is let go with all others of the list, or nothing is right any more. So
 * nobody is ever taken out alone. Cost: O(1) an operation.
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

  /** All of a list take effect now. */
  release(list: number, order: Pick<LateOrder, 'put'>): void {
    for (let k = this.#first[list]; k !== NONE; k = this.#next[k]) {
      this.#waits[k] = 0;
      order.put(k);
    }
    this.#first[list] = NONE;
  }
}
