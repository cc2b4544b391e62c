/** A binary heap of numbers: the smallest comes out first. */
export class Heap {
  readonly #items: number[] = [];

  push(item: number): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    for (let up = (at - 1) >> 1; at > 0 && items[up] > item; at = up, up = (at - 1) >> 1)
      items[at] = items[up];
    items[at] = item;
  }

  pop(): number | undefined {
    const items = this.#items;
    const [least, last] = [items[0], items.pop()];
    if (last === undefined || items.length === 0) return last;
    let at = 0;
    for (let down = 1; down < items.length; down = 2 * at + 1) {
      if (down + 1 < items.length && items[down + 1] < items[down]) down++;
      if (items[down] >= last) break;
      items[at] = items[down];
      at = down;
    }
    items[at] = last;
    return least;
  }
}
