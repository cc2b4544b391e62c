/**
 * A linearization of a queue, once no condition is violated.
 *
 * Slots with "empty" results divide the values into blocks: those that are gone by then, and the rest. Within a
 * block, values have a sequence (`queueSequence`). Each operation takes effect at the latest call so far: along the
 * sequence for enqueues, and separately for peeks and dequeues. Merged by these moments, this is the order of the
 * block.
 *
 * Cost: O(n).
 */
import { invariant } from '../../../base/errors.js';
import { NEVER } from '../../../history/model/columns.js';
import { END, GroupedLists } from '../common/lists.js';
import { ADD, type Container, EMPTY, NONE, PEEK } from '../container/container.js';
import type { QueueTimes } from './times.js';

/** `slots`: where "empty" results take effect. */
export function queueOrder(container: Container, times: QueueTimes, slots: Int32Array): Int32Array {
  const { history, role, value, add } = container;
  const { events, call } = history.columns;
  const { put, inside, taken } = times;
  const slotsBefore = countSlots(slots, events.length);
  const blocks = slotsBefore[events.length] + 1;
  const blockOf = inside.map((moment) => (moment === NEVER ? END : slotsBefore[Math.max(0, moment)]));
  const sequence = queueSequence(container, times, blockOf, blocks);

  const empties = new GroupedLists(blocks, history.length, (k) =>
    role[k] === EMPTY ? slotsBefore[slots[k]] : END,
  );
  const peeks = new GroupedLists(put.length, history.length, (k) => (role[k] === PEEK ? value[k] : END));
  const order = new Int32Array(history.length);
  const entered = new Int32Array(sequence.length);
  let length = 0;
  let begin = 0;
  for (let block = 0; block < blocks; block++) {
    let end = begin;
    while (end < sequence.length && blockOf[sequence[end]] === block) end++;
    let [entering, leaving] = [begin, begin];
    let peek = leaving < end ? peeks.first(sequence[leaving]) : END;
    // the moments at which the last operation of both kinds took effect; and for each value the moment of its enqueue
    let [putAt, takenAt] = [-1, -1];
    for (;;) {
      const next = leaving === end ? NONE : peek === END ? taken[sequence[leaving]] : peek;
      if (entering === end && next === NONE) break;
      if (entering < end) {
        const at = Math.max(putAt, put[sequence[entering]]);
        if (entering === leaving || next === NONE || at <= Math.max(takenAt, call[next], entered[leaving])) {
          putAt = at;
          entered[entering] = at;
          const k = add[sequence[entering++]];
          if (k !== NONE) order[length++] = k;
          continue;
        }
      }
      takenAt = Math.max(takenAt, call[next], entered[leaving]);
      order[length++] = next;
      if (peek !== END) peek = peeks.next(peek);
      else if (++leaving < end) peek = peeks.first(sequence[leaving]);
    }
    for (let k = empties.first(block); k !== END; k = empties.next(k)) order[length++] = k;
    begin = end;
  }
  return order.subarray(0, length);
}

/** For each moment, the number of used slots before it. */
function countSlots(slots: Int32Array, moments: number): Int32Array {
  const before = new Int32Array(moments + 1);
  for (let k = 0; k < slots.length; k++) if (slots[k] >= 0) before[slots[k] + 1] = 1;
  for (let moment = 1; moment <= moments; moment++) before[moment] += before[moment - 1];
  return before;
}

/**
 * The values in order, block by block, once no condition is violated.
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
 * Cost: O(n). `blockOf` is negative for values that were never present.
 */
function queueSequence(
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
