/**
 * Who found nothing needs a moment at which no value is surely inside.
 *
 *   LiMo, lemma 4.3, which holds for stacks, queues, priority queues and multisets alike: at such a moment
 *   all values can be divided into those that are over and those to come, and the orders of both put
 *   one behind the other, with nothing in between. So an answer "nothing" is right or wrong by itself.
 *
 * A value is surely inside from the moment `from` up to the moment `to`. A slot is the gap behind an
 * event; an operation takes effect in a slot from its call up to its return. Cost: O(n).
 */
import { type Container, EMPTY } from './container.js';

/** Moments of each value; `from` is negative where it was there at first, and `from` > `to` if it need not be inside ever. */
export interface Presence {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** In `slots`: the operation has none, or needs none. */
const NO_SLOT = -1;

/** Operation to the last free slot of it, for those that found nothing; and the first of them that has none, or -1. */
export function emptySlots(
  { history, role }: Container,
  { from, to }: Presence,
): { readonly slots: Int32Array; readonly fault: number } {
  const { events, call } = history.columns;
  const change = new Int32Array(events.length);
  let inside = 0;
  for (let v = 0; v < from.length; v++) {
    if (from[v] >= to[v]) continue;
    if (from[v] < 0) inside++;
    else change[from[v]]++;
    if (to[v] < events.length) change[to[v]]--;
  }
  const slots = new Int32Array(history.length).fill(NO_SLOT);
  let free = NO_SLOT;
  let fault = -1;
  for (let moment = 0; moment < events.length; moment++) {
    const k = ~events[moment];
    if (k >= 0 && role[k] === EMPTY) {
      if (free >= call[k]) slots[k] = free;
      else if (fault < 0) fault = k;
    }
    inside += change[moment];
    if (inside === 0) free = moment;
  }
  return { slots, fault };
}

/** The fewest values of which one is inside at each moment from the call to the return of an operation. */
export function coverOf(begin: number, end: number, { from, to }: Presence): number[] {
  const sorted = Array.from(from.keys())
    .filter((v) => from[v] < to[v] && to[v] > begin && from[v] < end)
    .sort((a, b) => from[a] - from[b]);
  const cover: number[] = [];
  let [next, needed] = [0, begin];
  while (needed < end) {
    let best = -1;
    for (; next < sorted.length && from[sorted[next]] <= needed; next++)
      if (best < 0 || to[sorted[next]] > to[best]) best = sorted[next];
    if (best < 0) break;
    cover.push(best);
    needed = to[best];
  }
  return cover;
}
