/**
 * Pairs by class: an exact greedy algorithm.
 *
 * If a spec gives the class of each call and of its partner (`pairs`), the calls of a class are symmetric. Calls are
 * processed by return. A call without a partner takes, of the open and free calls of the partner's class, the one
 * that returns first. This is never worse: all candidates are open at that moment and differ only in how long they
 * stay open, and the shortest is used. A call that finds none stays alone. Pending calls have no class and are
 * ignored.
 *
 * Cost: O(n log n); one heap by return per class.
 */
import { IntHeap } from '../../../base/collections/int-heap.js';
import { type Columns, NEVER } from '../../../history/model/columns.js';

const NONE = -1;

/**
 * For each operation, its partner, or -1. `own` and `other` map a letter to its class and to that of its partner, or
 * to -1.
 */
export function greedyPairs(
  { events, return: returned }: Columns,
  letters: Int32Array,
  { own, other }: { readonly own: Int32Array; readonly other: Int32Array },
): Int32Array {
  const mate = new Int32Array(letters.length).fill(NONE);
  const heaps = new Map<number, IntHeap>();
  for (let m = 0; m < events.length; m++) {
    const event = events[m];
    const k = event >= 0 ? event : ~event;
    const mine = own[letters[k]];
    if (mine === NONE || returned[k] === NEVER) continue;
    if (event >= 0) {
      const heap = heaps.get(mine) ?? new IntHeap(returned);
      if (heap.first === NONE) heaps.set(mine, heap);
      heap.push(k);
      continue;
    }
    if (mate[k] !== NONE) continue;
    // a call that has a partner, has returned, or is this one cannot be used
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
