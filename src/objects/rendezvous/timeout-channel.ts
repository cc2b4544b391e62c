/** A channel whose callers may give up: a send says whether it met a receive, a receive gives `empty` where it met none. */
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { returns } from '../../spec/spec.js';
import { given } from '../common/parameters.js';
import { received, sent } from './transfer.js';

export interface TimeoutChannel<V, E = null> {
  send(value: V): boolean;
  receive(): V | E;
}

export interface EmptyOption<E> {
  /** What a caller gets who met nobody; null unless told. */
  readonly empty?: E;
}

export function timeoutChannel<V, E = null>(
  options: EmptyOption<E> = {},
): SyncSpec<TimeoutChannel<V, E>, null> {
  const empty = given<E>(options, 'empty');
  return {
    name: 'timeout-channel',
    initial: null,
    meetings: {
      'send+receive': (state, [value]) => [state, [true, value]],
      send: (state) => [state, [false]],
      receive: (state) => [state, [empty]],
    },
    pairs: (method, [value], outcome) => {
      if (outcome.kind !== 'returned') return undefined;
      if (method === 'receive') return received(outcome.value);
      return returns(outcome, true) ? sent(value) : undefined;
    },
  };
}
