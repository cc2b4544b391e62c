/** A barrier of two, told by its rendezvous: nobody returns who has not met another. */
import type { SyncSpec } from 'straightedge';

interface Meets {
  signalAndWait(): void;
}

export const barrierOfTwo: SyncSpec<Meets, null> = {
  name: 'barrier of two',
  initial: null,
  rendezvous: { 'signalAndWait+signalAndWait': (state) => [state, [undefined, undefined]] },
};
