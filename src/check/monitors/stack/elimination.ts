/**
 * Elimination: decides stacks of distinct values. It eliminates one value at a time: one that can be below all others
 * that remain.
 *
 *   P. Abdulla et al. Efficient linearizability monitoring. 2025 (LiMo), section 4, in O(n²).
 *   Han and Mathur. fastlin, 2025: O(n log n) by an interval tree. Here by runs of slots, and with peeks.
 *
 * A slot is the gap after an event. A value *covers* the slots in which it is definitely present (from `from` up to
 * `to`). A slot is *open* if no remaining value covers it. A value can be eliminated when
 *
 *   - its push has an open slot, and its pop has one, or there is no pop;
 *   - each peek at it has a slot that no other value covers.
 *
 * A history is linearizable exactly when all values are eliminated.
 *
 * *If they are*, insert the values in reverse order of elimination. Invariant: the stack is empty in all slots that no
 * inserted value covers. Let v be the next value. Insert push(v) in its last open slot t1, pop(v) in its first open slot
 * t2, and each peek in its own slot. Everything in between is above v. The invariant still holds: v or a value inserted
 * earlier covers each slot between t1 and t2. A peek with an open slot before t1 overlaps t1, and one after t2 overlaps
 * t2, so it can be placed in between.
 *
 * *If there is a linearization*, the value that is pushed first is alone when it is pushed, popped and seen at the top,
 * so no other value covers these slots, and it can be eliminated. Without its operations, the linearization is one of
 * the rest.
 *
 * A value whose operations all overlap is omitted: it comes and goes in one slot. Initial values have slots of their
 * own, before all others. If a peek at v is called after its pop, the pop takes effect after that call, so a slot for
 * the last such peek is one for the pop.
 *
 * Cost: O(n log n).
 */
import {
  IntervalsByEnd,
  NO_INTERVAL,
  RangeCountdown,
  RangeXor,
} from '../../../base/algorithms/range-countdown.js';
import { IntSet } from '../../../base/collections/int-set.js';
import { END, GroupedLists } from '../common/lists.js';
import type { ValueIntervals } from '../container/container.js';
import { ADD, type Container, NONE, PEEK } from '../container/container.js';

/*
 * Peeks that have a slot in which no other value is present.
 *
 * For each slot, the number of values that cover it is maintained, and the exclusive or of the numbers of these values.
 * When only one value covers the slot, the exclusive or is the number of this value. Cost: O(log n) per eliminated value, per slot that comes to have one value, and per peek.
 */

class Alone {
  /** The peeks found since the last removal, and their slots: the first `count` entries. */
  readonly peeks: Int32Array;
  readonly slots: Int32Array;
  count = 0;
  /** For each slot, how many values beside one cover it; and the exclusive or of their numbers, from 1. */
  readonly #others: RangeCountdown;
  readonly #sums: RangeXor;
  /** Peeks by value, in order of call: for each value, the place of its first. */
  readonly #first: Int32Array;
  readonly #byValue: Int32Array;
  readonly #calls: Int32Array;
  readonly #spans: IntervalsByEnd;

  /** `covers`: for each slot, how many values cover it. */
  constructor(
    { history, role, value, initial, values }: Container,
    intervals: ValueIntervals,
    covers: Int32Array,
  ) {
    const { call, return: returned } = history.columns;
    this.#others = new RangeCountdown(covers.map((count) => count - 1));
    this.#sums = new RangeXor(covers.length + 1);
    for (let v = 0; v < values; v++)
      if (intervals.was(v) && !intervals.isBrief(v))
        this.#sums.toggle(intervals.from[v] + initial, intervals.to[v] + initial, v + 1);

    const chains = new GroupedLists(values, history.length, (k) => (role[k] === PEEK ? value[k] : END));
    this.#first = new Int32Array(values + 1);
    this.#byValue = new Int32Array(history.length);
    let length = 0;
    for (let v = 0; v < values; v++) {
      this.#first[v] = length;
      for (let k = chains.first(v); k !== END; k = chains.next(k)) this.#byValue[length++] = k;
    }
    this.#first[values] = length;
    this.#calls = new Int32Array(length);
    const ends = new Int32Array(length);
    for (let place = 0; place < length; place++) {
      this.#calls[place] = call[this.#byValue[place]] + initial;
      ends[place] = returned[this.#byValue[place]] + initial;
    }
    this.#spans = new IntervalsByEnd(ends);
    this.peeks = new Int32Array(length);
    this.slots = new Int32Array(length);
    this.#find();
  }

  /** Removes a value that covers the slots from `begin` up to `end`. */
  remove(v: number, begin: number, end: number): void {
    this.#sums.toggle(begin, end, v + 1);
    this.#others.lower(begin, end);
    this.#find();
  }

  #find(): void {
    const { zeros, count } = this.#others;
    this.count = 0;
    for (let i = 0; i < count; i++) {
      const slot = zeros[i];
      const v = this.#sums.at(slot) - 1;
      this.#spans.take(this.#first[v], this.#calledBy(slot, v), slot);
      for (let j = 0; j < this.#spans.count; j++) {
        this.peeks[this.count] = this.#byValue[this.#spans.found[j]];
        this.slots[this.count++] = slot;
      }
    }
  }

  /** The place after the last peek at a value that is called up to a slot. */
  #calledBy(slot: number, v: number): number {
    let [low, high] = [this.#first[v], this.#first[v + 1]];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#calls[middle] <= slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class Elimination {
  /** The values in order of elimination: the first `gone` entries. */
  readonly sequence: Int32Array;
  gone = 0;
  /** For each value, the slots in which it is pushed and popped; `slots` if it is not popped. */
  readonly pushed: Int32Array;
  readonly popped: Int32Array;
  /** For each peek, the slot in which no other value covers it; or -1. */
  readonly seen: Int32Array;
  readonly slots: number;
  /** The offset from moments to slots: the slots of initial values come first. */
  readonly shift: number;

  readonly #container: Container;
  readonly #intervals: ValueIntervals;
  /** For each value, how many of its operations have no slot yet. */
  readonly #needed: Int32Array;
  readonly #isFree: Uint8Array;
  readonly #cover: RangeCountdown;
  readonly #spans: IntervalsByEnd;
  readonly #open: IntSet;
  readonly #alone: Alone | undefined;
  /** Values that can be eliminated, and how many. */
  readonly #ready: Int32Array;
  #readyCount = 0;
  /** How many values there are to eliminate. */
  #count = 0;

  constructor(container: Container, intervals: ValueIntervals) {
    const { history, role, initial, values } = container;
    this.#container = container;
    this.#intervals = intervals;
    this.shift = initial;
    this.slots = intervals.end + initial;
    this.sequence = new Int32Array(values);
    this.pushed = new Int32Array(values);
    this.popped = new Int32Array(values);
    this.seen = new Int32Array(role.includes(PEEK) ? history.length : 0).fill(NONE);
    this.#needed = new Int32Array(values);
    this.#isFree = new Uint8Array(history.length);
    this.#ready = new Int32Array(values);
    const counts = this.#countCovers();
    this.#alone = role.includes(PEEK) ? new Alone(container, intervals, counts) : undefined;
    this.#cover = new RangeCountdown(counts);
    this.#spans = new IntervalsByEnd(this.#ends());
    this.#open = new IntSet(this.slots);
    this.#run();
  }

  /** The values that cannot be eliminated. */
  stuck(): number[] {
    const { from } = this.#intervals;
    if (this.gone === this.#count) return [];
    return Array.from(from.keys()).filter((v) => this.#isIn(v) && this.#needed[v] > 0);
  }

  #isIn(v: number): boolean {
    return this.#intervals.was(v) && !this.#intervals.isBrief(v);
  }

  /** For each slot, how many values cover it. */
  #countCovers(): Int32Array {
    const { from, to } = this.#intervals;
    const counts = new Int32Array(this.slots + 1);
    for (let v = 0; v < from.length; v++) {
      if (!this.#isIn(v)) continue;
      this.#count++;
      counts[from[v] + this.shift]++;
      counts[to[v] + this.shift]--;
    }
    for (let slot = 1; slot < counts.length; slot++) counts[slot] += counts[slot - 1];
    return counts.subarray(0, this.slots);
  }

  /** For each slot, the end of the operation called there; counts what each value needs. */
  #ends(): Int32Array {
    const { shift } = this;
    const { history, role, initial } = this.#container;
    const { call, return: returned } = history.columns;
    const { from, to, out, taken, value } = this.#intervals;
    const ends = new Int32Array(this.slots).fill(NO_INTERVAL);
    for (let v = 0; v < initial; v++) this.#needed[v] = 1;
    for (let k = 0; k < history.length; k++) {
      const v = value[k];
      if (v === NONE || !this.#isIn(v)) continue;
      // a peek called after the pop stands for it
      const isLast = call[k] === to[v];
      if (role[k] === ADD) ends[call[k] + shift] = from[v] + shift;
      else if (role[k] === PEEK)
        ends[call[k] + shift] =
          (isLast && taken[v] !== NONE ? Math.min(returned[k], out[v]) : returned[k]) + shift;
      else if (isLast) ends[call[k] + shift] = out[v] + shift;
      else continue;
      this.#needed[v]++;
    }
    return ends;
  }

  #run(): void {
    const { from, to, taken } = this.#intervals;
    this.#openSlots();
    while (this.#readyCount > 0) {
      const v = this.#ready[--this.#readyCount];
      const [begin, end] = [from[v] + this.shift, to[v] + this.shift];
      this.sequence[this.gone++] = v;
      this.pushed[v] = this.#open.previous(begin - 1);
      this.popped[v] = taken[v] === NONE ? this.slots : this.#open.next(end);
      this.#cover.lower(begin, end);
      this.#alone?.remove(v, begin, end);
      this.#openSlots();
    }
  }

  /** Opens the slots that are no longer covered, run by run, and frees the operations that have one of them. */
  #openSlots(): void {
    const { zeros, count } = this.#cover;
    for (let i = 0; i < count; ) {
      const first = zeros[i];
      if (first > 0 && !this.#open.has(first - 1)) {
        // operations that overlap the start of the run; those called before it that do not, end before it
        this.#spans.take(0, first, first);
        for (let j = 0; j < this.#spans.count; j++) this.#freeAt(this.#spans.found[j]);
      }
      for (let slot = first; i < count && zeros[i] === slot; i++, slot++) {
        this.#open.add(slot);
        this.#freeAt(slot);
      }
    }
    const alone = this.#alone;
    if (!alone) return;
    for (let i = 0; i < alone.count; i++) {
      this.seen[alone.peeks[i]] = alone.slots[i];
      this.#free(alone.peeks[i]);
    }
  }

  /** Frees the operation that is called at a slot. */
  #freeAt(slot: number): void {
    if (slot < this.shift) {
      this.#countDown(slot);
      return;
    }
    const k = this.#container.history.columns.events[slot - this.shift];
    if (k >= 0) this.#free(k);
  }

  #free(k: number): void {
    const v = this.#intervals.value[k];
    if (v === NONE || this.#isFree[k] === 1 || !this.#isIn(v)) return;
    const { role, history } = this.#container;
    const isReplaced =
      role[k] !== ADD && role[k] !== PEEK && history.columns.call[k] !== this.#intervals.to[v];
    if (isReplaced) return;
    this.#isFree[k] = 1;
    this.#countDown(v);
  }

  #countDown(v: number): void {
    if (--this.#needed[v] === 0) this.#ready[this.#readyCount++] = v;
  }
}
