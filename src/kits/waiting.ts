/** Kits of what calls wait for: barriers, latches and events. */
import {
  type Awaitable,
  BrokenGuarantee,
  type Calls,
  clients,
  type Kit,
  type KitOptions,
  kitOf,
  numbers,
  World,
} from './kit.js';

/** How a barrier is used. */
export interface BarrierAdapter<B> extends KitOptions {
  /** Makes a barrier for n calls. */
  readonly create: (parties: number) => Awaitable<B>;
  /** Waits until n calls have arrived. */
  readonly wait: (barrier: B) => unknown;
  /** Default: 2. */
  readonly parties?: number;
  /** Can it be used again when all have passed? Default: true. */
  readonly cyclic?: boolean;
}

/** How a latch is used. */
export interface LatchAdapter<L> extends KitOptions {
  /** Makes a latch that opens after n calls of `countDown`. */
  readonly create: (count: number) => Awaitable<L>;
  readonly countDown: (latch: L) => unknown;
  /** Waits until the latch is open. */
  readonly wait: (latch: L) => unknown;
  /** Default: 2. */
  readonly count?: number;
}

/** How an event is used. */
export interface EventAdapter<E> extends KitOptions {
  /** Makes an event that is not set. */
  readonly create: () => Awaitable<E>;
  readonly set: (event: E) => unknown;
  /** Waits until the event is set. */
  readonly wait: (event: E) => unknown;
  readonly reset?: (event: E) => unknown;
  /** Does a set event release one call, and is then reset? Default: false. */
  readonly autoReset?: boolean;
}

class Arrivals<B> extends World<B> {
  /** How often each client has arrived. */
  readonly arrived: Map<number, number> = new Map();
  readonly parties: number;

  constructor(object: B, parties: number) {
    super(object);
    this.parties = parties;
  }

  override state(): string {
    return `${numbers(this.parties)
      .map((n) => `client ${n} has arrived ${this.arrived.get(n) ?? 0} times`)
      .join(', ')}`;
  }

  arrive(n: number): number {
    const times = (this.arrived.get(n) ?? 0) + 1;
    this.arrived.set(n, times);
    return times;
  }
}

/**
 * A kit of barriers: no call passes before all have arrived, and then all pass.
 * Guide: `docs/guide/kits/barrier.md`.
 *
 * @example
 * export default barrierKit({
 *   create: (parties) => new yours.Barrier(parties),
 *   wait: (barrier) => barrier.wait(),
 * });
 */
export function barrierKit<B>(adapter: BarrierAdapter<B>): Kit {
  const { create, wait, parties = 2, cyclic = true } = adapter;
  const all = (calls: (n: number) => string): string => numbers(parties).map(calls).join(' | ');
  const methods: Calls<Arrivals<B>> = {
    pass: (world, n: number) =>
      world.call(`pass(${n})`, async (caller) => {
        const round = world.arrive(n);
        caller.doing = 'wait';
        await wait(world.object);
        for (const other of numbers(parties))
          if ((world.arrived.get(other) ?? 0) < round)
            throw new BrokenGuarantee(
              `${caller.name} passed the barrier in round ${round} before client ${other} had arrived`,
            );
      }),
  };
  return kitOf({
    kind: 'barrier',
    options: adapter,
    create: async () => new Arrivals(await create(parties), parties),
    methods,
    guarantees: [
      { guarantee: 'no call passes before all have arrived', tests: [clients(all((n) => `pass ${n}`))] },
      cyclic && {
        guarantee: 'the barrier can be used again',
        tests: [
          clients(all((n) => `pass ${n}, pass ${n}`)),
          clients(all((n) => `pass ${n}, pass ${n}, pass ${n}`)),
        ],
      },
    ],
  });
}

class Count<L> extends World<L> {
  /** Calls of `countDown` that have begun. */
  begun = 0;

  override state(): string {
    return `countDown() was called ${this.begun} times`;
  }
}

/**
 * A kit of latches: no call passes before the count has reached zero, and then all pass.
 * Guide: `docs/guide/kits/latch.md`.
 *
 * @example
 * export default latchKit({
 *   create: (count) => new yours.Latch(count),
 *   countDown: (latch) => latch.countDown(),
 *   wait: (latch) => latch.wait(),
 * });
 */
export function latchKit<L>(adapter: LatchAdapter<L>): Kit {
  const { create, countDown, wait, count = 2 } = adapter;
  const methods: Calls<Count<L>> = {
    countDown: (world) =>
      world.call('countDown()', async (caller) => {
        caller.doing = 'countDown';
        world.begun++;
        await countDown(world.object);
      }),
    wait: (world, n: number) =>
      world.call(`wait(${n})`, async (caller) => {
        caller.doing = 'wait';
        await wait(world.object);
        if (world.begun < count)
          throw new BrokenGuarantee(
            `${caller.name} passed the latch after ${world.begun} of ${count} calls of countDown`,
          );
      }),
  };
  const apart = numbers(count)
    .map(() => 'countDown')
    .join(' | ');
  const inOrder = numbers(count)
    .map(() => 'countDown')
    .join(', ');
  return kitOf({
    kind: 'latch',
    options: adapter,
    create: async () => new Count(await create(count)),
    methods,
    guarantees: [
      {
        guarantee: 'no call passes before the count is zero, and then all pass',
        tests: [
          clients(`${inOrder} | wait 1`, 'wait 9'),
          clients(`${apart} | wait 1`, 'wait 9'),
          clients(`${inOrder} | wait 1 | wait 2`, 'wait 9'),
        ],
      },
    ],
  });
}

class Sets<E> extends World<E> {
  begun = 0;
  ended = 0;
  passed = 0;
  /** Calls of `set` that ended before a call of `reset` that has ended. */
  undone = 0;

  override state(): string {
    return `set() was called ${this.begun} times, and ${this.passed} calls of wait() have ended`;
  }
}

/**
 * A kit of events: no call passes before the event is set, and then all pass, or one if it resets itself.
 * Guide: `docs/guide/kits/event.md`.
 *
 * @example
 * export default eventKit({
 *   create: () => new yours.Event(),
 *   set: (event) => event.set(),
 *   wait: (event) => event.wait(),
 * });
 */
export function eventKit<E>(adapter: EventAdapter<E>): Kit {
  const { create, set, wait, reset, autoReset = false } = adapter;
  const setting = async (world: Sets<E>): Promise<void> => {
    world.begun++;
    await set(world.object);
    world.ended++;
  };
  const methods: Calls<Sets<E>> = {
    set: (world) =>
      world.call('set()', async (caller) => {
        caller.doing = 'set';
        await setting(world);
      }),
    /** Sets the event when nothing else can happen. */
    setLater: (world) =>
      world.call('setLater()', async (caller) => {
        await world.quiet();
        caller.doing = 'set';
        await setting(world);
      }),
    reset: async (world) => {
      const { ended } = world;
      await reset!(world.object);
      world.undone = Math.max(world.undone, ended);
    },
    wait: (world, n: number) =>
      world.call(`wait(${n})`, async (caller) => {
        caller.doing = 'wait';
        const { undone } = world;
        await wait(world.object);
        world.passed++;
        if (world.begun <= undone)
          throw new BrokenGuarantee(`${caller.name} passed though the event was not set`);
        if (autoReset && world.passed > world.begun)
          throw new BrokenGuarantee(
            `${world.passed} calls of wait() passed after ${world.begun} calls of set()`,
          );
      }),
  };
  return kitOf({
    kind: 'event',
    options: adapter,
    create: async () => new Sets(await create()),
    methods,
    guarantees: [
      autoReset
        ? {
            guarantee: 'each set releases one call',
            tests: [
              clients('wait 1 | set'),
              clients('wait 1 | wait 2 | set | setLater'),
              clients('wait 1 | wait 2 | set, setLater'),
            ],
          }
        : {
            guarantee: 'no call passes before the event is set, and then all pass',
            tests: [
              clients('wait 1 | set', 'wait 9'),
              clients('wait 1 | wait 2 | set', 'wait 9'),
              clients('wait 1, wait 2 | set | set', 'wait 9'),
            ],
          },
      reset !== undefined && {
        guarantee: 'no call passes after a reset until the event is set again',
        tests: [
          clients('wait 1 | setLater', '', 'set, reset'),
          clients('wait 1 | set, reset, setLater', autoReset ? '' : 'wait 9'),
          clients('wait 1 | reset, set', autoReset ? '' : 'wait 9', 'set, reset'),
        ].slice(0, autoReset ? 1 : 3),
      },
    ],
  });
}
