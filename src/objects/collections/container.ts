/** Queues, stacks and deques. The state is the list of values: see items.ts. */

import { jepsenAdapter } from '../../formats/common/adapter.js';
import type { Outcome } from '../../history/model/operation.js';
import type { IsCalled, Spec } from '../../spec/spec.js';
import { ensure, isEqualOrNullish, list, optionOrNull } from '../common/parameters.js';
import { Items } from './items.js';

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
    jepsen: jepsenAdapter([
      { f: 'enqueue', argument: 'value', result: 'none' },
      { f: 'dequeue', argument: 'none', result: 'value' },
      { f: 'peek', argument: 'none', result: 'value' },
    ]),
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
