/**
 * Pairs by class: the exact greedy.
 *
 * Where a spec says what each call is and what it must have met (`pairs`), calls fall into classes whose
 * members are all alike. Calls are gone through by return; one that has no partner yet takes, of those that it must have
 * met and that are open and free, the one that returns first. That is never worse: all candidates are open
 * at that moment, so they differ only in how long they stay so, and the shortest is used up.
 * One that finds nobody stays alone; calls that never return have no class, and take no part.
 *
 * Cost: O(n log n); a heap by return for each class.
 */
import { type Columns, NEVER } from '../../../history/model/columns.js';

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

/** Operation to its partner, or -1. `own` and `other` map a letter to what it is and must have met, or to -1. */
export function greedyPairs(
  { events, return: returned }: Columns,
  letters: Int32Array,
  { own, other }: { readonly own: Int32Array; readonly other: Int32Array },
): Int32Array {
  const mate = new Int32Array(letters.length).fill(NONE);
  const heaps = new Map<number, ReturnHeap>();
  for (let m = 0; m < events.length; m++) {
    const event = events[m];
    const k = event >= 0 ? event : ~event;
    const mine = own[letters[k]];
    if (mine === NONE || returned[k] === NEVER) continue;
    if (event >= 0) {
      const heap = heaps.get(mine) ?? new ReturnHeap(returned);
      if (heap.first === NONE) heaps.set(mine, heap);
      heap.push(k);
      continue;
    }
    if (mate[k] !== NONE) continue;
    // who has a partner, has returned, or asks itself is of no use
    const heap = heaps.get(other[letters[k]]);
    while (heap && heap.first !== NONE && (mate[heap.first] !== NONE || returned[heap.first] <= m))
      heap.pop();
    if (!heap || heap.first === NONE) continue;
    mate[k] = heap.first;
    mate[heap.first] = k;
    heap.pop();
  }
  return mate;
}
