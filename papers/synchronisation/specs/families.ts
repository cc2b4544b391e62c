/**
 * Families: two members synchronise, and each returns the name of the other. Each pair synchronises once; the state is
 * the set of pairs so far, for one family in both orders.
 */
import { type Refused, refuse, type SyncSpec } from 'straightedge';

type Name = number | string;
type Pair<N> = readonly [N, N];

export interface OneFamily<N extends Name = number> {
  meet(me: N): N;
}

export function oneFamily<N extends Name = number>(): SyncSpec<OneFamily<N>, readonly Pair<N>[]> {
  return {
    name: 'one-family',
    initial: [],
    rendezvous: {
      'meet+meet': (pairs, [one], [two]) =>
        one === two
          ? refuse(`two calls have the same name, ${JSON.stringify(one)}`)
          : (repeated(pairs, [one, two]) ?? [
              [...pairs, [one, two], [two, one]],
              [two, one],
            ]),
    },
    key: (pairs) => new Set(pairs),
  };
}

export interface TwoFamilies<N extends Name = number> {
  left(me: N): N;
  right(me: N): N;
}

export function twoFamilies<N extends Name = number>(): SyncSpec<TwoFamilies<N>, readonly Pair<N>[]> {
  return {
    name: 'two-families',
    initial: [],
    rendezvous: {
      'left+right': (pairs, [left], [right]) =>
        repeated(pairs, [left, right]) ?? [
          [...pairs, [left, right]],
          [right, left],
        ],
    },
    key: (pairs) => new Set(pairs),
  };
}

/** Refuses a pair that has synchronised before. */
const repeated = <N>(pairs: readonly Pair<N>[], [one, two]: Pair<N>): Refused | undefined =>
  pairs.some(([a, b]) => a === one && b === two) ? refuse('these two have met already') : undefined;
