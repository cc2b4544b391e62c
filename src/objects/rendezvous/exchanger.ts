/** An exchanger: two callers meet, and each gets what the other brought. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { given } from '../common/parameters.js';
import type { EmptyOption } from './channel.js';

export interface Exchanger<V> {
  exchange(value: V): V;
}

export function exchanger<V>(): SyncSpec<Exchanger<V>, null> {
  return {
    name: 'exchanger',
    initial: null,
    rendezvous: { 'exchange+exchange': (state, [mine], [yours]) => [state, [yours, mine]] },
    pairs: swapped,
  };
}

/** Who brought one thing and got another met who did the opposite. */
const swapped: NonNullable<SyncSpec['pairs']> = (_method, [mine], outcome) =>
  outcome.kind === 'returned'
    ? [
        [mine, outcome.value],
        [outcome.value, mine],
      ]
    : undefined;

/* An exchanger whose callers may give up: one who met nobody gets `empty`. */

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
    rendezvous: {
      'exchange+exchange': (state, [mine], [yours]) => [state, [yours, mine]],
      exchange: (state) => [state, [empty]],
    },
    pairs: swapped,
  };
}
