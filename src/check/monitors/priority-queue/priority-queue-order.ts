/**
 * An order of a priority queue's operations, once each has its slot.
 *
 * Slot by slot; within one, first the values that leave or are seen there, the most urgent first, with those that come and leave
 * there; then those that find nothing; then the values that come, the least urgent first, each with the peeks that
 * are so early. Cost: O(n).
 */
import { END } from '../chains.js';
import { type Container, EMPTY, NONE } from '../container.js';
import type { Lives } from '../lives.js';
import { NO_SLOT, type Placing } from './placing.js';
import type { Urgencies } from './urgencies.js';

/** What happens in a slot, in this order. There are four, a power of two. */
const [LEAVES, NOTHING, COMES] = [0, 1, 2];
const CLASSES = 4;

/** `empties`: operations that found nothing, to the moments at which they did. */
export function priorityQueueOrder(
  container: Container,
  { taken, end }: Lives,
  { sorted }: Urgencies,
  { slot, peeks }: Placing,
  empties: Int32Array,
): Int32Array {
  const { history, role, add } = container;
  const bucket = new Int32Array(history.length).fill(NO_SLOT);
  const comesAndLeaves = (v: number): boolean =>
    taken[v] !== NONE && add[v] !== NONE && slot[add[v]] === slot[taken[v]];
  const put = (k: number, what: number): void => {
    if (k !== NONE && slot[k] !== NO_SLOT) bucket[k] = slot[k] * CLASSES + what;
  };
  for (let v = 0; v < add.length; v++) {
    const isBoth = comesAndLeaves(v);
    put(taken[v], LEAVES);
    put(add[v], isBoth ? LEAVES : COMES);
    const comes = isBoth || add[v] === NONE ? NO_SLOT : slot[add[v]];
    for (let k = peeks.first(v); k !== END; k = peeks.next(k)) put(k, slot[k] === comes ? COMES : LEAVES);
  }
  for (let k = 0; k < history.length; k++) if (role[k] === EMPTY) bucket[k] = empties[k] * CLASSES + NOTHING;

  // where each bucket begins
  const place = new Int32Array(end * CLASSES + 1);
  for (let k = 0; k < bucket.length; k++) if (bucket[k] !== NO_SLOT) place[bucket[k] + 1]++;
  for (let i = 1; i < place.length; i++) place[i] += place[i - 1];

  const order = new Int32Array(place[place.length - 1]);
  const emit = (k: number, what: number): void => {
    if (k !== NONE && bucket[k] !== NO_SLOT && (bucket[k] & (CLASSES - 1)) === what)
      order[place[bucket[k]]++] = k;
  };
  const emitAll = (v: number, what: number): void => {
    emit(add[v], what);
    for (let k = peeks.first(v); k !== END; k = peeks.next(k)) emit(k, what);
    emit(taken[v], what);
  };
  for (let i = 0; i < sorted.length; i++) emitAll(sorted[i], LEAVES);
  for (let i = sorted.length - 1; i >= 0; i--) emitAll(sorted[i], COMES);
  for (let k = 0; k < history.length; k++) emit(k, NOTHING);
  return order;
}
