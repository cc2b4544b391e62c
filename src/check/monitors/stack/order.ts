/**
 * A linearization of a stack, once all values are eliminated.
 *
 * Slot by slot. Within a slot: first the values that are popped there, the last eliminated first, each with its
 * peeks; then "empty" results; then the values that are pushed there, the first eliminated first, each with its early
 * peeks; then values that come and go there.
 *
 * Cost: O(n).
 */

import { END, GroupedLists } from '../common/lists.js';
import { ADD, type Container, EMPTY, IDLE, NONE, OPEN_REMOVE, PEEK, REMOVE } from '../container/container.js';
import type { ValueIntervals } from '../container/value-intervals.js';
import type { Elimination } from './elimination.js';

/* A stack of value numbers. */

export class StackModel {
  /** The value that was popped last, or NONE if the stack was empty. */
  popped: number = NONE;
  readonly #container: Container;
  readonly #items: Int32Array;
  #height: number;

  constructor(container: Container) {
    this.#container = container;
    this.#items = new Int32Array(container.values);
    this.#height = container.initial;
    for (let v = 0; v < container.initial; v++) this.#items[v] = v;
  }

  /** Applies an operation; returns whether its result is correct. */
  step(k: number): boolean {
    const { role, value } = this.#container;
    const isGiven = (v: number): boolean => v !== NONE && v === value[k];
    const top = this.#height === 0 ? NONE : this.#items[this.#height - 1];
    switch (role[k]) {
      case ADD:
        this.#items[this.#height++] = value[k];
        return true;
      case EMPTY:
        return top === NONE;
      case IDLE:
        return true;
      case OPEN_REMOVE:
      case REMOVE:
        this.popped = top;
        if (top !== NONE) this.#height--;
        return role[k] === OPEN_REMOVE || isGiven(top);
      default:
        return isGiven(top);
    }
  }
}

/** What happens in a slot, in this order. */
const [POPPED, NOTHING, PUSHED, BRIEF] = [0, 1, 2, 3];
const CLASSES = 4;

/** `empties`: for each "empty" result, the moment at which it takes effect. */
export function stackOrder(
  container: Container,
  intervals: ValueIntervals,
  elimination: Elimination,
  empties: Int32Array,
): Int32Array {
  const { history, role, add, values } = container;
  const { call } = history.columns;
  const { sequence, gone, pushed, popped, seen, shift } = elimination;
  const { taken, value } = intervals;
  const peeks = new GroupedLists(values, seen.length, (k) => (role[k] === PEEK ? value[k] : END));

  // for each operation, its bucket: a slot and a class of it
  const bucket = new Int32Array(history.length).fill(NONE);
  const put = (k: number, slot: number, what: number): void => {
    if (k !== NONE) bucket[k] = slot * CLASSES + what;
  };
  const atPush = (k: number, v: number): boolean => seen[k] === NONE && call[k] + shift <= pushed[v];
  for (let v = 0; v < values; v++) {
    if (!intervals.was(v)) continue;
    const brief = intervals.isBrief(v);
    const [first, last] = brief ? [intervals.to[v] + shift, intervals.to[v] + shift] : [pushed[v], popped[v]];
    put(add[v], first, brief ? BRIEF : PUSHED);
    put(taken[v], last, brief ? BRIEF : POPPED);
    if (seen.length === 0) continue;
    for (let k = peeks.first(v); k !== END; k = peeks.next(k))
      if (brief) put(k, first, BRIEF);
      else if (atPush(k, v)) put(k, first, PUSHED);
      else put(k, seen[k] === NONE ? last : seen[k], POPPED);
  }
  for (let k = 0; k < history.length; k++) if (role[k] === EMPTY) put(k, empties[k] + shift, NOTHING);

  // where each bucket starts
  const place = new Int32Array((elimination.slots + 1) * CLASSES + 1);
  for (let k = 0; k < bucket.length; k++) if (bucket[k] !== NONE) place[bucket[k] + 1]++;
  for (let i = 1; i < place.length; i++) place[i] += place[i - 1];

  const order = new Int32Array(place[place.length - 1]);
  const emit = (k: number): void => {
    if (k !== NONE) order[place[bucket[k]]++] = k;
  };
  const emitPeeks = (v: number, what: number): void => {
    if (seen.length > 0)
      for (let k = peeks.first(v); k !== END; k = peeks.next(k))
        if ((bucket[k] & (CLASSES - 1)) === what) emit(k);
  };
  for (let i = gone - 1; i >= 0; i--) {
    emitPeeks(sequence[i], POPPED);
    emit(taken[sequence[i]]);
  }
  for (let i = 0; i < gone; i++) {
    emit(add[sequence[i]]);
    emitPeeks(sequence[i], PUSHED);
  }
  for (let k = 0; k < history.length; k++) if (role[k] === EMPTY) emit(k);
  for (let v = 0; v < values; v++) {
    if (!intervals.was(v) || !intervals.isBrief(v)) continue;
    emit(add[v]);
    emitPeeks(v, BRIEF);
    emit(taken[v]);
  }
  return order;
}
