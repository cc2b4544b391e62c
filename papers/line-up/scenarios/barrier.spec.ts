/** A barrier of two as a rendezvous: a call returns only together with another. */
import type { SyncSpec } from 'straightedge';

interface SignalAndWait {
  signalAndWait(): void;
}

export const barrierOfTwo: SyncSpec<SignalAndWait, null> = {
  name: 'barrier of two',
  initial: null,
  rendezvous: { 'signalAndWait+signalAndWait': (state) => [state, [undefined, undefined]] },
};
