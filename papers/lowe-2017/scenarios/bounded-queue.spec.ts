/** A queue of bounded capacity. */
import type { Spec } from 'straightedge';

interface BoundedQueue {
  enqueue(value: number): boolean;
  dequeue(): number | null;
}

export const boundedQueue = (capacity: number): Spec<BoundedQueue, readonly number[]> => ({
  name: 'bounded queue',
  initial: [],
  methods: {
    enqueue: (items, value) => (items.length === capacity ? [items, false] : [[...items, value], true]),
    dequeue: (items) => [items.slice(1), items[0] ?? null],
  },
});
