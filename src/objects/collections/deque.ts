/** A deque: values come and go at both ends. The state is what is in it, the front first. */
import type { Spec } from '../../spec/spec.js';
import { type ContainerOptions, container } from './container.js';

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
