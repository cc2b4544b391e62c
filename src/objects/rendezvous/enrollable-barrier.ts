/**
 * A barrier whose parties come and go: `sync` waits for all who are enrolled. The state is who is.
 *
 * Only who is out may enrol; only who is in may sync or resign.
 */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { blocked, refuse } from '../../spec/spec.js';
import { sameName } from './parties.js';

export interface EnrollableBarrier {
  enrol(me: number | string): void;
  resign(me: number | string): void;
  sync(me: number | string): void;
}

type Name = number | string;

export function enrollableBarrier(): SyncSpec<EnrollableBarrier, readonly Name[]> {
  return {
    name: 'enrollable-barrier',
    initial: [],
    meetings: {
      enrol: (enrolled, [me]) =>
        enrolled.includes(me) ? refuse('enrolled already') : [[...enrolled, me].sort(byName), [undefined]],
      resign: (enrolled, [me]) =>
        enrolled.includes(me) ? [enrolled.filter((own) => own !== me), [undefined]] : refuse('not enrolled'),
      'sync*': (enrolled, ...calls) => {
        const here = calls.map(([me]) => me);
        if (here.some((me) => !enrolled.includes(me))) return refuse('not enrolled');
        const refused = sameName(here);
        if (refused) return refused;
        return new Set(here).size === enrolled.length ? [enrolled, calls.map(() => undefined)] : blocked;
      },
    },
    sizes: (enrolled) => (enrolled.length === 0 ? [] : [enrolled.length]),
  };
}

const byName = (a: Name, b: Name): number => {
  const [first, second] = [a, b].map((name) => `${typeof name} ${name}`);
  return first < second ? -1 : first > second ? 1 : 0;
};
