/**
 * A queue that ends: where it is empty and all parties wait in `dequeue`, they all get `empty`, and it
 * is over. Then `dequeue` gives `empty` at once, and what is enqueued is lost.
 */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { blocked } from '../../spec/spec.js';
import { given } from '../common/parameters.js';
import { type PartiesOptions, partiesOf } from './barrier.js';
import type { EmptyOption } from './channel.js';

export interface TerminatingQueue<V, E = null> {
  enqueue(value: V): void;
  dequeue(): V | E;
}

interface State<V> {
  readonly items: readonly V[];
  readonly isOver: boolean;
}

export function terminatingQueue<V, E = null>(
  options: PartiesOptions & EmptyOption<E> = {},
): SyncSpec<TerminatingQueue<V, E>, State<V>> {
  const parties = partiesOf('a terminating-queue', options);
  const empty = given<E>(options, 'empty');
  return {
    name: 'terminating-queue',
    initial: { items: [], isOver: false },
    rendezvous: {
      enqueue: (state, [value]) => [
        state.isOver ? state : { ...state, items: [...state.items, value] },
        [undefined],
      ],
      dequeue: (state) => {
        const { items, isOver } = state;
        if (isOver) return [state, [empty]];
        return items.length === 0 ? blocked : [{ isOver, items: items.slice(1) }, [items[0]]];
      },
      'dequeue*': ({ items, isOver }, ...calls) =>
        isOver || items.length > 0 ? blocked : [{ items, isOver: true }, calls.map(() => empty)],
    },
    sizes: () => [parties],
  };
}
