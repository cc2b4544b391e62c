/**
 * The priority-queue monitor: decides priority queues of distinct values. Values of equal priority may leave in any
 * order.
 *
 * A history is linearizable exactly when
 *
 *   1. each value is added before it is returned, and removed once, after all peeks (`findImpossible`);
 *   2. each operation that returns a value has a moment at which no value of higher priority is definitely present (`Placing`);
 *   3. each "empty" result has a moment at which no value is definitely present (`emptySlots`).
 *
 * Pending removals may have taken any remaining value. First they are ignored. If that fails, the monitor tries
 * whether an unlimited number of them would help. If so, a search decides. It sees the values of at least the
 * priority of those without a place, from the last moment at which the queue may be empty up to the last return of an
 * operation without a place: an earlier removal blocks nothing, and a removal after that return would not help.
 *
 * Cost: O(n log n) to sort, plus that search.
 */
import { invariant } from '../../../base/errors.js';
import type { History } from '../../../history/history.js';
import type { Spec } from '../../../spec/spec.js';
import { linearizable, violation } from '../../model/verdict.js';
import type { Monitor, MonitorResult, Reading } from '../common/monitor.js';
import { Container, EMPTY, NONE, OPEN_REMOVE, PEEK } from '../container/container.js';
import {
  coverOf,
  emptySlots,
  findImpossible,
  intervalOf,
  neverEmpty,
  operationsToShow,
  searchResidue,
} from '../container/covering.js';
import { bestCase, ValueIntervals } from '../container/value-intervals.js';
import { PriorityQueueModel, priorityQueueOrder } from './order.js';
import { Placing, type Priorities, prioritiesOf } from './placing.js';

/** Bytes per operation: priorities, ranks, value intervals, slots and the order. */
const BYTES = 140;

export const priorityQueueMonitor: Monitor = {
  name: 'priority queue monitor',
  leaves: 'most urgent',
  read(history: History, spec: Spec): Reading | string {
    const container = Container.read(history, spec, { mostArguments: 2 });
    if (typeof container === 'string') return container;
    const urgencies = prioritiesOf(container);
    if (typeof urgencies === 'string') return urgencies;
    if (isUnclear(container, urgencies))
      return 'a pending removal may have removed one of several equally urgent values that were seen';
    return {
      bytes: BYTES * history.length,
      decide: (search) => decide(container, urgencies, spec, search),
    };
  },
};

/** Whether it matters which of several values of equal priority a pending removal takes. */
function isUnclear({ history, role, value, remove, values }: Container, { rank }: Priorities): boolean {
  if (!role.includes(OPEN_REMOVE)) return false;
  const left = new Int32Array(values);
  for (let v = 0; v < values; v++) if (remove[v] === NONE) left[rank[v]]++;
  for (let k = 0; k < history.length; k++) {
    const v = role[k] === PEEK ? value[k] : NONE;
    if (v !== NONE && remove[v] === NONE && left[rank[v]] > 1) return true;
  }
  return false;
}

function decide(
  container: Container,
  urgencies: Priorities,
  spec: Spec,
  search: Parameters<Reading['decide']>[0],
): MonitorResult {
  const wrong = findImpossible(container);
  if (wrong) return wrong;
  const first = new Attempt(container, urgencies, new ValueIntervals(container));
  const result = first.decide();
  if (result.kind === 'linearizable' || !container.role.includes(OPEN_REMOVE)) return result;
  const best = new Attempt(container, urgencies, bestCase(container)).decide();
  if (best.kind !== 'linearizable') return best;

  const found = searchResidue(container.history, spec, first.residue(), search);
  if ('kind' in found) return found;
  const model = new PriorityQueueModel(container, urgencies);
  const taken = container.remove.slice();
  for (const k of found) {
    invariant(model.step(k), 'a search gives an order of a priority queue that is none');
    if (container.role[k] === OPEN_REMOVE && model.taken !== NONE) taken[model.taken] = k;
  }
  return new Attempt(container, urgencies, new ValueIntervals(container, { taken })).decide();
}

/** A placement under one assumption of what pending removals remove. */
class Attempt {
  readonly #container: Container;
  readonly #urgencies: Priorities;
  readonly #intervals: ValueIntervals;
  readonly #placing: Placing;
  readonly #empties: ReturnType<typeof emptySlots>;

  constructor(container: Container, urgencies: Priorities, intervals: ValueIntervals) {
    this.#container = container;
    this.#urgencies = urgencies;
    this.#intervals = intervals;
    this.#placing = new Placing(container, intervals, urgencies);
    this.#empties = emptySlots(container, intervals);
  }

  decide(): MonitorResult {
    const { slots, fault } = this.#empties;
    if (this.#placing.faults.length > 0) return this.#notTheFirst();
    if (fault >= 0) return neverEmpty(this.#container, this.#intervals, fault);
    return linearizable(
      priorityQueueOrder(this.#container, this.#intervals, this.#urgencies, this.#placing, slots),
    );
  }

  /** Of the faulty operations that return the first of the values, the one with the smallest cover. */
  #notTheFirst(): MonitorResult {
    const container = this.#container;
    const { value } = container;
    const { faults } = this.#placing;
    const covers = faults
      .filter((k) => value[k] === value[faults[0]])
      .map((k) => ({ k, cover: this.#coverOf(k) }));
    const { k, cover } = covers.reduce((a, b) => (b.cover.length < a.cover.length ? b : a));
    return violation({
      operations: operationsToShow(container, [value[k], ...cover]),
      cause: {
        kind: 'not the first',
        operation: container.history.columns.id[k],
        interval: intervalOf(container, value[k]),
        intervals: cover.map((v) => intervalOf(container, v)),
      },
    });
  }

  /**
   * A minimum set of values of higher priority of which one is present whenever an operation can return its value.
   */
  #coverOf(k: number): number[] {
    const { history, role, value } = this.#container;
    const { call, return: returned } = history.columns;
    const { put, from, to } = this.#intervals;
    const { rank, sorted } = this.#urgencies;
    const v = value[k];
    const urgent = sorted.filter((other) => rank[other] < rank[v]);
    const begin = role[k] === PEEK ? Math.max(call[k], put[v]) : to[v];
    const presence = { from: urgent.map((u) => from[u]), to: urgent.map((u) => to[u]) };
    return coverOf(begin, returned[k], presence).map((i) => urgent[i]);
  }

  /** The operations whose place depends on what pending removals have removed. */
  residue(): (operation: number) => boolean {
    const { history, role, value, initial } = this.#container;
    const { return: returned } = history.columns;
    const { put, from } = this.#intervals;
    const { rank } = this.#urgencies;
    const isFault = (k: number): boolean => role[k] === EMPTY && this.#empties.slots[k] < 0;
    const empties = Array.from(role.keys()).filter(isFault);
    const { faults, lastFree } = this.#placing;
    const least =
      empties.length > 0 ? Number.POSITIVE_INFINITY : Math.max(...faults.map((k) => rank[value[k]]));
    const last = Math.max(...[...empties, ...faults].map((k) => returned[k]));
    const isKept = (v: number): boolean =>
      v < initial || (rank[v] <= least && from[v] > lastFree && this.#intervals.was(v) && put[v] < last);
    return (k) => role[k] === OPEN_REMOVE || isFault(k) || (value[k] !== NONE && isKept(value[k]));
  }
}
