/**
 * The stack monitor: decides stacks of distinct values.
 *
 * A history is linearizable exactly when
 *
 *   1. each value is pushed before it is returned, and popped once, after all peeks (`findImpossible`);
 *   2. each "empty" result has a moment at which no value is definitely present (`emptySlots`);
 *   3. all values can be eliminated from below (`Elimination`).
 *
 * Most linearizable histories are recognised before, by one run along their events (`lazy-run.ts`).
 *
 * Pending pops may have taken any remaining value. First they are ignored. If that fails, the monitor tries whether
 * an unlimited number of them would help. If so, a search decides for the values that cannot be eliminated, those
 * that exclude an "empty" result, and these pops. All other values can be eliminated whatever the search chooses,
 * because an earlier removal blocks nothing. The choice is then verified by another elimination.
 *
 * Cost: O(n log n), plus that search.
 */
import { invariant } from '../../../base/errors.js';
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import { linearizable, violation } from '../../model/verdict.js';
import { END, GroupedLists } from '../common/lists.js';
import type { Monitor, MonitorResult, Reading } from '../common/monitor.js';
import {
  ADD,
  bestCase,
  Container,
  EMPTY,
  IDLE,
  NONE,
  OPEN_REMOVE,
  PEEK,
  REMOVE,
  ValueIntervals,
} from '../container/container.js';
import {
  emptySlots,
  findImpossible,
  intervalOf,
  neverEmpty,
  operationsToShow,
  searchResidue,
} from '../container/covering.js';
import { lazyStackOrder } from '../container/lazy-run.js';
import { findCyclicCore } from './cyclic-core.js';
import { Elimination } from './elimination.js';

/** Bytes per operation: trees over two slots for each, value intervals and the order. */
const BYTES = 200;

export const stackMonitor: Monitor = {
  name: 'stack monitor',
  leaves: 'last',
  read(history: History, spec: Spec): Reading | string {
    const container = Container.read(history, spec);
    if (typeof container === 'string') return container;
    return {
      bytes: BYTES * history.length,
      decide: (search) => {
        const order = lazyStackOrder(container);
        return order ? linearizable(order) : decideStack(container, spec, search);
      },
    };
  },
};

/** Decides by the conditions alone. */
export function decideStack(
  container: Container,
  spec: Spec,
  search: Parameters<Reading['decide']>[0],
): MonitorResult {
  const wrong = findImpossible(container);
  if (wrong) return wrong;
  const first = new Attempt(container, new ValueIntervals(container));
  const result = first.decide();
  if (result.kind === 'linearizable' || !container.role.includes(OPEN_REMOVE)) return result;
  const best = new Attempt(container, bestCase(container)).decide();
  if (best.kind !== 'linearizable') return best;

  const found = searchResidue(container.history, spec, first.residue(), search);
  if ('kind' in found) return found;
  const model = new StackModel(container);
  const taken = container.remove.slice();
  for (const k of found) {
    invariant(model.step(k), 'a search gives an order of a stack that is none');
    if (container.role[k] === OPEN_REMOVE && model.popped !== NONE) taken[model.popped] = k;
  }
  return new Attempt(container, new ValueIntervals(container, { taken })).decide();
}

/** An elimination under one assumption of what pending pops remove. */
class Attempt {
  readonly #container: Container;
  readonly #intervals: ValueIntervals;
  readonly #empties: ReturnType<typeof emptySlots>;
  readonly #elimination: Elimination;

  constructor(container: Container, intervals: ValueIntervals) {
    this.#container = container;
    this.#intervals = intervals;
    this.#empties = emptySlots(container, intervals);
    this.#elimination = new Elimination(container, intervals);
  }

  decide(): MonitorResult {
    const { slots, fault } = this.#empties;
    if (fault >= 0) return neverEmpty(this.#container, this.#intervals, fault);
    const stuck = this.#elimination.stuck();
    if (stuck.length > 0) return coreContradiction(this.#container, this.#intervals, stuck);
    return linearizable(stackOrder(this.#container, this.#intervals, this.#elimination, slots));
  }

  /** The operations whose place depends on what pending pops have removed. */
  residue(): (operation: number) => boolean {
    const { history, role, value, initial } = this.#container;
    const { call, return: returned } = history.columns;
    const { from, to } = this.#intervals;
    const kept = new Set(this.#elimination.stuck());
    for (let v = 0; v < initial; v++) kept.add(v);
    const isFault = (k: number): boolean => role[k] === EMPTY && this.#empties.slots[k] < 0;
    for (let k = 0; k < history.length; k++) {
      if (!isFault(k)) continue;
      for (let v = 0; v < from.length; v++)
        if (from[v] < returned[k] && to[v] > call[k] && to[v] !== NEVER) kept.add(v);
    }
    return (k) => role[k] === OPEN_REMOVE || isFault(k) || kept.has(value[k]);
  }
}

function coreContradiction(
  container: Container,
  intervals: ValueIntervals,
  stuck: readonly number[],
): MonitorResult {
  const { history, add } = container;
  const { id, return: returned } = history.columns;
  const { values, blocked } = findCyclicCore(container, intervals, stuck);
  const gives = blocked.filter((k, i) => k !== NONE && k !== add[values[i]]);
  const last = gives.reduce((a, b) => (returned[a] > returned[b] ? a : b));
  return violation({
    operations: operationsToShow(container, values),
    cause: {
      kind: 'cyclic core',
      operation: id[last],
      intervals: values.map((v) => intervalOf(container, v)),
      blocked: blocked.map((k) => (k === NONE ? undefined : id[k])),
    },
  });
}

/** A stack of value numbers. */
class StackModel {
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
const POPPED = 0;
const NOTHING = 1;
const PUSHED = 2;
const BRIEF = 3;
const CLASSES = 4;

/**
 * A linearization of a stack, once all values are eliminated.
 *
 * Slot by slot. Within a slot: first the values that are popped there, the last eliminated first, each with its
 * peeks; then "empty" results; then the values that are pushed there, the first eliminated first, each with its early
 * peeks; then values that come and go there.
 *
 * Cost: O(n). `empties`: for each "empty" result, the moment at which it takes effect.
 */
function stackOrder(
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
