/** A barrier to which each brings a value, and at which each gets all of them combined. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { demand, finite } from '../common/parameters.js';
import { type PartiesOptions, partiesOf, sameName } from './parties.js';

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
    meetings: {
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
