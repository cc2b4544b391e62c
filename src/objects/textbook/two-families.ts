/** Two families: one of the left meets one of the right, and learns who it is; each pair meets once. The state is the pairs that have met. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { metAlready } from './met-already.js';

export interface TwoFamilies<N = number> {
  left(me: N): N;
  right(me: N): N;
}

export function twoFamilies<N = number>(): SyncSpec<TwoFamilies<N>, readonly (readonly [N, N])[]> {
  return {
    name: 'two-families',
    initial: [],
    rendezvous: {
      'left+right': (met, [left], [right]) =>
        metAlready(met, [left, right]) ?? [
          [...met, [left, right]],
          [right, left],
        ],
    },
    key: (met) => new Set(met),
  };
}
