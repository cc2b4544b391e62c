/** A stack: last in, first out. The state is what is in it, the top last. */
import type { Spec } from '../../spec/spec.js';
import { type ContainerOptions, container } from './container.js';

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
