/** Kits of queues and channels. */
import type { Signal } from '../explore/scenario/scenario.js';
import {
  type Awaitable,
  BrokenGuarantee,
  type Caller,
  clients,
  type Kit,
  type KitOptions,
  kitOf,
  numbers,
  rejected,
  type Tested,
  World,
} from './kit.js';

/** How a queue is used. Items are numbers. */
export interface QueueAdapter<Q> extends KitOptions {
  /** Makes an empty queue. The capacity is the option below; without it, infinity. */
  readonly create: (capacity: number) => Awaitable<Q>;
  /** Adds an item. It rejects, throws or returns `false` if the queue does not accept it. */
  readonly put: (queue: Q, item: number) => unknown;
  /** Removes an item, and waits for one if there is none. */
  readonly take: (queue: Q) => unknown;
  /** With this number of items, `put` waits. 0: until the item is taken. */
  readonly capacity?: number;
  /** Are items taken in the order in which they were put? Default: true. */
  readonly fifo?: boolean;
  /** Removes an item; returns `undefined`, `null` or `false` at once if there is none. */
  readonly tryTake?: (queue: Q) => unknown;
  /** `take`, until the signal is aborted: then it rejects, or returns what `isEnd` accepts. */
  readonly abortable?: (queue: Q, signal: Signal) => unknown;
  /** `take`, for at most n milliseconds: then it rejects, or returns what `isEnd` accepts. */
  readonly timed?: (queue: Q, milliseconds: number) => unknown;
  /** After it, `put` accepts nothing, and a `take` that finds no item rejects, or returns what `isEnd` accepts. */
  readonly close?: (queue: Q) => unknown;
  /** What `take` returns instead of an item. Default: `undefined`, `null` and objects whose `done` is true. */
  readonly isEnd?: (result: unknown) => boolean;
  /** Can items that were accepted be taken after `close`? Default: true. */
  readonly drains?: boolean;
}

/** The most items that the last call takes. */
const MOST = 10;
/** Milliseconds of a `take` with a time-out. */
const WAIT = 10;

const isNothing = (result: unknown): boolean =>
  result === undefined || result === null || (result as { done?: unknown }).done === true;

/** A queue, and what has happened to each item. */
class Items<Q> extends World<Q> {
  /** Items that calls have begun to put, and those that the queue has accepted or refused. */
  readonly begun: Set<number> = new Set();
  readonly accepted: Set<number> = new Set();
  readonly refused: Set<number> = new Set();
  /** Item to the call that took it. */
  readonly taken: Map<number, string> = new Map();
  /** The last item of each producer that each consumer took. */
  readonly last: Map<string, number> = new Map();
  takes = 0;
  isClosed = false;

  override state(): string {
    const left = [...this.accepted].filter((item) => !this.taken.has(item));
    return left.length === 0
      ? 'every accepted item was taken'
      : `item ${left.join(', ')} was accepted and not taken`;
  }

  take({ name }: Caller, consumer: number, item: number, isFifo: boolean): void {
    if (!this.begun.has(item)) throw new BrokenGuarantee(`${name} took ${String(item)}, which was never put`);
    const other = this.taken.get(item);
    if (other !== undefined)
      throw new BrokenGuarantee(`item ${item} was taken twice: by ${other} and by ${name}`);
    if (this.refused.has(item))
      throw new BrokenGuarantee(`put(${item}) was refused, but ${name} took the item`);
    this.taken.set(item, name);
    const key = `${consumer} ${producerOf(item)}`;
    const before = this.last.get(key) ?? 0;
    if (isFifo && before > item)
      throw new BrokenGuarantee(
        `not in order: ${name} took item ${item} after item ${before}, which was put later`,
      );
    this.last.set(key, item);
  }
}

/** Items 11, 12 … are of producer 1. */
const producerOf = (item: number): number => Math.floor(item / 10);

function methodsOf<Q>(adapter: QueueAdapter<Q>, capacity: number) {
  type Own = Items<Q>;
  const {
    put,
    take,
    tryTake,
    abortable,
    timed,
    close,
    isEnd = isNothing,
    fifo = true,
    drains = true,
  } = adapter;

  /** A call that takes an item or ends without one. */
  const taking =
    (
      method: string,
      run: (world: Own, n: number) => unknown,
      mayEnd: (world: Own, n: number) => boolean,
      isNone: (result: unknown) => boolean = isEnd,
    ) =>
    (world: Own, n: number) =>
      world.call(`${method}(${n})`, async (caller) => {
        caller.doing = method === 'tryTake' ? 'tryTake' : 'take';
        world.takes++;
        let item: unknown;
        try {
          item = await run(world, n);
        } catch (error) {
          if (!mayEnd(world, n)) throw rejected(caller, error);
          return;
        }
        if (!isNone(item)) world.take(caller, n, item as number, fifo);
        else if (!mayEnd(world, n))
          throw new BrokenGuarantee(`take() of ${caller.name} returned ${String(item)} instead of an item`);
      });

  return {
    put: (world: Own, item: number) =>
      world.call(`put(${item})`, async (caller) => {
        caller.doing = 'put';
        world.begun.add(item);
        let isAccepted: boolean;
        try {
          isAccepted = (await put(world.object, item)) !== false;
        } catch (error) {
          if (!world.isClosed) throw rejected(caller, error);
          isAccepted = false;
        }
        if (isAccepted) world.accepted.add(item);
        else if (!world.isClosed)
          throw new BrokenGuarantee(`put(${item}) was refused though the queue is open`);
        else world.refused.add(item);
        const by = world.taken.get(item);
        if (!isAccepted && by !== undefined)
          throw new BrokenGuarantee(`put(${item}) was refused, but ${by} took the item`);
        if (world.accepted.size > capacity + world.takes)
          throw new BrokenGuarantee(
            `above the capacity: ${world.accepted.size} items were accepted with a capacity of ${capacity} and ${world.takes} calls of take`,
          );
      }),
    take: taking(
      'take',
      (world) => take(world.object),
      (world) => world.isClosed,
    ),
    tryTake: taking(
      'tryTake',
      (world) => tryTake!(world.object),
      () => true,
      (result) => isEnd(result) || result === false,
    ),
    abortedTake: taking(
      'abortedTake',
      (world, n) => abortable!(world.object, world.controllerOf(n).signal),
      (world, n) => world.controllerOf(n).signal.aborted,
    ),
    abort: (world: Own, n: number) => world.controllerOf(n).abort(),
    timedTake: taking(
      'timedTake',
      (world) => timed!(world.object, WAIT),
      () => true,
    ),
    close: (world: Own) =>
      world.call('close()', async (caller) => {
        caller.doing = 'close';
        world.isClosed = true;
        await close!(world.object);
      }),
    /** When nothing else can happen: takes what is left, item by item. */
    takeTheRest: (world: Own) =>
      world.call('takeTheRest()', async (caller) => {
        const left = (items: ReadonlySet<number>): number[] =>
          [...items].filter((item) => !world.taken.has(item) && !world.refused.has(item));
        for (let i = 0; i < MOST; i++) {
          await world.quiet();
          if (!world.isClosed && left(world.begun).length === 0) break;
          caller.doing = 'take';
          world.takes++;
          let item: unknown;
          try {
            item = await take(world.object);
          } catch (error) {
            if (!world.isClosed) throw rejected(caller, error);
            break;
          }
          if (isEnd(item) && world.isClosed) break;
          world.take(caller, 0, item as number, fifo);
        }
        const [lost] = left(world.accepted);
        if (lost !== undefined && (drains || !world.isClosed))
          throw new BrokenGuarantee(`item ${lost} is lost: put() accepted it, and no call can take it`);
      }),
  };
}

/** Calls that put or take n items. */
const puts = (producer: number, count: number): string =>
  numbers(count, 10 * producer + 1)
    .map((item) => `put ${item}`)
    .join();
const takes = (consumer: number, count: number): string =>
  numbers(count)
    .map(() => `take ${consumer}`)
    .join();

function guaranteesOf(
  { capacity, tryTake, abortable, timed, close, fifo = true }: QueueAdapter<never>,
  { items, take, put }: Words,
): readonly (Tested | false | undefined)[] {
  const more = (capacity ?? 0) + 1;
  return [
    {
      guarantee: `every ${items} is taken once${fifo ? ', in order' : ''}, and no wake-up is lost`,
      tests: [
        clients('put 11 | take 1'),
        clients('put 11, put 12 | take 1, take 1'),
        clients('put 11, put 12 | take 1 | take 2'),
        clients('put 11 | put 21 | take 1 | take 2'),
      ],
    },
    capacity !== undefined && {
      guarantee:
        capacity === 0
          ? `${put} waits until the ${items} is taken`
          : `${put} waits while there are ${capacity} ${items}s`,
      tests: [
        clients(`${puts(1, more + 1)} | ${takes(1, more + 1)}`),
        clients(
          `${numbers(more)
            .map((n) => puts(n, 1))
            .join('|')} | ${takes(1, more)}`,
        ),
      ],
    },
    tryTake && {
      guarantee: 'an attempt that fails takes nothing',
      tests: [
        clients('put 11 | tryTake 1 | takeTheRest'),
        clients('put 11, put 12 | tryTake 1 | tryTake 2 | takeTheRest'),
      ],
    },
    abortable && {
      guarantee: `an aborted ${take} loses no ${items}`,
      tests: [
        clients('abortedTake 1 | abort 1 | put 11 | takeTheRest'),
        clients('abortedTake 1 | abort 1 | put 11, put 12 | take 2 | takeTheRest'),
      ],
    },
    abortable && { guarantee: `an aborted ${take} ends`, tests: [clients('abortedTake 1 | abort 1')] },
    timed && {
      guarantee: `a ${take} that times out loses no ${items}`,
      tests: [
        clients('timedTake 1 | put 11 | takeTheRest'),
        clients('timedTake 1 | put 11, put 12 | take 2 | takeTheRest'),
      ],
    },
    close && {
      guarantee: `close ends every call and loses no ${items}`,
      tests: [
        clients('take 1 | close', 'takeTheRest'),
        clients('take 1 | take 2 | close', 'takeTheRest'),
        // a put that waits at a close may end when its item is taken
        clients('put 11 | take 1 | close | takeTheRest'),
        clients('put 11, put 12 | take 1 | close | takeTheRest'),
      ],
    },
  ];
}

interface Words {
  readonly kind: string;
  readonly items: string;
  readonly put: string;
  readonly take: string;
}

function kitWith<Q>(adapter: QueueAdapter<Q>, words: Words): Kit {
  const { capacity = Number.POSITIVE_INFINITY } = adapter;
  return kitOf({
    kind: words.kind,
    options: adapter,
    create: async () => new Items(await adapter.create(capacity)),
    methods: methodsOf(adapter, capacity),
    guarantees: guaranteesOf(adapter as never, words),
  });
}

/**
 * A kit of queues whose `take` waits for an item: every item is taken once and in order, no wake-up is lost, and what else the adapter names.
 * Guide: `docs/guide/kits/queue.md`.
 *
 * @example
 * export default queueKit({
 *   create: () => new yours.Queue(),
 *   put: (queue, item) => queue.push(item),
 *   take: (queue) => queue.pop(),
 * });
 */
export const queueKit = <Q>(adapter: QueueAdapter<Q>): Kit =>
  kitWith(adapter, { kind: 'queue', items: 'item', put: 'put', take: 'take' });

/**
 * A kit of channels: as `queueKit`, but without a capacity, a message is handed over from sender to receiver.
 * Guide: `docs/guide/kits/channel.md`.
 *
 * @example
 * export default channelKit({
 *   create: () => new yours.Channel(),
 *   put: (channel, message) => channel.send(message),
 *   take: (channel) => channel.receive(),
 * });
 */
export const channelKit = <C>(adapter: QueueAdapter<C>): Kit =>
  kitWith({ capacity: 0, ...adapter }, { kind: 'channel', items: 'message', put: 'put', take: 'take' });
