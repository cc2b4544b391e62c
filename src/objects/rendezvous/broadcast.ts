/** A broadcast: a send meets so many receives, all at once, and each gets its value. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { type PartiesOptions, partiesOf } from './parties.js';

export interface Broadcast<V> {
  send(value: V): void;
  receive(): V;
}

/** `parties`: how many receives. */
export function broadcast<V>(options: PartiesOptions = {}): SyncSpec<Broadcast<V>, null> {
  const parties = partiesOf('a broadcast', options);
  return {
    name: 'broadcast',
    initial: null,
    meetings: {
      'send+receive*': (state, [value], ...receives) => [state, [undefined, ...receives.map(() => value)]],
    },
    sizes: () => [parties],
  };
}
