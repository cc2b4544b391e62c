/**
 * An order of a priority queue's operations, once each has its slot.
 *
 * Slot by slot; within one, first the values that leave or are seen there, the most urgent first, with those that come and leave
 * there; then those that find nothing; then the values that come, the least urgent first, each with the peeks that
 * are so early.
 *
 * Operations are handed out to slots as they come, and only then sorted within each, where they are few: to go through
 * all values by urgency would be to go all over the memory. Cost: O(n log n) at most.
 */
import { mergeSort, sortByInsertion } from '../../../base/algorithms/merge-sort.js';
import { END } from '../common/grouped-lists.js';
import { type Container, EMPTY, NONE } from '../container/container.js';
import type { Lives } from '../container/value-intervals.js';
import { NO_SLOT, type Placing } from './placing.js';
import type { Urgencies } from './ranks.js';

/** What happens in a slot, in this order. There are four, a power of two. */
const [LEAVES, NOTHING, COMES] = [0, 1, 2];
const CLASSES = 4;

/** Operations on one value within a slot: it comes, it is seen, it leaves. */
const [IN, SEEN, OUT, STAGES] = [0, 1, 2, 3];

/** More than so many moves are left to a sort that is fast for many. */
const FEW_MOVES = 64;

/** `empties`: operations that found nothing, to the moments at which they did. */
export function priorityQueueOrder(
  container: Container,
  { taken, end }: Lives,
  { sorted }: Urgencies,
  { slot, peeks }: Placing,
  empties: Int32Array,
): Int32Array {
  const { history, role, add } = container;
  const turn = new Int32Array(add.length);
  for (let i = 0; i < sorted.length; i++) turn[sorted[i]] = i;
  const bucket = new Int32Array(history.length).fill(NO_SLOT);
  /** Operation to its turn within its bucket. */
  const key = new Int32Array(history.length);
  const put = (k: number, what: number, v: number, stage: number): void => {
    if (k === NONE || slot[k] === NO_SLOT) return;
    bucket[k] = slot[k] * CLASSES + what;
    key[k] = STAGES * (what === COMES ? sorted.length - turn[v] : turn[v]) + stage;
  };
  for (let v = 0; v < add.length; v++) {
    const isBoth = taken[v] !== NONE && add[v] !== NONE && slot[add[v]] === slot[taken[v]];
    put(taken[v], LEAVES, v, OUT);
    put(add[v], isBoth ? LEAVES : COMES, v, IN);
    const comes = isBoth || add[v] === NONE ? NO_SLOT : slot[add[v]];
    for (let k = peeks.first(v); k !== END; k = peeks.next(k))
      put(k, slot[k] === comes ? COMES : LEAVES, v, SEEN);
  }
  for (let k = 0; k < history.length; k++) if (role[k] === EMPTY) bucket[k] = empties[k] * CLASSES + NOTHING;

  // where each bucket begins; when all are handed out, where it ends
  const place = new Int32Array(end * CLASSES + 1);
  for (let k = 0; k < bucket.length; k++) if (bucket[k] !== NO_SLOT) place[bucket[k] + 1]++;
  for (let i = 1; i < place.length; i++) place[i] += place[i - 1];
  const order = new Int32Array(place[place.length - 1]);
  for (let k = 0; k < bucket.length; k++) if (bucket[k] !== NO_SLOT) order[place[bucket[k]]++] = k;

  const inTurn = (a: number, b: number): number => key[a] - key[b];
  for (let i = 0, begin = 0; begin < order.length; begin = place[i++])
    if (!sortByInsertion(order, begin, place[i], FEW_MOVES, inTurn))
      order.set(mergeSort(order.subarray(begin, place[i]), inTurn), begin);
  return order;
}
