/**
 * The queue monitor: decides queues of distinct values, in linear time without peeks.
 *
 *   P. Abdulla, S. Grahn, B. Jonsson, S. Krishna, O. Mishra. Efficient linearizability monitoring.
 *   2025 (LiMo), lemma 5.2, with the conditions that it omits: docs/internals/papers.md.
 *
 * A history is linearizable exactly when
 *
 *   1. each value is enqueued before it is returned, and removed once, after all peeks (`findImpossible`);
 *   2. no two values are at the front alternately (`clip`);
 *   3. no value overtakes another: there are no v and a such that v is definitely present before the enqueue of a is
 *      called, and a has been at the front before the removal of v is called;
 *   4. each "empty" result has a moment at which no value is definitely present (`emptySlots`).
 *
 * Most linearizable histories are recognised before, by one run along their events (`lazy-run.ts`).
 *
 * For condition 3 a maximum is enough: of all values present before a is enqueued, the one that stays longest.
 * `order.ts` treats pending operations. It shows that the conditions suffice, by building a linearization.
 *
 * Cost: O(n); O(n + v log s) if s of the v values are seen twice, by peeks.
 */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import type { ValueInterval } from '../../model/causes.js';
import { linearizable, violation } from '../../model/verdict.js';
import type { Monitor, MonitorResult, Reading } from '../common/monitor.js';
import { ADD, Container, NONE } from '../container/container.js';
import { coverOf, emptySlots, findImpossible, intervalOf, operationsOf } from '../container/covering.js';
import { lazyQueueOrder } from '../container/lazy-run.js';
import { clip, QueueTimes, queueOrder } from './order.js';

/** Bytes per operation: times, slots, marks and the order. */
const BYTES = 80;

export const queueMonitor: Monitor = {
  name: 'queue monitor',
  leaves: 'first',
  read(history: History, spec: Spec): Reading | string {
    const container = Container.read(history, spec);
    if (typeof container === 'string') return container;
    const order = lazyQueueOrder(container);
    if (order) return { bytes: BYTES * history.length, decide: () => linearizable(order) };
    return readQueue(container);
  },
};

/** A reading that is decided by the conditions alone. */
export function readQueue(container: Container): Reading | string {
  const times = QueueTimes.of(container);
  if (typeof times === 'string') return times;
  return {
    bytes: BYTES * container.history.length,
    decide: () => decide(container, times),
  };
}

function decide(container: Container, times: QueueTimes): MonitorResult {
  const { history } = container;
  const { id, call, return: returned } = history.columns;
  const wrong = findImpossible(container);
  if (wrong) return wrong;
  const presence = { from: times.inside, to: times.last.slice() };
  const { slots, fault } = emptySlots(container, presence);
  if (fault >= 0) {
    const cover = withLeft(container, times, coverOf(call[fault], returned[fault], presence));
    return violation({
      operations: [fault, ...operationsToShow(container, times, cover)],
      cause: {
        kind: 'never empty',
        operation: id[fault],
        intervals: cover.map((v) => interval(container, times, v)),
      },
    });
  }
  const turns = clip(times.seen, times.last);
  if (turns) return twoAtFront(container, times, turns);
  const overtaken = findOvertaken(container, times);
  if (overtaken) return overtaking(container, times, overtaken);
  return linearizable(queueOrder(container, times, slots));
}

/** A value that was present before another was enqueued, and is still present when the other is seen at the front. */
function findOvertaken({ history, role, value, initial }: Container, times: QueueTimes) {
  const { put, inside, seen, last } = times;
  const { events } = history.columns;
  let [longest, until] = [NONE, -1];
  let found: { readonly first: number; readonly second: number } | undefined;
  const enters = (v: number): void => {
    if (last[v] > until) [longest, until] = [v, last[v]];
  };
  const isPut = (a: number): void => {
    if (seen[a] < until && seen[a] < (found ? seen[found.second] : NEVER))
      found = { first: longest, second: a };
  };
  for (let v = 0; v < initial; v++) {
    isPut(v);
    enters(v);
  }
  for (let moment = 0; moment < events.length; moment++) {
    const k = events[moment];
    if (k >= 0) {
      if (role[k] === ADD && put[value[k]] === moment) isPut(value[k]);
    } else if (value[~k] !== NONE && inside[value[~k]] === moment) enters(value[~k]);
  }
  return found;
}

function overtaking(
  container: Container,
  times: QueueTimes,
  { first, second }: { readonly first: number; readonly second: number },
): MonitorResult {
  const { history, value } = container;
  const { id, events } = history.columns;
  // where a moment was moved, the value to whose stretch it was moved
  const movedBy = [~events[times.seen[second]], events[times.last[first]] ?? NONE]
    .filter((k) => k >= 0 && value[k] !== NONE)
    .map((k) => value[k]);
  const between = [...new Set(movedBy)].filter((v) => v !== first && v !== second);
  const left = withLeft(container, times, [first]).slice(1);
  return violation({
    operations:
      left.length > 0
        ? operationsToShow(container, times, [first, second, ...between, ...left])
        : operationsOf(container, [first, second, ...between]),
    cause: {
      kind: 'overtaken',
      operation: id[firstSight(container, second)],
      first: left.length > 0 ? interval(container, times, first) : intervalOf(container, first),
      second: interval(container, times, second),
      between: between.map((v) => interval(container, times, v)),
      left: left.map((v) => interval(container, times, v)),
    },
  });
}

function twoAtFront(
  container: Container,
  times: QueueTimes,
  values: readonly [number, number],
): MonitorResult {
  const { id, return: returned } = container.history.columns;
  const sights = values.map((v) => firstSight(container, v)).sort((a, b) => returned[a] - returned[b]);
  return violation({
    operations: operationsToShow(container, times, values),
    cause: {
      kind: 'two at the front',
      operation: id[sights[1]],
      intervals: values.map((v) => interval(container, times, v)),
    },
  });
}

const interval = (container: Container, { taken }: QueueTimes, v: number): ValueInterval =>
  intervalOf(container, v, taken[v]);

/** The first operation to return a value. */
function firstSight({ history, role, value }: Container, v: number): number {
  const { return: returned } = history.columns;
  let first = NONE;
  for (let k = 0; k < history.length; k++)
    if (value[k] === v && role[k] !== ADD && (first === NONE || returned[k] < returned[first])) first = k;
  return first;
}

/** These values; and if the removal of one is unknown, the values that pending removals would take first. */
function withLeft({ remove }: Container, { inside, taken }: QueueTimes, values: readonly number[]): number[] {
  const latest = Math.max(...values.map((v) => (remove[v] === NONE ? inside[v] : -NEVER)));
  const left = Array.from(inside.keys()).filter(
    (v) => remove[v] === NONE && taken[v] !== NONE && inside[v] <= latest,
  );
  return [...new Set([...values, ...left])];
}

/** The operations that add, see or remove these values, or may have removed them. */
function operationsToShow(container: Container, { taken }: QueueTimes, values: readonly number[]): number[] {
  const takers = values.map((v) => taken[v]).filter((k) => k !== NONE);
  return [...new Set([...operationsOf(container, values), ...takers])];
}
