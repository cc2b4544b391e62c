/** An exchanger: two callers meet, and each gets what the other brought. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';

export interface Exchanger<V> {
  exchange(value: V): V;
}

export function exchanger<V>(): SyncSpec<Exchanger<V>, null> {
  return {
    name: 'exchanger',
    initial: null,
    meetings: { 'exchange+exchange': (state, [mine], [yours]) => [state, [yours, mine]] },
    pairs: swapped,
  };
}

/** Who brought one thing and got another met who did the opposite. */
export const swapped: NonNullable<SyncSpec['pairs']> = (_method, [mine], outcome) =>
  outcome.kind === 'returned'
    ? [
        [mine, outcome.value],
        [outcome.value, mine],
      ]
    : undefined;
