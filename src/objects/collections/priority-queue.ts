/**
 * A priority queue: `deleteMin` removes a value with the smallest priority.
 *
 * Among values of equal priority the implementation may choose any. The state is an immutable leftist heap (C. A. Crane.
 * Linear lists and priority queues as balanced binary trees. Stanford, 1972) that shares its nodes with the heaps it was
 * made from. Its shape depends on the order of insertion; its key, the sorted values, does not.
 *
 * Cost: O(log n) per call, and per choice if several values have the smallest priority.
 */
import { Canonical } from '../../base/values/canonical.js';
import { show } from '../../base/values/show.js';
import { oneOf, type Spec } from '../../spec/spec.js';
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

/** A heap: no value of a subtree has a smaller priority than its root. */
class Heap<V> {
  readonly item: PrioritisedValue<V>;
  readonly left: Heap<V> | undefined;
  readonly right: Heap<V> | undefined;
  /** The number of nodes on the way to the right; never larger on the right than on the left. */
  readonly rank: number;

  constructor(item: PrioritisedValue<V>, one: Heap<V> | undefined, other: Heap<V> | undefined) {
    const [left, right] = rankOf(one) < rankOf(other) ? [other, one] : [one, other];
    this.item = item;
    this.left = left;
    this.right = right;
    this.rank = rankOf(right) + 1;
  }

  /** The values in any order. */
  items(): PrioritisedValue<V>[] {
    const items: PrioritisedValue<V>[] = [];
    const open: (Heap<V> | undefined)[] = [this];
    while (open.length > 0) {
      const node = open.pop();
      if (!node) continue;
      items.push(node.item);
      open.push(node.left, node.right);
    }
    return items;
  }

  /** The values of smallest priority, each with the rest of the heap. */
  choices(): [PrioritisedValue<V>, Heap<V> | undefined][] {
    const { item, left, right } = this;
    const found: [PrioritisedValue<V>, Heap<V> | undefined][] = [[item, merged(left, right)]];
    for (const [child, sibling] of [
      [left, right],
      [right, left],
    ])
      if (child && samePriority(child.item, item))
        for (const [other, rest] of child.choices()) found.push([other, new Heap(item, rest, sibling)]);
    return found;
  }
}

const rankOf = (heap: Heap<unknown> | undefined): number => heap?.rank ?? 0;

function merged<V>(one: Heap<V> | undefined, other: Heap<V> | undefined): Heap<V> | undefined {
  if (!one || !other) return one ?? other;
  return other.item.priority < one.item.priority
    ? new Heap(other.item, other.left, merged(one, other.right))
    : new Heap(one.item, one.left, merged(one.right, other));
}

/** The state: a heap, or an empty queue. */
class State<V> {
  readonly heap: Heap<V> | undefined;

  constructor(heap: Heap<V> | undefined) {
    this.heap = heap;
  }

  with(value: V, priority: unknown): State<V> {
    const item = { value, priority: checkPriority(priority, this.heap?.item) };
    return new State(merged(this.heap, new Heap(item, undefined, undefined)));
  }

  /** The values, sorted by priority and then by canonical key. */
  sorted(canonical: Canonical = new Canonical()): readonly PrioritisedValue<V>[] {
    const keyOf = ({ value, priority }: PrioritisedValue<V>) => canonical.key([value, priority]);
    return (this.heap?.items() ?? []).sort((a, b) =>
      samePriority(a, b) ? (keyOf(a) < keyOf(b) ? -1 : 1) : a.priority < b.priority ? -1 : 1,
    );
  }

  /** With `hashCode`: states are compared by content, also inside the state of another spec. */
  equals(other: unknown): boolean {
    const canonical = new Canonical();
    return other instanceof State && canonical.key(this.sorted()) === canonical.key(other.sorted());
  }

  hashCode(): number {
    return rankOf(this.heap) && 1;
  }

  toString(): string {
    return show(this.sorted());
  }
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
): Spec<PriorityQueue<V, E>, State<V>> {
  const { initial, empty } = readContainerOptions('priority-queue', ['insert'], options);
  const canonical = new Canonical();

  /** The distinct values of smallest priority, with the state after the removal of each. */
  const choices = (heap: Heap<V>): readonly (readonly [State<V>, V])[] => {
    const found = heap.choices().map(([{ value }, rest]) => [new State(rest), value] as const);
    if (found.length === 1) return found;
    const byKey = new Map(found.map((choice) => [canonical.key(choice[1]), choice]));
    return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, choice]) => choice);
  };

  return {
    name: 'priority-queue',
    initial: initial.reduce<State<V>>((state, value) => state.with(value, value), new State(undefined)),
    maxArguments: { insert: 2, deleteMin: 0, min: 0 },
    key: (state) => state.sorted(canonical),
    methods: {
      insert: (state, value, priority = value as Priority) => [state.with(value, priority), undefined],
      deleteMin: (state) => (state.heap ? oneOf(...choices(state.heap)) : [state, empty]),
      min: (state) =>
        state.heap
          ? oneOf(...choices(state.heap).map(([, value]) => [state, value] as const))
          : [state, empty],
    },
    // a `deleteMin` that returned `empty` may have removed an inserted value that equals `empty`
    readOnly: (method) => method === 'min',
    family: {
      kind: 'priority-queue',
      roles: { add: 'insert', remove: 'deleteMin', peek: 'min' },
      empty,
      initial,
    },
  };
}

/** True if neither priority is smaller. Not `===`, because 1 and 1n are equal. */
function samePriority(a: PrioritisedValue<unknown>, b: PrioritisedValue<unknown>): boolean {
  return !(a.priority < b.priority) && !(b.priority < a.priority);
}

/** The priority, if it is one and can be compared with that of another value. */
function checkPriority(priority: unknown, other: PrioritisedValue<unknown> | undefined): Priority {
  if (
    (typeof priority !== 'number' && typeof priority !== 'bigint' && typeof priority !== 'string') ||
    Number.isNaN(priority)
  )
    throw new TypeError(
      `invalid priority ${show(priority)}; expected a number or a string: insert(value, priority)`,
    );
  if (other && (typeof priority === 'string') !== (typeof other.priority === 'string'))
    throw new TypeError(
      `the priorities ${show(priority)} and ${show(other.priority)} cannot be compared: one is a number, the other a string`,
    );
  return priority;
}
