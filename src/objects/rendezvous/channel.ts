/** A channel without a buffer: a send and a receive meet, and the value goes from one to the other. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { returns } from '../../spec/spec.js';
import { received, sent } from './transfer.js';

export interface Channel<V> {
  send(value: V): void;
  receive(): V;
}

export function channel<V>(): SyncSpec<Channel<V>, null> {
  return {
    name: 'channel',
    initial: null,
    meetings: { 'send+receive': (state, [value]) => [state, [undefined, value]] },
    pairs: (method, [value], outcome) => {
      if (outcome.kind !== 'returned') return undefined;
      if (method === 'receive') return received(outcome.value);
      return returns(outcome, undefined) ? sent(value) : undefined;
    },
  };
}
