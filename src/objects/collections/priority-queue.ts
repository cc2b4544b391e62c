/**
 * A priority queue: `deleteMin` removes a value with the smallest priority.
 *
 * Among values of equal priority the implementation may choose any. The state is sorted by priority
 * and then by canonical key of the value, so that it does not depend on the order of insertion.
 */
import { Canonical } from '../../base/values/canonical.js';
import { show } from '../../base/values/show.js';
import { oneOf, type Spec } from '../../spec/spec.js';
import { isEqual } from '../common/parameters.js';
import { type ContainerOptions, readContainerOptions } from './container.js';

/** Numbers are compared by value, strings by code units. One queue must not mix them. */
export type Priority = number | bigint | string;

/** The methods of a priority queue. */
export interface PriorityQueue<V, E = null> {
  /** Without a priority, the value is its own priority. */
  insert(value: V, priority?: Priority): void;
  deleteMin(): V | E;
  min(): V | E;
}

interface PrioritisedValue<V> {
  readonly value: V;
  readonly priority: Priority;
}

/**
 * A priority queue with `insert`, `deleteMin` and `min`.
 *
 * @example
 * A |- insert("a", 2) -| |- insert("b", 1) -|
 * B                                           |- deleteMin() -> "b" -|
 */
export function priorityQueue<V, E = null>(
  options: ContainerOptions<V, E> = {},
): Spec<PriorityQueue<V, E>, readonly PrioritisedValue<V>[]> {
  const { initial, empty } = readContainerOptions('priority-queue', ['insert'], options);
  const canonical = new Canonical();

  const insert = (
    items: readonly PrioritisedValue<V>[],
    value: V,
    priority: unknown,
  ): readonly PrioritisedValue<V>[] => {
    const item = { value, priority: checkPriority(priority, items) };
    const isBefore = (other: PrioritisedValue<V>): boolean =>
      item.priority < other.priority ||
      (samePriority(item, other) && canonical.key(value) < canonical.key(other.value));
    // the items are sorted, so the first one that this precedes is found by bisection
    let at = 0;
    for (let end = items.length; at < end; ) {
      const middle = (at + end) >>> 1;
      if (isBefore(items[middle])) end = middle;
      else at = middle + 1;
    }
    return items.toSpliced(at, 0, item);
  };

  return {
    name: 'priority-queue',
    initial: initial.reduce<readonly PrioritisedValue<V>[]>(
      (items, value) => insert(items, value, value),
      [],
    ),
    methods: {
      insert: (items, value, priority = value as Priority) => [insert(items, value, priority), undefined],
      deleteMin: (items) =>
        items.length === 0
          ? [items, empty]
          : oneOf(
              ...minimalValues(items).map(
                (item) => [items.toSpliced(items.indexOf(item), 1), item.value] as const,
              ),
            ),
      min: (items) =>
        items.length === 0
          ? [items, empty]
          : oneOf(...minimalValues(items).map((item) => [items, item.value] as const)),
    },
    // deleteMin → empty may have removed a value: isCalled cannot find insert(empty, any priority)
    readOnly: (method) => method === 'min',
    family: {
      kind: 'priority-queue',
      roles: { add: 'insert', remove: 'deleteMin', peek: 'min' },
      empty,
      initial,
    },
  };
}

/** The distinct values of smallest priority. */
function minimalValues<V>(items: readonly PrioritisedValue<V>[]): readonly PrioritisedValue<V>[] {
  const first = items.filter((item) => samePriority(item, items[0]));
  return first.filter((item, i) => first.findIndex((other) => isEqual(other.value, item.value)) === i);
}

/** True if neither priority is smaller. Not `===`, because 1 and 1n are equal. */
function samePriority(a: PrioritisedValue<unknown>, b: PrioritisedValue<unknown>): boolean {
  return !(a.priority < b.priority) && !(b.priority < a.priority);
}

function checkPriority(priority: unknown, items: readonly PrioritisedValue<unknown>[]): Priority {
  if (
    (typeof priority !== 'number' && typeof priority !== 'bigint' && typeof priority !== 'string') ||
    Number.isNaN(priority)
  )
    throw new TypeError(
      `invalid priority ${show(priority)}; expected a number or a string: insert(value, priority)`,
    );
  if (items.length > 0 && (typeof priority === 'string') !== (typeof items[0].priority === 'string'))
    throw new TypeError(
      `the priorities ${show(priority)} and ${show(items[0].priority)} cannot be compared: one is a number, the other a string`,
    );
  return priority;
}
