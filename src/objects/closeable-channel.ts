/** A channel that can be closed, after which all callers get `Closed`. The state is whether it is. */
import { blocked, type SyncSpec, threw } from '../spec/index.js';

export interface CloseableChannel<V> {
  send(value: V): void;
  receive(): V;
  /** To close it again does nothing. */
  close(): void;
}

export function closeableChannel<V>(): SyncSpec<CloseableChannel<V>, boolean> {
  return {
    name: 'closeable-channel',
    initial: false,
    meetings: {
      'send+receive': (closed, [value]) => (closed ? blocked : [closed, [undefined, value]]),
      send: (closed) => (closed ? [closed, [threw('Closed')]] : blocked),
      receive: (closed) => (closed ? [closed, [threw('Closed')]] : blocked),
      close: () => [true, [undefined]],
    },
  };
}
