/** Dancing partners: a man and a woman synchronise, and each returns the name of the other. */
import type { SyncSpec } from 'straightedge';

export interface MenAndWomen<N = number> {
  man(me: N): N;
  woman(me: N): N;
}

export function menAndWomen<N = number>(): SyncSpec<MenAndWomen<N>, null> {
  return {
    name: 'men-and-women',
    initial: null,
    rendezvous: { 'man+woman': (state, [he], [she]) => [state, [she, he]] },
    pairs: (method, [me], outcome) => {
      if (outcome.kind !== 'returned') return undefined;
      const other = method === 'man' ? 'woman' : 'man';
      return [
        [method, me, outcome.value],
        [other, outcome.value, me],
      ];
    },
  };
}
