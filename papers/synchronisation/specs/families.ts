/**
 * Families: two members synchronise, and each returns the name of the other. Each pair synchronises once; the state is
 * the set of pairs so far, for one family in both orders.
 */
import { type Refused, refuse, type SyncSpec } from 'straightedge';

type Name = number | string;

export interface OneFamily<N extends Name = number> {
  synchronise(me: N): N;
}

export function oneFamily<N extends Name = number>(): SyncSpec<OneFamily<N>, readonly string[]> {
  return {
    name: 'one-family',
    initial: [],
    rendezvous: {
      'synchronise+synchronise': (pairs, [one], [two]) =>
        one === two
          ? refuse(`two calls have the same name, ${JSON.stringify(one)}`)
          : (refuseRepeated(pairs, pair(one, two)) ?? [
              [...pairs, pair(one, two), pair(two, one)],
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

export function twoFamilies<N extends Name = number>(): SyncSpec<TwoFamilies<N>, readonly string[]> {
  return {
    name: 'two-families',
    initial: [],
    rendezvous: {
      'left+right': (pairs, [left], [right]) =>
        refuseRepeated(pairs, pair(left, right)) ?? [
          [...pairs, pair(left, right)],
          [right, left],
        ],
    },
    key: (pairs) => new Set(pairs),
  };
}

const pair = (one: Name, two: Name): string => JSON.stringify([one, two]);

/** Refuses a pair that has synchronised before. */
const refuseRepeated = (pairs: readonly string[], again: string): Refused | undefined =>
  pairs.includes(again) ? refuse('these two have synchronised already') : undefined;
