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
import type { ValueInterval } from '../../model/monitor-causes.js';
import { violation } from '../../model/verdict.js';
import type { MonitorResult } from '../common/monitor.js';
import { type Container, EMPTY, NONE, OPEN_REMOVE, PEEK, REMOVE } from './container.js';

/* Values of a container as a cause names them, and the operations that show it. */

export function intervalOf(
  container: Container,
  value: number,
  taken: number = container.remove[value],
): ValueInterval {
  const { id } = container.history.columns;
  const idOf = (k: number): number | undefined => (k === NONE ? undefined : id[k]);
  return { value: container.valueOf(value), put: idOf(container.add[value]), taken: idOf(taken) };
}

/** The operations that put these values in, give them, or are named for it. */
export function operationsOf({ value, add }: Container, values: Iterable<number>): number[] {
  const chosen = new Set(values);
  const operations = new Set<number>();
  for (const v of chosen) if (add[v] !== NONE) operations.add(add[v]);
  for (let k = 0; k < value.length; k++) if (chosen.has(value[k])) operations.add(k);
  return [...operations];
}

/** Moments of each value; `from` is negative where it was there at first, and `from` > `to` if it need not be inside ever. */
interface Presence {
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

/* What to show of a container where values are inside all the time. */

/** Somebody found nothing, though all the time one of some values was surely inside. */
export function neverEmpty(container: Container, presence: Presence, operation: number): MonitorResult {
  const { id, call, return: returned } = container.history.columns;
  const cover = coverOf(call[operation], returned[operation], presence);
  return violation({
    operations: [operation, ...operationsToShow(container, cover)],
    cause: {
      kind: 'never empty',
      operation: id[operation],
      stays: cover.map((v) => intervalOf(container, v)),
    },
    minimal: true,
  });
}

/** The operations on these values; where nobody is known to have taken one out, also those that never returned and may have. */
export function operationsToShow(container: Container, values: readonly number[]): number[] {
  const { role, remove } = container;
  const isLeft = values.some((v) => remove[v] === NONE);
  const open = isLeft ? Array.from(role.keys()).filter((k) => role[k] === OPEN_REMOVE) : [];
  return [...operationsOf(container, values), ...open];
}

/*
 * What no container can do: give a value that was not put in before, or give it away twice.
 *
 * Each value by itself; these are contradictions whatever the order of removal. Cost: one pass.
 */

export function findImpossible(container: Container): MonitorResult | undefined {
  const { history, role, value, add, remove, second } = container;
  const { id, call, return: returned } = history.columns;
  const no = (kind: 'from nowhere' | 'taken twice' | 'too early' | 'too late', k: number): MonitorResult =>
    violation({
      operations:
        value[k] === NONE
          ? [k]
          : [...new Set([k, add[value[k]], remove[value[k]]])].filter((o) => o !== NONE),
      cause:
        kind === 'from nowhere'
          ? { kind, operation: id[k] }
          : { kind, operation: id[k], stay: intervalOf(container, value[k]) },
      minimal: true,
    });
  if (second !== NONE) return no('taken twice', second);
  for (let k = 0; k < history.length; k++) {
    if (role[k] !== REMOVE && role[k] !== PEEK) continue;
    const v = value[k];
    if (v === NONE) return no('from nowhere', k);
    if (add[v] !== NONE && returned[k] < call[add[v]]) return no('too early', k);
    if (remove[v] !== NONE && returned[remove[v]] < call[k]) return no('too late', k);
  }
  return undefined;
}
