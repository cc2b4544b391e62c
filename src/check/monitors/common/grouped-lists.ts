/** Lists of small numbers, each ascending. Cost: 4 bytes per list and per item. */
export const END = -1;

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
