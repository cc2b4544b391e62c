/**
 * When each value of a queue was definitely enqueued, at the front, and present.
 *
 * Times are moments; an initial value was enqueued before all of them. A value of a pending enqueue that no operation
 * returned was never present: all its moments are NEVER.
 */
import { NEVER } from '../../../history/model/columns.js';
import { ADD, type Container, NONE, OPEN_REMOVE, PEEK, REMOVE } from '../container/container.js';

/*
 * While a value is definitely at the front, no other value is.
 *
 * Peeks determine a stretch from `seen` to `last` in which one value is at the front. Two stretches never overlap,
 * and no value can have its whole time at the front inside the stretch of another. A value that must be seen by a
 * moment inside another's stretch was seen before that stretch started; a value that is still present at such a
 * moment is present until its end (`clip` moves both). Then "seen before the last moment of another" is an order.
 *
 * Cost: O(n) after sorting the stretches.
 */

/**
 * Two values that are at the front alternately, if there are any; otherwise moments inside stretches have been moved.
 */
export function clip(seen: Int32Array, last: Int32Array): readonly [number, number] | undefined {
  const stretches: number[] = [];
  for (let v = 0; v < seen.length; v++) if (seen[v] < last[v]) stretches.push(v);
  stretches.sort((a, b) => seen[a] - seen[b]);
  for (let i = 1; i < stretches.length; i++)
    if (seen[stretches[i]] < last[stretches[i - 1]]) return [stretches[i - 1], stretches[i]];
  if (stretches.length === 0) return undefined;
  const begins = Int32Array.from(stretches, (v) => seen[v]);
  const ends = Int32Array.from(stretches, (v) => last[v]);
  for (let v = 0; v < seen.length; v++) {
    if (seen[v] < last[v] || (seen[v] === NEVER && last[v] === NEVER)) continue;
    const before = lastBefore(begins, last[v]);
    const [ofLast, ofSeen] = [before, lastBefore(begins, seen[v])];
    if (ofLast >= 0 && last[v] < ends[ofLast] && seen[v] < ends[ofLast]) return [stretches[ofLast], v];
    if (ofLast >= 0 && last[v] < ends[ofLast]) last[v] = ends[ofLast];
    if (ofSeen >= 0 && seen[v] < ends[ofSeen]) seen[v] = begins[ofSeen];
  }
  return undefined;
}

/** The last of these ascending moments that is before another; -1 if none is. */
function lastBefore(moments: Int32Array, moment: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (moments[middle] < moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export class QueueTimes {
  /** The call of its enqueue. */
  readonly put: Int32Array;
  /** From then on it is definitely present. */
  readonly inside: Int32Array;
  /** By then it has been at the front. */
  readonly seen: Int32Array;
  /** Until then it is present; NEVER: to the end. */
  readonly last: Int32Array;
  /** The operation that removes it, possibly a pending one; or NONE. */
  readonly taken: Int32Array;

  private constructor(values: number) {
    const moments = (): Int32Array => new Int32Array(values).fill(NEVER);
    [this.put, this.inside, this.seen, this.last, this.taken] = [
      moments(),
      moments(),
      moments(),
      moments(),
      new Int32Array(values).fill(NONE),
    ];
  }

  /** The times, or why the monitor declines. */
  static of(container: Container): QueueTimes | string {
    const times = new QueueTimes(container.values);
    const lastPeek = times.#readShown(container);
    return times.#takeLeft(container, lastPeek) ?? times;
  }

  /** Reads what each operation shows. Returns the last call of a peek for each value, or NONE. */
  #readShown({ history, role, value, remove, initial }: Container): Int32Array {
    const { put, inside, seen, last, taken } = this;
    const { call, return: returned } = history.columns;
    const lastPeek = new Int32Array(put.length).fill(NONE);
    for (let v = 0; v < initial; v++) put[v] = inside[v] = v - initial;
    for (let k = 0; k < history.length; k++) {
      const v = value[k];
      if (v === NONE) continue;
      if (role[k] === ADD) {
        put[v] = call[k];
        inside[v] = Math.min(inside[v], returned[k]);
      } else if (role[k] === REMOVE || role[k] === PEEK) {
        seen[v] = Math.min(seen[v], returned[k]);
        if (v >= initial) inside[v] = Math.min(inside[v], returned[k]);
        if (role[k] === PEEK) lastPeek[v] = call[k];
      }
    }
    for (let v = 0; v < put.length; v++) {
      taken[v] = remove[v];
      if (remove[v] !== NONE) last[v] = Math.max(put[v], call[remove[v]], lastPeek[v]);
    }
    return lastPeek;
  }

  /** Pending removals take the remaining values, the oldest first. */
  #takeLeft({ history, role, value, initial }: Container, lastPeek: Int32Array): string | undefined {
    const { put, inside, last, taken } = this;
    const { events, call } = history.columns;
    const open: number[] = [];
    for (let k = role.indexOf(OPEN_REMOVE); k >= 0; k = role.indexOf(OPEN_REMOVE, k + 1)) open.push(k);
    if (open.length === 0) return undefined;
    if (lastPeek.some((moment, v) => moment !== NONE && taken[v] === NONE))
      return 'a pending removal may have removed a value that was seen at the front';
    let next = 0;
    const take = (v: number): void => {
      if (taken[v] !== NONE || next === open.length) return;
      taken[v] = open[next++];
      last[v] = Math.max(put[v], call[taken[v]]);
    };
    for (let v = 0; v < initial; v++) take(v);
    for (let moment = 0; moment < events.length && next < open.length; moment++) {
      const k = ~events[moment];
      if (k >= 0 && role[k] === ADD && inside[value[k]] === moment) take(value[k]);
    }
    return undefined;
  }
}
