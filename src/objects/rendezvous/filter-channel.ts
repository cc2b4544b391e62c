/**
 * A channel whose receivers say what they want: the name of a predicate, or a list of
 * values; who says nothing takes any. A send meets a receive that wants its value.
 */
import { show } from '../../base/values/show.js';
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { blocked, returns } from '../../spec/spec.js';
import { sameInFiles } from '../common/same-value.js';
import { received, sent } from './transfer.js';

export interface FilterChannel<V> {
  send(value: V): void;
  receive(wanted?: string | readonly V[]): V;
}

export interface FilterChannelOptions<V> {
  /** Name to predicate; `any`, `even` and `odd` unless told. */
  readonly predicates?: Readonly<Record<string, (value: V) => boolean>>;
}

const PREDICATES: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  even: (value) => Number(value) % 2 === 0,
  odd: (value) => Math.abs(Number(value) % 2) === 1,
};

export function filterChannel<V>(options: FilterChannelOptions<V> = {}): SyncSpec<FilterChannel<V>, null> {
  const predicates = options.predicates ?? PREDICATES;
  const wants = (wanted: string | readonly V[] | undefined, value: V): boolean => {
    if (wanted === undefined) return true;
    if (typeof wanted !== 'string') return wanted.some((own) => sameInFiles(own, value));
    if (!Object.hasOwn(predicates, wanted))
      throw new TypeError(
        `there is no predicate ${show(wanted)}; there are ${Object.keys(predicates).join(', ')}`,
      );
    return predicates[wanted](value);
  };
  return {
    name: 'filter-channel',
    initial: null,
    meetings: {
      'send+receive': (state, [value], [wanted]) =>
        wants(wanted, value) ? [state, [undefined, value]] : blocked,
    },
    pairs: (method, [first], outcome) => {
      if (outcome.kind !== 'returned') return undefined;
      if (method === 'send') return returns(outcome, undefined) ? sent(first) : undefined;
      const value = outcome.value as V;
      return wants(first as string | undefined, value) ? received(value) : undefined;
    },
  };
}
