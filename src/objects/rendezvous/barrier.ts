/** A barrier: nobody goes on before all parties have come. Then it can be used again. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { type PartiesOptions, partiesOf, sameName } from './parties.js';

export interface Barrier {
  /** Who gives a name meets nobody of the same name. */
  sync(me?: unknown): void;
}

export function barrier(options: PartiesOptions = {}): SyncSpec<Barrier, null> {
  const parties = partiesOf('a barrier', options);
  return {
    name: 'barrier',
    initial: null,
    meetings: {
      'sync*': (state, ...calls) => sameName(calls.map(([me]) => me)) ?? [state, calls.map(() => undefined)],
    },
    sizes: () => [parties],
  };
}
