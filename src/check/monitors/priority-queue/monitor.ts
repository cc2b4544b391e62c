/**
 * Priority queues: is there an order in which the most urgent value goes out first?
 *
 * Values are told apart; some may be equally urgent, and then any of them may go. There is an order exactly when
 *
 *   1. each value is put in before it is given, and taken out once, after all peeks (`impossible`);
 *   2. who gives a value has a moment at which no more urgent one is surely inside (`placing`);
 *   3. who finds nothing has a moment at which no value is surely inside (`covering`).
 *
 * Removals that never returned may have taken any value that is left over. First they are ignored. If that does not do, it is tried whether
 * even as many as one likes would help. If they would, a search decides. It sees the values that are at least as urgent
 * as those that have no place, from the last moment at which nothing need be inside up to the last return of one that has no place: to be taken
 * out earlier is in nobody's way, and a removal after that return would help nobody.
 * Cost: O(n log n) to sort; more only for that search.
 */
import { invariant } from '../../../base/invariant.js';
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
} from '../container/covering.js';
import { searchResidue } from '../container/residue.js';
import { bestCase, ValueIntervals } from '../container/value-intervals.js';
import { PriorityQueueModel, priorityQueueOrder } from './order.js';
import { Placing, type Priorities, prioritiesOf } from './placing.js';

/** Bytes an operation: priorities, ranks, lives, slots and the order. */
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
      return 'a removal that never returned, which may have taken out one of several equally urgent values that others saw';
    return {
      bytes: BYTES * history.length,
      decide: (search) => decide(container, urgencies, spec, search),
      model: (plain) => {
        // of values that were one, it is not told which of them a call that never returned has taken
        if (plain && container.role.includes(OPEN_REMOVE)) return undefined;
        const model = new PriorityQueueModel(container, urgencies, plain);
        return (k) => model.step(k);
      },
    };
  },
};

/** Does it matter which of several equally urgent values a removal that never returned takes? */
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
  const ruling = first.ruling();
  if (ruling.kind === 'linearizable' || !container.role.includes(OPEN_REMOVE)) return ruling;
  const best = new Attempt(container, urgencies, bestCase(container)).ruling();
  if (best.kind !== 'linearizable') return best;

  const found = searchResidue(container.history, spec, first.residue(), search);
  if ('kind' in found) return found;
  const model = new PriorityQueueModel(container, urgencies);
  const taken = container.remove.slice();
  for (const k of found) {
    invariant(model.step(k), 'a search gives an order of a priority queue that is none');
    if (container.role[k] === OPEN_REMOVE && model.taken !== NONE) taken[model.taken] = k;
  }
  return new Attempt(container, urgencies, new ValueIntervals(container, { taken })).ruling();
}

/** Values in their places, for one opinion of who takes out what. */
class Attempt {
  readonly #container: Container;
  readonly #urgencies: Priorities;
  readonly #lives: ValueIntervals;
  readonly #placing: Placing;
  readonly #empties: ReturnType<typeof emptySlots>;

  constructor(container: Container, urgencies: Priorities, lives: ValueIntervals) {
    this.#container = container;
    this.#urgencies = urgencies;
    this.#lives = lives;
    this.#placing = new Placing(container, lives, urgencies);
    this.#empties = emptySlots(container, lives);
  }

  ruling(): MonitorResult {
    const { slots, fault } = this.#empties;
    if (this.#placing.faults.length > 0) return this.#notTheFirst();
    if (fault >= 0) return neverEmpty(this.#container, this.#lives, fault);
    return linearizable(
      priorityQueueOrder(this.#container, this.#lives, this.#urgencies, this.#placing, slots),
    );
  }

  /** Of the operations at fault that give the first of the values, the one that the fewest others are in the way of. */
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
        stay: intervalOf(container, value[k]),
        stays: cover.map((v) => intervalOf(container, v)),
      },
      minimal: true,
    });
  }

  /** The fewest more urgent values of which one is inside whenever an operation can give its value. */
  #coverOf(k: number): number[] {
    const { history, role, value } = this.#container;
    const { call, return: returned } = history.columns;
    const { put, from, to } = this.#lives;
    const { rank, sorted } = this.#urgencies;
    const v = value[k];
    const urgent = sorted.filter((other) => rank[other] < rank[v]);
    const begin = role[k] === PEEK ? Math.max(call[k], put[v]) : to[v];
    const presence = { from: urgent.map((u) => from[u]), to: urgent.map((u) => to[u]) };
    return coverOf(begin, returned[k], presence).map((i) => urgent[i]);
  }

  /** The operations whose place depends on what removals that never returned have taken. */
  residue(): (operation: number) => boolean {
    const { history, role, value, initial } = this.#container;
    const { return: returned } = history.columns;
    const { put, from } = this.#lives;
    const { rank } = this.#urgencies;
    const isFault = (k: number): boolean => role[k] === EMPTY && this.#empties.slots[k] < 0;
    const empties = Array.from(role.keys()).filter(isFault);
    const { faults, lastFree } = this.#placing;
    const least =
      empties.length > 0 ? Number.POSITIVE_INFINITY : Math.max(...faults.map((k) => rank[value[k]]));
    const last = Math.max(...[...empties, ...faults].map((k) => returned[k]));
    const isKept = (v: number): boolean =>
      v < initial || (rank[v] <= least && from[v] > lastFree && this.#lives.was(v) && put[v] < last);
    return (k) => role[k] === OPEN_REMOVE || isFault(k) || (value[k] !== NONE && isKept(value[k]));
  }
}
