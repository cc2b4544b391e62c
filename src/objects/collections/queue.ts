/** A queue: first in, first out. The state is what is in it, the oldest first. */
import { jepsenAdapter } from '../../formats/jepsen/vocabulary.js';
import type { Spec } from '../../spec/spec.js';
import { type ContainerOptions, container } from './container.js';

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
