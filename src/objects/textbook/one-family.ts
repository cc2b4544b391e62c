/** One family: two of it meet, and each learns who the other is; each pair meets once. The state is the pairs that have met, both ways. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { isEqualOrNullish } from '../common/parameters.js';
import { refuseDuplicateName } from '../rendezvous/barrier.js';
import { metAlready } from './met-already.js';

export interface OneFamily<N = number> {
  meet(me: N): N;
}

export function oneFamily<N = number>(): SyncSpec<OneFamily<N>, readonly (readonly [N, N])[]> {
  return {
    name: 'one-family',
    initial: [],
    rendezvous: {
      'meet+meet': (met, [one], [two]) =>
        isEqualOrNullish(one, two)
          ? refuseDuplicateName(one)
          : (metAlready(met, [one, two]) ?? [
              [...met, [one, two], [two, one]],
              [two, one],
            ]),
    },
    key: (met) => new Set(met),
  };
}
