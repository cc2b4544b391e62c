/** A, B and C synchronise, one of each kind, and each returns the names of the other two. */
import type { SyncSpec } from 'straightedge';

export interface Abc<N = number> {
  a(me: N): readonly [b: N, c: N];
  b(me: N): readonly [a: N, c: N];
  c(me: N): readonly [a: N, b: N];
}

export function abc<N = number>(): SyncSpec<Abc<N>, null> {
  return {
    name: 'abc',
    initial: null,
    rendezvous: {
      'a+b+c': (state, [a], [b], [c]) => [
        state,
        [
          [b, c],
          [a, c],
          [a, b],
        ],
      ],
    },
    group: (method, [me], outcome) => {
      if (outcome.kind !== 'returned' || !Array.isArray(outcome.value)) return undefined;
      const [first, second] = outcome.value as unknown[];
      return { a: [me, first, second], b: [first, me, second], c: [first, second, me] }[method];
    },
  };
}
