const EMPTY = -1;

/** A binary heap of items 0, 1, …; the one with the least key is on top. Cost: O(log n) per change. */
export class IntHeap {
  readonly #keys: Int32Array;
  readonly #items: number[] = [];

  constructor(keys: Int32Array) {
    this.#keys = keys;
  }

  /** The item on top; -1 if there is none. */
  get first(): number {
    return this.#items[0] ?? EMPTY;
  }

  push(item: number): void {
    const items = this.#items;
    let place = items.push(item) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#keys[items[parent]] <= this.#keys[item]) break;
      items[place] = items[parent];
      place = parent;
    }
    items[place] = item;
  }

  pop(): void {
    const items = this.#items;
    const last = items.pop() ?? EMPTY;
    if (items.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#keys[items[child + 1]] < this.#keys[items[child]]) child++;
      if (this.#keys[items[child]] >= this.#keys[last]) break;
      items[place] = items[child];
      place = child;
    }
    items[place] = last;
  }
}
