/** Operations, the one that returns first on top: a binary heap. */
const NONE = -1;

export class ReturnHeap {
  readonly #returned: Int32Array;
  readonly #items: number[] = [];

  constructor(returned: Int32Array) {
    this.#returned = returned;
  }

  /** The one on top, or -1. */
  get first(): number {
    return this.#items[0] ?? NONE;
  }

  push(k: number): void {
    const items = this.#items;
    let place = items.push(k) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#returned[items[parent]] <= this.#returned[k]) break;
      items[place] = items[parent];
      place = parent;
    }
    items[place] = k;
  }

  pop(): void {
    const items = this.#items;
    const last = items.pop() ?? NONE;
    if (items.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#returned[items[child + 1]] < this.#returned[items[child]])
        child++;
      if (this.#returned[items[child]] >= this.#returned[last]) break;
      items[place] = items[child];
      place = child;
    }
    items[place] = last;
  }
}
