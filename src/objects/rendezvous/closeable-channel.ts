/** A channel that can be closed, after which all callers get `Closed`. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { blocked, threw } from '../../spec/spec.js';

export interface CloseableChannel<V> {
  send(value: V): void;
  receive(): V;
  /** To close it again does nothing. */
  close(): void;
}

type State = 'open' | 'closed';

export function closeableChannel<V>(): SyncSpec<CloseableChannel<V>, State> {
  return {
    name: 'closeable-channel',
    initial: 'open',
    meetings: {
      'send+receive': (state, [value]) => (state === 'open' ? [state, [undefined, value]] : blocked),
      send: (state) => (state === 'closed' ? [state, [threw('Closed')]] : blocked),
      receive: (state) => (state === 'closed' ? [state, [threw('Closed')]] : blocked),
      close: () => ['closed', [undefined]],
    },
  };
}
