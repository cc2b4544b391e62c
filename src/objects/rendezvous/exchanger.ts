/** Exchangers: two calls synchronise, and each returns the value of the other. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { optionOrNull } from '../common/parameters.js';
import type { EmptyOption } from './channel.js';

/** The method of an exchanger. */
export interface Exchanger<V> {
  exchange(value: V): V;
}

/**
 * An exchanger.
 *
 * @example
 * A |- exchange(1) -> 2 -|
 * B    |- exchange(2) -> 1 -|
 */
export function exchanger<V>(): SyncSpec<Exchanger<V>, null> {
  return {
    name: 'exchanger',
    initial: null,
    rendezvous: { 'exchange+exchange': (state, [mine], [yours]) => [state, [yours, mine]] },
    pairs: exchangedPair,
  };
}

/** A call with argument a and result b had a partner with argument b and result a. */
const exchangedPair: NonNullable<SyncSpec['pairs']> = (_method, [mine], outcome) =>
  outcome.kind === 'returned'
    ? [
        [mine, outcome.value],
        [outcome.value, mine],
      ]
    : undefined;

/** The method of an exchanger whose callers may give up. */
export interface TimeoutExchanger<V, E = null> {
  exchange(value: V): V | E;
}

/**
 * An exchanger whose callers may give up: a call without a partner returns `empty`.
 *
 * @example
 * A |- exchange(1) -> null -|
 */
export function timeoutExchanger<V, E = null>(
  options: EmptyOption<E> = {},
): SyncSpec<TimeoutExchanger<V, E>, null> {
  const empty = optionOrNull<E>(options, 'empty');
  return {
    name: 'timeout-exchanger',
    initial: null,
    rendezvous: {
      'exchange+exchange': (state, [mine], [yours]) => [state, [yours, mine]],
      exchange: (state) => [state, [empty]],
    },
    pairs: exchangedPair,
  };
}
