/** A channel without a buffer: a send and a receive meet, and the value goes from one to the other. */

import { show } from '../../base/values/show.js';
import type { Pair, SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { blocked, returns, threw } from '../../spec/spec.js';
import { given, sameInFiles } from '../common/parameters.js';

/* What the calls of a channel are, and what they must have met: who sent a value met one who received it. */

const sent = (value: unknown): Pair => [
  ['send', value],
  ['receive', value],
];

const received = (value: unknown): Pair => [
  ['receive', value],
  ['send', value],
];

/* A channel whose callers may give up: a send says whether it met a receive, a receive gives `empty` where it met none. */

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
    rendezvous: {
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

/*
 * A channel whose receivers say what they want: the name of a predicate, or a list of
 * values; who says nothing takes any. A send meets a receive that wants its value.
 */

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
    rendezvous: {
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

/* A channel that can be closed, after which all callers get `Closed`. */

export interface CloseableChannel<V> {
  send(value: V): void;
  receive(): V;
  /** To close it again does nothing. */
  close(): void;
}

type State = 'open' | 'closed';

export function closeableChannel<V>(): SyncSpec<CloseableChannel<V>, State> {
  return {
    name: 'closeable-channel',
    initial: 'open',
    rendezvous: {
      'send+receive': (state, [value]) => (state === 'open' ? [state, [undefined, value]] : blocked),
      send: (state) => (state === 'closed' ? [state, [threw('Closed')]] : blocked),
      receive: (state) => (state === 'closed' ? [state, [threw('Closed')]] : blocked),
      close: () => ['closed', [undefined]],
    },
  };
}

/* A channel that counts: a send and a receive also get the number of their meeting, from 1. The state is how many there were. */

export interface CounterChannel<V> {
  send(value: V): number;
  receive(): readonly [value: V, number: number];
}

export function counterChannel<V>(): SyncSpec<CounterChannel<V>, number> {
  return {
    name: 'counter-channel',
    initial: 0,
    rendezvous: { 'send+receive': (count, [value]) => [count + 1, [count + 1, [value, count + 1]]] },
  };
}

export interface Channel<V> {
  send(value: V): void;
  receive(): V;
}

export function channel<V>(): SyncSpec<Channel<V>, null> {
  return {
    name: 'channel',
    initial: null,
    rendezvous: { 'send+receive': (state, [value]) => [state, [undefined, value]] },
    pairs: (method, [value], outcome) => {
      if (outcome.kind !== 'returned') return undefined;
      if (method === 'receive') return received(outcome.value);
      return returns(outcome, undefined) ? sent(value) : undefined;
    },
  };
}
