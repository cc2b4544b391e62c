/** Lists of operations as two arrays of integers, the first item of each list and the next of each item. Cost: O(1) per item. */

/** The end of a list. */
export const END = -1;

/** Lists of small numbers, each ascending, which never change. */
export class GroupedLists {
  readonly #first: Int32Array;
  readonly #next: Int32Array;

  /** Item i is in the list `listOf(i)`; in none if that is negative or too large. */
  constructor(lists: number, items: number, listOf: (item: number) => number) {
    this.#first = new Int32Array(lists).fill(END);
    this.#next = new Int32Array(items);
    for (let item = items - 1; item >= 0; item--) {
      const list = listOf(item);
      if (list < 0 || list >= lists) continue;
      this.#next[item] = this.#first[list];
      this.#first[list] = item;
    }
  }

  /** The first item of a list, or END. */
  first(list: number): number {
    return this.#first[list];
  }

  next(item: number): number {
    return this.#next[item];
  }
}

/**
 * Lists of operations that wait for a state in which their result is correct: of a key, or of a count.
 *
 * When one of them returns, its whole list takes effect, or the history is not linearizable. So no operation is ever
 * removed alone.
 */
export class WaitingLists {
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #waits: Uint8Array;

  constructor(operations: number, lists: number) {
    this.#first = new Int32Array(lists).fill(END);
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
  release(list: number, order: { put(k: number): void }): void {
    for (let k = this.#first[list]; k !== END; k = this.#next[k]) {
      this.#waits[k] = 0;
      order.put(k);
    }
    this.#first[list] = END;
  }
}
