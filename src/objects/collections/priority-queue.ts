/**
 * A priority queue: the value of the smallest priority leaves first.
 *
 * Of several values with that priority any may leave: the choice is the
 * implementation's. The state is sorted by priority, and among equal ones by
 * the values' canonical keys, so that the order of insertion leaves no trace.
 */
import { Canonical } from '../../base/values/canonical.js';
import { show } from '../../base/values/show.js';
import { oneOf, type Spec } from '../../spec/spec.js';
import { sameValue } from '../common/parameters.js';
import { type ContainerOptions, container } from './container.js';

/** Numbers are compared by value, strings by code units; a queue has one kind or the other. */
export type Priority = number | bigint | string;

export interface PriorityQueue<V, E = null> {
  /** Without a priority the value is its own. */
  insert(value: V, priority?: Priority): void;
  deleteMin(): V | E;
  min(): V | E;
}

interface Ranked<V> {
  readonly value: V;
  readonly priority: Priority;
}

export function priorityQueue<V, E = null>(
  options: ContainerOptions<V, E> = {},
): Spec<PriorityQueue<V, E>, readonly Ranked<V>[]> {
  const { initial, empty } = container('priority-queue', ['insert'], options);
  const canonical = new Canonical();

  const insert = (items: readonly Ranked<V>[], value: V, priority: unknown): readonly Ranked<V>[] => {
    const item = { value, priority: checked(priority, items) };
    const at = items.findIndex(
      (other) =>
        item.priority < other.priority ||
        (samePriority(item, other) && canonical.key(value) < canonical.key(other.value)),
    );
    return items.toSpliced(at === -1 ? items.length : at, 0, item);
  };

  return {
    name: 'priority-queue',
    initial: initial.reduce<readonly Ranked<V>[]>((items, value) => insert(items, value, value), []),
    methods: {
      insert: (items, value, priority = value as Priority) => [insert(items, value, priority), undefined],
      deleteMin: (items) =>
        items.length === 0
          ? [items, empty]
          : oneOf(
              ...smallest(items).map(
                (item) => [items.toSpliced(items.indexOf(item), 1), item.value] as const,
              ),
            ),
      min: (items) =>
        items.length === 0
          ? [items, empty]
          : oneOf(...smallest(items).map((item) => [items, item.value] as const)),
    },
    // deleteMin → empty may have removed a value: `called` can not tell of insert(empty, any priority)
    readOnly: (method) => method === 'min',
    family: {
      kind: 'priority-queue',
      roles: { add: 'insert', remove: 'deleteMin', peek: 'min' },
      empty,
      initial,
    },
  };
}

/** The different values that may leave next. */
function smallest<V>(items: readonly Ranked<V>[]): readonly Ranked<V>[] {
  const first = items.filter((item) => samePriority(item, items[0]));
  return first.filter((item, i) => first.findIndex((other) => sameValue(other.value, item.value)) === i);
}

/** Neither comes first. Not `===`, since 1 and 1n are equal in priority. */
function samePriority(a: Ranked<unknown>, b: Ranked<unknown>): boolean {
  return !(a.priority < b.priority) && !(b.priority < a.priority);
}

function checked(priority: unknown, items: readonly Ranked<unknown>[]): Priority {
  if (
    (typeof priority !== 'number' && typeof priority !== 'bigint' && typeof priority !== 'string') ||
    Number.isNaN(priority)
  )
    throw new TypeError(
      `${show(priority)} is no priority: give a number or a string, or insert(value, priority)`,
    );
  if (items.length > 0 && (typeof priority === 'string') !== (typeof items[0].priority === 'string'))
    throw new TypeError(
      `the priorities ${show(priority)} and ${show(items[0].priority)} can not be compared: a number and a string`,
    );
  return priority;
}
