/**
 * The stack monitor: decides stacks of distinct values.
 *
 * A history is linearizable exactly when
 *
 *   1. each value is pushed before it is returned, and popped once, after all peeks (`findImpossible`);
 *   2. each "empty" result has a moment at which no value is definitely present (`emptySlots`);
 *   3. all values can be eliminated from below (`Elimination`).
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
import type { Monitor, MonitorResult, Reading } from '../common/monitor.js';
import { Container, EMPTY, NONE, OPEN_REMOVE } from '../container/container.js';
import {
  emptySlots,
  findImpossible,
  intervalOf,
  neverEmpty,
  operationsToShow,
  searchResidue,
} from '../container/covering.js';
import { bestCase, ValueIntervals } from '../container/value-intervals.js';
import { findCyclicCore } from './cyclic-core.js';
import { Elimination } from './elimination.js';
import { StackModel, stackOrder } from './order.js';

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
      decide: (search) => decide(container, spec, search),
    };
  },
};

function decide(container: Container, spec: Spec, search: Parameters<Reading['decide']>[0]): MonitorResult {
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
