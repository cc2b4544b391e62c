/** An exchanger whose callers may give up: one who met nobody gets `empty`. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { given } from '../common/parameters.js';
import { swapped } from './exchanger.js';
import type { EmptyOption } from './timeout-channel.js';

export interface TimeoutExchanger<V, E = null> {
  exchange(value: V): V | E;
}

export function timeoutExchanger<V, E = null>(
  options: EmptyOption<E> = {},
): SyncSpec<TimeoutExchanger<V, E>, null> {
  const empty = given<E>(options, 'empty');
  return {
    name: 'timeout-exchanger',
    initial: null,
    meetings: {
      'exchange+exchange': (state, [mine], [yours]) => [state, [yours, mine]],
      exchange: (state) => [state, [empty]],
    },
    pairs: swapped,
  };
}
