/** A barrier: nobody goes on before all parties have come. Then it can be used again. */
import { Canonical } from '../../base/values/canonical.js';
import { show } from '../../base/values/show.js';
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { blocked, type Refused, refuse } from '../../spec/spec.js';
import { atLeastOne, demand, finite } from '../common/parameters.js';

/* Those who meet by name: how many there are, and that each is another. */

export interface PartiesOptions {
  /** How many there are; 2 unless told. */
  readonly parties?: number;
}

export const partiesOf = (name: string, { parties }: PartiesOptions): number =>
  demand(`the parties of ${name}`, parties ?? 2, atLeastOne);

/** Of two that give one name. */
export const refuseBoth = (name: unknown): Refused => refuse(`two calls give the same name, ${show(name)}`);

/** Refuses those of whom two give one name, and tells which. Who gives no name is taken for another. */
function sameName(names: readonly unknown[]): Refused | undefined {
  const canonical = new Canonical();
  const met = new Set<string>();
  for (const name of names) {
    if (name === undefined || name === null) continue;
    const key = canonical.key(name);
    if (met.has(key)) return refuseBoth(name);
    met.add(key);
  }
  return undefined;
}

/* A broadcast: a send meets so many receives, all at once, and each gets its value. */

export interface Broadcast<V> {
  send(value: V): void;
  receive(): V;
}

/** `parties`: how many receives. */
export function broadcast<V>(options: PartiesOptions = {}): SyncSpec<Broadcast<V>, null> {
  const parties = partiesOf('a broadcast', options);
  return {
    name: 'broadcast',
    initial: null,
    rendezvous: {
      'send+receive*': (state, [value], ...receives) => [state, [undefined, ...receives.map(() => value)]],
    },
    sizes: () => [parties],
  };
}

/* A barrier to which each brings a value, and at which each gets all of them combined. */

export interface CombiningBarrier<V> {
  sync(me: unknown, value: V): V;
}

export interface CombiningBarrierOptions<V> extends PartiesOptions {
  /** What becomes of the values, whatever their order; their sum unless told. */
  readonly combine?: (values: readonly V[]) => V;
}

export function combiningBarrier<V = number>(
  options: CombiningBarrierOptions<V> = {},
): SyncSpec<CombiningBarrier<V>, null> {
  const parties = partiesOf('a combining-barrier', options);
  const combine = options.combine ?? (sum as unknown as (values: readonly V[]) => V);
  return {
    name: 'combining-barrier',
    initial: null,
    rendezvous: {
      'sync*': (state, ...calls) => {
        const refused = sameName(calls.map(([me]) => me));
        if (refused) return refused;
        const combined = combine(calls.map(([, value]) => value));
        return [state, calls.map(() => combined)];
      },
    },
    sizes: () => [parties],
  };
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + demand('the value of sync(me, value)', value, finite), 0);

/*
 * A barrier whose parties come and go: `sync` waits for all who are enrolled. The state is who is.
 *
 * Only who is out may enrol; only who is in may sync or resign.
 */

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
    rendezvous: {
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

export interface Barrier {
  /** Who gives a name meets nobody of the same name. */
  sync(me?: unknown): void;
}

export function barrier(options: PartiesOptions = {}): SyncSpec<Barrier, null> {
  const parties = partiesOf('a barrier', options);
  return {
    name: 'barrier',
    initial: null,
    rendezvous: {
      'sync*': (state, ...calls) => sameName(calls.map(([me]) => me)) ?? [state, calls.map(() => undefined)],
    },
    sizes: () => [parties],
  };
}
