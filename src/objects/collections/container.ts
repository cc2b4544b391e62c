/**
 * What queues, stacks and deques share: a list of values to start with, and an
 * answer for "there is nothing in it".
 */

import { jepsenAdapter } from '../../formats/common/adapter.js';
import type { Outcome } from '../../history/model/operation.js';
import type { IsCalled, Spec } from '../../spec/spec.js';
import { demand, given, list, sameInFiles } from '../common/parameters.js';

export interface ContainerOptions<V, E = null> {
  /** What is in it at first, in the order in which it was put in. */
  readonly initial?: readonly V[];
  /** What it answers when there is nothing in it; null unless told. */
  readonly empty?: E;
}

interface Container<V, E> {
  readonly initial: readonly V[];
  readonly empty: E;
  /** Was there nothing to remove? Only sure where nobody puts in what is also the answer of an empty container. */
  readonly foundNothing: (outcome: Outcome, called: IsCalled) => boolean;
}

/** The options of a container whose values come in by these methods. */
export function container<V, E>(
  name: string,
  adders: readonly string[],
  options: ContainerOptions<V, E>,
): Container<V, E> {
  const initial = [...demand(`the initial of a ${name}`, options.initial ?? [], list)];
  const empty = given<E>(options, 'empty');
  const alike = empty === null || empty === undefined ? [null, undefined] : [empty];
  return {
    initial,
    empty,
    foundNothing: (outcome, called) =>
      outcome.kind === 'returned' &&
      sameInFiles(outcome.value, empty) &&
      !initial.some((value) => sameInFiles(value, empty)) &&
      !adders.some((adder) => alike.some((value) => called(adder, value))),
  };
}

/* A queue: first in, first out. The state is what is in it, the oldest first. */

export interface Queue<V, E = null> {
  enqueue(value: V): void;
  dequeue(): V | E;
  peek(): V | E;
}

export function queue<V, E = null>(options: ContainerOptions<V, E> = {}): Spec<Queue<V, E>, readonly V[]> {
  const { initial, empty, foundNothing } = container('queue', ['enqueue'], options);
  return {
    name: 'queue',
    initial,
    methods: {
      enqueue: (items, value) => [[...items, value], undefined],
      dequeue: (items) => (items.length === 0 ? [items, empty] : [items.slice(1), items[0]]),
      peek: (items) => [items, items.length === 0 ? empty : items[0]],
    },
    readOnly: (method, _args, outcome, called) =>
      method === 'peek' || (method === 'dequeue' && foundNothing(outcome, called)),
    family: { kind: 'queue', roles: { add: 'enqueue', remove: 'dequeue', peek: 'peek' }, empty, initial },
    jepsen: jepsenAdapter([
      { f: 'enqueue', takes: 'value', answers: 'nothing' },
      { f: 'dequeue', takes: 'nothing', answers: 'value' },
      { f: 'peek', takes: 'nothing', answers: 'value' },
    ]),
  };
}

/* A stack: last in, first out. The state is what is in it, the top last. */

export interface Stack<V, E = null> {
  push(value: V): void;
  pop(): V | E;
  peek(): V | E;
}

export function stack<V, E = null>(options: ContainerOptions<V, E> = {}): Spec<Stack<V, E>, readonly V[]> {
  const { initial, empty, foundNothing } = container('stack', ['push'], options);
  return {
    name: 'stack',
    initial,
    methods: {
      push: (items, value) => [[...items, value], undefined],
      pop: (items) => (items.length === 0 ? [items, empty] : [items.slice(0, -1), items[items.length - 1]]),
      peek: (items) => [items, items.length === 0 ? empty : items[items.length - 1]],
    },
    readOnly: (method, _args, outcome, called) =>
      method === 'peek' || (method === 'pop' && foundNothing(outcome, called)),
    family: { kind: 'stack', roles: { add: 'push', remove: 'pop', peek: 'peek' }, empty, initial },
  };
}

/* A deque: values come and go at both ends. The state is what is in it, the front first. */

export interface Deque<V, E = null> {
  pushFront(value: V): void;
  pushBack(value: V): void;
  popFront(): V | E;
  popBack(): V | E;
}

export function deque<V, E = null>(options: ContainerOptions<V, E> = {}): Spec<Deque<V, E>, readonly V[]> {
  const { initial, empty, foundNothing } = container('deque', ['pushFront', 'pushBack'], options);
  return {
    name: 'deque',
    initial,
    methods: {
      pushFront: (items, value) => [[value, ...items], undefined],
      pushBack: (items, value) => [[...items, value], undefined],
      popFront: (items) => (items.length === 0 ? [items, empty] : [items.slice(1), items[0]]),
      popBack: (items) =>
        items.length === 0 ? [items, empty] : [items.slice(0, -1), items[items.length - 1]],
    },
    readOnly: (method, _args, outcome, called) =>
      (method === 'popFront' || method === 'popBack') && foundNothing(outcome, called),
    family: {
      kind: 'deque',
      roles: { addFront: 'pushFront', addBack: 'pushBack', removeFront: 'popFront', removeBack: 'popBack' },
      empty,
    },
  };
}
