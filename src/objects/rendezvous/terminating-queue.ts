/**
 * A queue that detects termination: if it is empty and all parties wait in `dequeue`, all of them
 * return `empty` and the queue has terminated. Afterwards `dequeue` returns `empty` at once, and
 * enqueued values are lost.
 */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { blocked } from '../../spec/spec.js';
import { optionOrNull } from '../common/parameters.js';
import { type PartiesOptions, readParties } from './barrier.js';
import type { EmptyOption } from './channel.js';

/** The methods of a terminating queue. */
export interface TerminatingQueue<V, E = null> {
  enqueue(value: V): void;
  dequeue(): V | E;
}

interface TerminatingQueueState<V> {
  readonly items: readonly V[];
  readonly hasTerminated: boolean;
}

/**
 * A terminating queue; `parties` is the number of threads that dequeue.
 *
 * @example
 * A |- enqueue(1) -| |- dequeue() -> null -|
 * B  |- dequeue() -> 1 -| |- dequeue() -> null -|
 */
export function terminatingQueue<V, E = null>(
  options: PartiesOptions & EmptyOption<E> = {},
): SyncSpec<TerminatingQueue<V, E>, TerminatingQueueState<V>> {
  const parties = readParties('a terminating-queue', options);
  const empty = optionOrNull<E>(options, 'empty');
  return {
    name: 'terminating-queue',
    initial: { items: [], hasTerminated: false },
    rendezvous: {
      enqueue: (state, [value]) => [
        state.hasTerminated ? state : { ...state, items: [...state.items, value] },
        [undefined],
      ],
      dequeue: (state) => {
        const { items, hasTerminated } = state;
        if (hasTerminated) return [state, [empty]];
        return items.length === 0 ? blocked : [{ hasTerminated, items: items.slice(1) }, [items[0]]];
      },
      'dequeue*': ({ items, hasTerminated }, ...calls) =>
        hasTerminated || items.length > 0
          ? blocked
          : [{ items, hasTerminated: true }, calls.map(() => empty)],
    },
    sizes: () => [parties],
  };
}
