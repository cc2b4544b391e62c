/**
 * Channels without a buffer, where a send and a receive synchronise and the value passes from one to the other;
 * exchangers, where two calls synchronise and each returns the value of the other; and a queue whose last receivers
 * synchronise.
 */
import { show } from '../../base/values/show.js';
import type { Pair, SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { blocked, returns, threw } from '../../spec/spec.js';
import { isEqualOrNullish, optionOrNull } from '../common/parameters.js';
import { type PartiesOptions, readParties } from './barrier.js';

/** The methods of a synchronous channel. */
export interface Channel<V> {
  send(value: V): void;
  receive(): V;
}

/**
 * A channel.
 *
 * @example
 * A |- send(1) -----|
 * B    |- receive() -> 1 -|
 */
export function channel<V>(): SyncSpec<Channel<V>, null> {
  return {
    name: 'channel',
    initial: null,
    maxArguments: { send: 1, receive: 0 },
    rendezvous: { 'send+receive': (state, [value]) => [state, [undefined, value]] },
    pairs: (method, [value], outcome) => {
      if (outcome.kind !== 'returned') return undefined;
      if (method === 'receive') return received(outcome.value);
      return returns(outcome, undefined) ? sent(value) : undefined;
    },
  };
}

/** The keys of a send and of its receive. */
const sent = (value: unknown): Pair => [
  ['send', value],
  ['receive', value],
];

/** The keys of a receive and of its send. */
const received = (value: unknown): Pair => [
  ['receive', value],
  ['send', value],
];

/** The methods of a channel whose callers may give up. */
export interface TimeoutChannel<V, E = null> {
  send(value: V): boolean;
  receive(): V | E;
}

/** The result of a call that gives up. */
export interface EmptyOption<E> {
  /** The result of a call without a partner; null by default. */
  readonly empty?: E;
}

/**
 * A channel whose callers may give up: `send` returns whether a receive took the value, `receive`
 * returns `empty` if there was no send.
 *
 * @example
 * A |- send(1) -> true -| |- send(2) -> false -|
 * B    |- receive() -> 1 -|
 */
export function timeoutChannel<V, E = null>(
  options: EmptyOption<E> = {},
): SyncSpec<TimeoutChannel<V, E>, null> {
  const empty = optionOrNull<E>(options, 'empty');
  return {
    name: 'timeout-channel',
    initial: null,
    maxArguments: { send: 1, receive: 0 },
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

/** The methods of a channel whose receivers select values. */
export interface FilterChannel<V> {
  send(value: V): void;
  receive(filter?: string | readonly V[]): V;
}

/** The filter of a channel. */
export interface FilterChannelOptions<V> {
  /** Predicates by name; `any`, `even` and `odd` by default. */
  readonly predicates?: Readonly<Record<string, (value: V) => boolean>>;
}

const PREDICATES: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  even: (value) => Number(value) % 2 === 0,
  odd: (value) => Math.abs(Number(value) % 2) === 1,
};

/**
 * A channel whose receivers choose: by the name of a predicate, by a list of values, or any value.
 * A send synchronises with a receive that accepts its value.
 *
 * @example
 * A |- send(2) -----------|
 * B    |- receive("even") -> 2 -|
 */
export function filterChannel<V>(options: FilterChannelOptions<V> = {}): SyncSpec<FilterChannel<V>, null> {
  const predicates = options.predicates ?? PREDICATES;
  const accepts = (filter: string | readonly V[] | undefined, value: V): boolean => {
    if (filter === undefined) return true;
    if (typeof filter !== 'string') return filter.some((own) => isEqualOrNullish(own, value));
    if (!Object.hasOwn(predicates, filter))
      throw new TypeError(
        `unknown predicate ${show(filter)}; expected ${Object.keys(predicates).join(', ')}`,
      );
    return predicates[filter](value);
  };
  return {
    name: 'filter-channel',
    initial: null,
    maxArguments: { send: 1, receive: 1 },
    rendezvous: {
      'send+receive': (state, [value], [filter]) =>
        accepts(filter, value) ? [state, [undefined, value]] : blocked,
    },
    pairs: (method, [first], outcome) => {
      if (outcome.kind !== 'returned') return undefined;
      if (method === 'send') return returns(outcome, undefined) ? sent(first) : undefined;
      const value = outcome.value as V;
      return accepts(first as string | undefined, value) ? received(value) : undefined;
    },
  };
}

/** The methods of a channel that can be closed. */
export interface CloseableChannel<V> {
  send(value: V): void;
  receive(): V;
  /** Closing a closed channel has no effect. */
  close(): void;
}

type ChannelState = 'open' | 'closed';

/**
 * A channel that can be closed; then `send` and `receive` throw `Closed`.
 *
 * @example
 * A |- send(1) ! Closed -|
 * B    |- close() -|
 */
export function closeableChannel<V>(): SyncSpec<CloseableChannel<V>, ChannelState> {
  return {
    name: 'closeable-channel',
    initial: 'open',
    maxArguments: { send: 1, receive: 0, close: 0 },
    rendezvous: {
      'send+receive': (state, [value]) => (state === 'open' ? [state, [undefined, value]] : blocked),
      send: (state) => (state === 'closed' ? [state, [threw('Closed')]] : blocked),
      receive: (state) => (state === 'closed' ? [state, [threw('Closed')]] : blocked),
      close: () => ['closed', [undefined]],
    },
  };
}

/** The methods of a channel that counts its rendezvous. */
export interface CounterChannel<V> {
  send(value: V): number;
  receive(): readonly [value: V, number: number];
}

/**
 * A channel that numbers its rendezvous from 1. The state is the number of rendezvous.
 *
 * @example
 * A |- send("a") -> 1 ----|
 * B    |- receive() -> ["a", 1] -|
 */
export function counterChannel<V>(): SyncSpec<CounterChannel<V>, number> {
  return {
    name: 'counter-channel',
    initial: 0,
    maxArguments: { send: 1, receive: 0 },
    rendezvous: { 'send+receive': (count, [value]) => [count + 1, [count + 1, [value, count + 1]]] },
  };
}

/** The methods of a terminating queue. */
export interface TerminatingQueue<V, E = null> {
  enqueue(value: V): void;
  dequeue(): V | E;
}

interface TerminatingQueueState<V> {
  readonly items: readonly V[];
  readonly hasTerminated: boolean;
}

/**
 * A queue that detects termination: if it is empty and all parties wait in `dequeue`, all of them return `empty` and the
 * queue has terminated. Afterwards `dequeue` returns `empty` at once, and enqueued values are lost. `parties` is the number
 * of threads that dequeue.
 *
 * @example
 * A |- enqueue(1) -| |- dequeue() -> null -|
 * B  |- dequeue() -> 1 -| |- dequeue() -> null -|
 */
export function terminatingQueue<V, E = null>(
  options: PartiesOptions & EmptyOption<E> = {},
): SyncSpec<TerminatingQueue<V, E>, TerminatingQueueState<V>> {
  const parties = readParties('a terminating-queue', options);
  const empty = optionOrNull<E>(options, 'empty');
  return {
    name: 'terminating-queue',
    initial: { items: [], hasTerminated: false },
    maxArguments: { enqueue: 1, dequeue: 0 },
    rendezvous: {
      enqueue: (state, [value]) => [
        state.hasTerminated ? state : { ...state, items: [...state.items, value] },
        [undefined],
      ],
      dequeue: (state) => {
        const { items, hasTerminated } = state;
        if (hasTerminated) return [state, [empty]];
        return items.length === 0 ? blocked : [{ hasTerminated, items: items.slice(1) }, [items[0]]];
      },
      'dequeue*': ({ items, hasTerminated }, ...calls) =>
        hasTerminated || items.length > 0
          ? blocked
          : [{ items, hasTerminated: true }, calls.map(() => empty)],
    },
    sizes: () => [parties],
  };
}

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
    maxArguments: { exchange: 1 },
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
    maxArguments: { exchange: 1 },
    rendezvous: {
      'exchange+exchange': (state, [mine], [yours]) => [state, [yours, mine]],
      exchange: (state) => [state, [empty]],
    },
    pairs: exchangedPair,
  };
}
