/** Queues, stacks and deques. The state is the list of values: `Items`. */

import { show } from '../../base/values/show.js';
import type { Outcome } from '../../history/model/operation.js';
import type { IsCalled, Spec } from '../../spec/spec.js';
import { ensure, isEqual, isEqualOrNullish, list, optionOrNull } from '../common/parameters.js';

/** The initial contents of a container, and the result of removing from an empty one. */
export interface ContainerOptions<V, E = null> {
  /** The initial values, in the order in which they were added. */
  readonly initial?: readonly V[];
  /** The result of removing from an empty container; null by default. */
  readonly empty?: E;
}

interface ContainerSettings<V, E> {
  readonly initial: readonly V[];
  readonly empty: E;
  /** True if the result proves that the container was empty: no call adds a value that equals `empty`. */
  readonly wasEmpty: (outcome: Outcome, isCalled: IsCalled) => boolean;
}

/** Reads the options of a container. `adders` are the methods that add values. */
export function readContainerOptions<V, E>(
  name: string,
  adders: readonly string[],
  options: ContainerOptions<V, E>,
): ContainerSettings<V, E> {
  const initial = [...ensure(`initial of a ${name}`, options.initial ?? [], list)];
  const empty = optionOrNull<E>(options, 'empty');
  const sameAsEmpty = empty === null || empty === undefined ? [null, undefined] : [empty];
  return {
    initial,
    empty,
    wasEmpty: (outcome, isCalled) =>
      outcome.kind === 'returned' &&
      isEqualOrNullish(outcome.value, empty) &&
      !initial.some((value) => isEqualOrNullish(value, empty)) &&
      !adders.some((adder) => sameAsEmpty.some((value) => isCalled(adder, value))),
  };
}

/** States are equal if their values are. */
const key = (items: Items<unknown>): readonly unknown[] => items.toArray();

/** The methods of a queue. */
export interface Queue<V, E = null> {
  enqueue(value: V): void;
  dequeue(): V | E;
  peek(): V | E;
}

/**
 * A queue: first in, first out. `dequeue` and `peek` return `empty` if there is no value.
 *
 * @example
 * A |- enqueue(1) -|                 |- dequeue() -> 1 -|
 * B                  |- enqueue(2) -| |- dequeue() -> 2 -|
 */
export function queue<V, E = null>(options: ContainerOptions<V, E> = {}): Spec<Queue<V, E>, Items<V>> {
  const { initial, empty, wasEmpty } = readContainerOptions('queue', ['enqueue'], options);
  return {
    name: 'queue',
    initial: Items.of(initial),
    maxArguments: { enqueue: 1, dequeue: 0, peek: 0 },
    key,
    methods: {
      enqueue: (items, value) => [items.withLast(value), undefined],
      dequeue: (items) => (items.length === 0 ? [items, empty] : items.withoutFirst()),
      peek: (items) => {
        const settled = items.settled();
        return [settled, items.length === 0 ? empty : settled.first];
      },
    },
    readOnly: (method, _args, outcome, isCalled) =>
      method === 'peek' || (method === 'dequeue' && wasEmpty(outcome, isCalled)),
    family: { kind: 'queue', roles: { add: 'enqueue', remove: 'dequeue', peek: 'peek' }, empty, initial },
    jepsen: [
      { f: 'enqueue', argument: 'value', result: 'none' },
      { f: 'dequeue', argument: 'none', result: 'value' },
      { f: 'peek', argument: 'none', result: 'value' },
    ],
  };
}

/** The methods of a stack. */
export interface Stack<V, E = null> {
  push(value: V): void;
  pop(): V | E;
  peek(): V | E;
}

/**
 * A stack: last in, first out. The top is the last item of the state.
 *
 * @example
 * A |- push(1) -| |- push(2) -|
 * B                             |- pop() -> 2 -| |- pop() -> 1 -|
 */
export function stack<V, E = null>(options: ContainerOptions<V, E> = {}): Spec<Stack<V, E>, Items<V>> {
  const { initial, empty, wasEmpty } = readContainerOptions('stack', ['push'], options);
  return {
    name: 'stack',
    initial: Items.of(initial),
    maxArguments: { push: 1, pop: 0, peek: 0 },
    key,
    methods: {
      push: (items, value) => [items.withLast(value), undefined],
      pop: (items) => (items.length === 0 ? [items, empty] : items.withoutLast()),
      peek: (items) => {
        const settled = items.settled();
        return [settled, items.length === 0 ? empty : settled.last];
      },
    },
    readOnly: (method, _args, outcome, isCalled) =>
      method === 'peek' || (method === 'pop' && wasEmpty(outcome, isCalled)),
    family: { kind: 'stack', roles: { add: 'push', remove: 'pop', peek: 'peek' }, empty, initial },
  };
}

/** The methods of a deque. */
export interface Deque<V, E = null> {
  pushFront(value: V): void;
  pushBack(value: V): void;
  popFront(): V | E;
  popBack(): V | E;
}

/**
 * A double-ended queue. The front is the first item of the state.
 *
 * @example
 * A |- pushFront(1) -| |- pushBack(2) -|
 * B                                      |- popFront() -> 1 -| |- popBack() -> 2 -|
 */
export function deque<V, E = null>(options: ContainerOptions<V, E> = {}): Spec<Deque<V, E>, Items<V>> {
  const { initial, empty, wasEmpty } = readContainerOptions('deque', ['pushFront', 'pushBack'], options);
  return {
    name: 'deque',
    initial: Items.of(initial),
    maxArguments: { pushFront: 1, pushBack: 1, popFront: 0, popBack: 0 },
    key,
    methods: {
      pushFront: (items, value) => [items.withFirst(value), undefined],
      pushBack: (items, value) => [items.withLast(value), undefined],
      popFront: (items) => (items.length === 0 ? [items, empty] : items.withoutFirst()),
      popBack: (items) => (items.length === 0 ? [items, empty] : items.withoutLast()),
    },
    readOnly: (method, _args, outcome, isCalled) =>
      (method === 'popFront' || method === 'popBack') && wasEmpty(outcome, isCalled),
    family: {
      kind: 'deque',
      roles: { addFront: 'pushFront', addBack: 'pushBack', removeFront: 'popFront', removeBack: 'popBack' },
      empty,
      initial,
    },
  };
}

/** A value, and those that were added before it at the same end. */
interface Link<V> {
  readonly value: V;
  readonly next: Link<V> | undefined;
  readonly length: number;
}

/**
 * An immutable list that shares its values with the lists it was made from: the state of queues, stacks and deques.
 *
 * A list has three pieces: the values added at the front, an array, and the values added at the back. Adding makes one
 * link; removing drops one, or narrows the array. If a value is removed from an end and only the piece of the other
 * end has any, that piece becomes the array. So along a run every value is linked once and copied once.
 *
 * Cost: O(1) amortised per call along a run; O(length) per call in the worst case. An array that is copied by every
 * call would make a run of n calls cost up to n².
 */
export class Items<V> {
  readonly length: number;
  readonly #front: Link<V> | undefined;
  readonly #middle: readonly V[];
  /** The values of the middle piece: `#middle[#from]` to `#middle[#to - 1]`. */
  readonly #from: number;
  readonly #to: number;
  readonly #back: Link<V> | undefined;

  private constructor(
    front: Link<V> | undefined,
    middle: readonly V[],
    from: number,
    to: number,
    back: Link<V> | undefined,
  ) {
    this.#front = front;
    this.#middle = middle;
    this.#from = from;
    this.#to = to;
    this.#back = back;
    this.length = (front?.length ?? 0) + (to - from) + (back?.length ?? 0);
  }

  static of<V>(values: readonly V[]): Items<V> {
    return new Items(undefined, [...values], 0, values.length, undefined);
  }

  /** The list with one more value at the front. */
  withFirst(value: V): Items<V> {
    return new Items(linked(value, this.#front), this.#middle, this.#from, this.#to, this.#back);
  }

  /** The list with one more value at the back. */
  withLast(value: V): Items<V> {
    return new Items(this.#front, this.#middle, this.#from, this.#to, linked(value, this.#back));
  }

  /** The list without its first value, and that value. The list is not empty. */
  withoutFirst(): readonly [rest: Items<V>, first: V] {
    const own = this.settled();
    const [front, middle, from, to, back] = [own.#front, own.#middle, own.#from, own.#to, own.#back];
    return front
      ? [new Items(front.next, middle, from, to, back), front.value]
      : [new Items<V>(undefined, middle, from + 1, to, back), middle[from]];
  }

  /** The list without its last value, and that value. The list is not empty. */
  withoutLast(): readonly [rest: Items<V>, last: V] {
    const own = this.settled();
    const [front, middle, from, to, back] = [own.#front, own.#middle, own.#from, own.#to, own.#back];
    return back
      ? [new Items(front, middle, from, to, back.next), back.value]
      : [new Items<V>(front, middle, from, to - 1, undefined), middle[to - 1]];
  }

  /** An equal list whose first and last value are found in O(1). */
  settled(): Items<V> {
    if (this.#from < this.#to || (this.#front && this.#back)) return this;
    return this.#front || this.#back ? Items.of(this.toArray()) : this;
  }

  /** The first value. The list is settled and not empty. */
  get first(): V {
    return this.#front ? this.#front.value : this.#middle[this.#from];
  }

  /** The last value. The list is settled and not empty. */
  get last(): V {
    return this.#back ? this.#back.value : this.#middle[this.#to - 1];
  }

  toArray(): V[] {
    const all = new Array<V>(this.length);
    let i = 0;
    for (let link = this.#front; link; link = link.next) all[i++] = link.value;
    for (let k = this.#from; k < this.#to; k++) all[i++] = this.#middle[k];
    i = this.length;
    for (let link = this.#back; link; link = link.next) all[--i] = link.value;
    return all;
  }

  /** With `hashCode`: values of this class are compared by content, also inside the state of another spec. */
  equals(other: unknown): boolean {
    if (!(other instanceof Items) || other.length !== this.length) return false;
    const values: unknown[] = other.toArray();
    return this.toArray().every((value, i) => isEqual(value, values[i]));
  }

  hashCode(): number {
    return this.length;
  }

  toString(): string {
    return show(this.toArray());
  }
}

const linked = <V>(value: V, next: Link<V> | undefined): Link<V> => ({
  value,
  next,
  length: next ? next.length + 1 : 1,
});
