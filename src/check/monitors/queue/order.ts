/**
 * When each value of a queue was definitely enqueued, at the front, and present.
 *
 * Times are moments; an initial value was enqueued before all of them. A value of a pending enqueue that no operation
 * returned was never present: all its moments are NEVER.
 *
 * Then, once no condition is violated, a linearization:
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
import { ADD, type Container, EMPTY, NONE, OPEN_REMOVE, PEEK, REMOVE } from '../container/container.js';

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
 * enqueued next, let v be the one with the earliest last moment. Suppose that w is seen before that moment. Then w
 * cannot be enqueued next: its own last moment would not be before that of v, so that of v would be inside the
 * stretch of w. Of all values, let u be the first that is definitely present. It can be enqueued next, and it is
 * present before w is enqueued. Its last moment is not before that of v, so it is still present when w is seen: w
 * overtakes u, which violates a condition.
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
