/**
 * The order of values in a queue, once no condition is violated.
 *
 * A value can be next if no other must precede it: it is enqueued before any other is definitely present, and its
 * last moment comes before any other is seen at the front. Such a value always exists: of all values that can be
 * enqueued next, take the one with the earliest last moment. If another were seen before that, it could not be
 * enqueued next, so one that can be is present before it is enqueued, and is overtaken.
 *
 * The algorithm walks two lists of moments side by side: of enqueueing (calls `put`, returns `inside`) and of being
 * at the front (calls `last`, returns `seen`). A value whose call has been passed in both lists is next; its returns
 * then no longer block the walk. A stretch is one point of the second list, where it starts. Blocks are walked in
 * sequence.
 *
 * Cost: O(n).
 */
import { invariant } from '../../../base/errors.js';
import { NEVER } from '../../../history/model/columns.js';
import { END, GroupedLists } from '../common/lists.js';
import { ADD, type Container, NONE } from '../container/container.js';
import type { QueueTimes } from './times.js';

/** The values in order, block by block; `blockOf` is negative for values that were never present. */
export function queueSequence(
  container: Container,
  times: QueueTimes,
  blockOf: Int32Array,
  blocks: number,
): Int32Array {
  const entering = new Walk(blockOf, blocks);
  putEntries(container, times, (entry) => entering.add(entry));
  const leaving = new Walk(blockOf, blocks);
  frontEntries(container, times, (entry) => leaving.add(entry));

  const sequence = new Int32Array(blockOf.length);
  let length = 0;
  const passed = new Uint8Array(blockOf.length);
  const isGone = (value: number): boolean => passed[value] === 2;
  const pass = (value: number): void => {
    if (++passed[value] === 2) sequence[length++] = value;
  };
  for (let block = 0; block < blocks; block++)
    while (entering.walk(block, pass, isGone) || leaving.walk(block, pass, isGone));
  invariant(entering.isOver && leaving.isOver, 'a queue without a contradiction has no next value');
  return sequence.subarray(0, length);
}

/** Entries of one list by block: a value for its call, its complement for its return. */
class Walk {
  readonly #blockOf: Int32Array;
  readonly #start: Int32Array;
  readonly #end: Int32Array;
  readonly #entries: Int32Array;

  constructor(blockOf: Int32Array, blocks: number) {
    this.#blockOf = blockOf;
    this.#start = new Int32Array(blocks);
    let room = 0;
    for (let v = 0; v < blockOf.length; v++) if (blockOf[v] >= 0) this.#start[blockOf[v]] += 2;
    for (let block = 0; block < blocks; block++)
      [this.#start[block], room] = [room, room + this.#start[block]];
    this.#end = this.#start.slice();
    this.#entries = new Int32Array(room);
  }

  add(entry: number): void {
    const block = this.#blockOf[entry < 0 ? ~entry : entry];
    if (block >= 0) this.#entries[this.#end[block]++] = entry;
  }

  /** Continues as far as possible; false if that is nowhere. */
  walk(block: number, pass: (value: number) => void, isGone: (value: number) => boolean): boolean {
    const begin = this.#start[block];
    let at = begin;
    for (; at < this.#end[block]; at++) {
      const entry = this.#entries[at];
      if (entry >= 0) pass(entry);
      else if (!isGone(~entry)) break;
    }
    this.#start[block] = at;
    return at > begin;
  }

  get isOver(): boolean {
    return this.#start.every((at, block) => at === this.#end[block]);
  }
}

/** The moments of enqueueing, in order of time. */
function putEntries(
  { history, role, value, initial }: Container,
  { inside }: QueueTimes,
  add: (entry: number) => void,
): void {
  const { events } = history.columns;
  for (let v = 0; v < initial; v++) {
    add(v);
    add(~v);
  }
  for (let moment = 0; moment < events.length; moment++) {
    const k = events[moment];
    const v = value[k < 0 ? ~k : k];
    if (v === NONE) continue;
    if (k < 0 && inside[v] === moment) add(~v);
    else if (k >= 0 && role[k] === ADD) add(v);
  }
}

/** The moments at the front, in order of time. */
function frontEntries(
  { history }: Container,
  { seen, last }: QueueTimes,
  add: (entry: number) => void,
): void {
  const { events } = history.columns;
  const isStretch = (v: number): boolean => seen[v] < last[v];
  const calls = new GroupedLists(events.length, last.length, (v) => (isStretch(v) ? END : last[v]));
  const returns = new GroupedLists(events.length, seen.length, (v) => seen[v]);
  for (let moment = 0; moment < events.length; moment++) {
    for (let v = calls.first(moment); v !== END; v = calls.next(v)) add(v);
    for (let v = returns.first(moment); v !== END; v = returns.next(v)) if (!isStretch(v)) add(~v);
    for (let v = returns.first(moment); v !== END; v = returns.next(v))
      if (isStretch(v)) {
        add(v);
        add(~v);
      }
  }
  // values that are never removed come last
  for (let v = 0; v < last.length; v++) if (last[v] === NEVER && !isStretch(v)) add(v);
}
