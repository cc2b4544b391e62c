/** A channel that counts: a send and a receive also get the number of their meeting, from 1. The state is how many there were. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';

export interface CounterChannel<V> {
  send(value: V): number;
  receive(): readonly [value: V, number: number];
}

export function counterChannel<V>(): SyncSpec<CounterChannel<V>, number> {
  return {
    name: 'counter-channel',
    initial: 0,
    meetings: { 'send+receive': (count, [value]) => [count + 1, [count + 1, [value, count + 1]]] },
  };
}
