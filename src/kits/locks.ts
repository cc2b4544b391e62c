/** Kits of locks, semaphores and condition variables. */
import {
  type Awaitable,
  BrokenGuarantee,
  type Caller,
  type Calls,
  clients,
  type Kit,
  type KitOptions,
  kitOf,
  numbers,
  rejected,
  type Tested,
  World,
} from './kit.js';
import { type MutexAdapter, methodsOf, Permits, type SemaphoreAdapter, type Words } from './permits.js';

/** How a condition variable is used, with the lock that belongs to it. */
export interface ConditionAdapter<C, H> extends KitOptions {
  /** Makes a condition variable and its lock. */
  readonly create: () => Awaitable<C>;
  /** Locks, and returns what the other functions need. */
  readonly acquire: (condition: C) => Awaitable<H>;
  readonly release: (condition: C, handle: NoInfer<H>) => unknown;
  /** Releases the lock, waits, and locks again. If it returns something, that is the new handle. */
  readonly wait: (condition: C, handle: NoInfer<H>) => unknown;
  /** Wakes one call that waits. The lock is held. */
  readonly notify: (condition: C) => unknown;
  /** Wakes all calls that wait. The lock is held. */
  readonly notifyAll?: (condition: C) => unknown;
  /** `wait`, for at most n milliseconds. */
  readonly timed?: (condition: C, handle: NoInfer<H>, milliseconds: number) => unknown;
  /** `wait`, until the function returns true. */
  readonly waitUntil?: (condition: C, handle: NoInfer<H>, isReady: () => boolean) => unknown;
}

function guaranteesOf(
  {
    tryAcquire,
    abortable,
    timed,
    use,
    cancel,
    fair,
    releaseTwice,
    weighted,
    overtaking,
  }: Partial<SemaphoreAdapter<never, never>>,
  { one, permits, isMutex }: Words,
): readonly (Tested | false | undefined)[] {
  /** Calls that take all permits but `left`, each by a client. */
  const others = (left: number): string =>
    numbers(permits - left, 2)
      .map((n) => `use ${n} | `)
      .join('');
  const [all, rest] = [others(0), others(1)];
  const n = permits + 2;
  return [
    {
      guarantee: isMutex
        ? 'one holder at a time, and every waiter gets its turn'
        : `at most ${permits} permits in use, and every waiter gets its turn`,
      tests: [
        clients(`${all} use 1`, 'free'),
        clients('releaseFirst | use 1 | use 2', 'free', 'acquireFirst'),
        clients(`${rest} use 1, use ${n} | use ${n + 1}`, 'free'),
        clients(`${rest} useBriefly 1, useBriefly ${n} | useBriefly ${n + 1}`, 'free'),
        clients('releaseOne | use 1', 'releaseFirst, free', 'acquireFirst'),
        ...(isMutex
          ? [clients('use 1 | use 2 | use 3', 'free'), clients('use 1, use 3 | use 2, use 4', 'free')]
          : []),
        clients(`${rest} useAgain 1 | use ${n}`, 'free'),
      ],
    },
    tryAcquire && {
      guarantee: 'an attempt that fails takes nothing',
      tests: [clients(`${all} tryUse 1`, 'free'), clients(`${rest} tryUse 1 | tryUse ${n}`, 'free')],
    },
    abortable && {
      guarantee: 'an aborted wait leaves nothing behind',
      tests: [
        clients('abortedUse 1 | abort 1 | releaseFirst', 'free', 'acquireFirst'),
        clients('abortedUse 1 | abort 1 | releaseFirst | use 2', 'free', 'acquireFirst'),
        clients(`${all} abortedUse 1 | abort 1`, 'free'),
      ],
    },
    abortable && {
      guarantee: 'an aborted wait ends at once',
      tests: [clients('abortedUse 1 | abort 1 | hasEnded abortedUse 1, releaseFirst', '', 'acquireFirst')],
    },
    timed && {
      guarantee: 'a wait that times out leaves nothing behind',
      tests: [
        clients('timedUse 1 | releaseFirst', 'free', 'acquireFirst'),
        clients('timedUse 1 | releaseFirst | use 2', 'free', 'acquireFirst'),
        clients('timedUse 1 | releaseFirst | timedUse 2', 'free', 'acquireFirst'),
        clients(`${all} timedUse 1`, 'free'),
      ],
    },
    timed && {
      guarantee: 'a wait with a time-out ends',
      tests: [clients('timedUse 1 | hasEnded timedUse 1, releaseFirst', '', 'acquireFirst')],
    },
    use && {
      guarantee: `an error of the work releases ${one}`,
      tests: [
        clients(`${rest} run 1 | run ${n} throw`, 'free'),
        clients(`${rest} run 1 throw, run ${n} | run ${n + 1} throw`, 'free'),
      ],
    },
    cancel && {
      guarantee: 'cancelled waits leave nothing behind',
      tests: [
        clients('cancelledUse 1 | cancel | releaseFirst', 'free', 'acquireFirst'),
        clients('cancelledUse 1 | cancel | releaseFirst | cancelledUse 2', 'free', 'acquireFirst'),
      ],
    },
    releaseTwice && {
      guarantee: 'a second release changes nothing',
      tests: [clients(`${rest} releaseTwice 1 | use ${n} | use ${n + 1}`, 'free')],
    },
    fair && {
      guarantee: 'waiters are served in the order of their calls',
      tests: [
        clients('releaseFirst | queue 1 | queue 2', 'free', 'acquireFirst'),
        clients('releaseFirst | queue 1, queue 3 | queue 2', 'free', 'acquireFirst'),
      ],
    },
    weighted && {
      guarantee: 'never more than all permits in use, with several for a call',
      tests: [
        clients(`use 1 1 | use 2 ${permits}`, 'free'),
        clients(`use 1 1 | use 2 ${permits} | use 3 1`, 'free'),
        clients(`use 1 ${permits} | use 2 ${permits} | use 3 1`, 'free'),
        clients(`releaseFirst | use 1 ${permits} | use 2 1`, 'free', 'acquireFirst'),
      ],
    },
    weighted &&
      overtaking && {
        guarantee: 'a free permit is used',
        tests: [clients(`releaseOne | use 1 ${permits} | use 2 1, releaseFirst`, 'free', 'acquireFirst')],
      },
  ];
}

/**
 * A kit of locks: one holder at a time, no lost wake-up, and what else the adapter names. Guide: `docs/guide/kits/mutex.md`.
 *
 * @example
 * export default mutexKit({
 *   create: () => new yours.Mutex(),
 *   acquire: (mutex) => mutex.acquire(),
 *   release: (_mutex, release) => release(),
 * });
 */
export function mutexKit<M, H>(adapter: MutexAdapter<M, H>): Kit {
  const words: Words = { one: 'the lock', permits: 1, isMutex: true };
  return kitOf({
    kind: 'mutex',
    options: adapter,
    create: async () => new Permits(await adapter.create(), words),
    methods: methodsOf(adapter as never, words),
    guarantees: guaranteesOf(adapter as never, words),
  });
}

/**
 * A kit of semaphores: never more permits in use than there are, no lost wake-up, and what else the adapter names.
 * Guide: `docs/guide/kits/semaphore.md`.
 *
 * @example
 * export default semaphoreKit({
 *   create: (permits) => new yours.Semaphore(permits),
 *   acquire: (semaphore) => semaphore.acquire(),
 *   release: (semaphore) => semaphore.release(),
 * });
 */
export function semaphoreKit<S, H>(adapter: SemaphoreAdapter<S, H>): Kit {
  const words: Words = { one: 'a permit', permits: adapter.permits ?? 2, isMutex: false };
  return kitOf({
    kind: 'semaphore',
    options: adapter,
    create: async () => new Permits(await adapter.create(words.permits), words),
    methods: methodsOf(adapter, words),
    guarantees: guaranteesOf(adapter as never, words),
  });
}

/* Condition variables */

/** Milliseconds of a wait with a time-out. */
const WAIT = 10;

class Monitor<C> extends World<C> {
  inside: string | undefined;
  items = 0;
  /** Calls that wait for an item. */
  readonly consumers: Set<string> = new Set();

  override state(): string {
    return `${this.items} items are there${this.inside === undefined ? '' : `, and ${this.inside} holds the lock`}`;
  }

  enter({ name }: Caller): void {
    if (this.inside !== undefined)
      throw new BrokenGuarantee(
        `two holders at once: ${name} has the lock while ${this.inside} still holds it`,
      );
    this.inside = name;
  }

  leave(): void {
    this.inside = undefined;
  }
}

/**
 * A kit of condition variables: the lock is held after a wait, and no notification is lost. Guide: `docs/guide/kits/condition-variable.md`.
 *
 * @example
 * export default conditionKit({
 *   create: () => new yours.Monitor(),
 *   acquire: (monitor) => monitor.lock(),
 *   release: (monitor) => monitor.unlock(),
 *   wait: (monitor) => monitor.wait(),
 *   notify: (monitor) => monitor.notify(),
 * });
 */
export function conditionKit<C, H>(adapter: ConditionAdapter<C, H>): Kit {
  const { create, acquire, release, wait, notify, notifyAll, timed, waitUntil } = adapter;
  type Own = Monitor<C>;
  const locked = async (world: Own, caller: Caller, run: (handle: H) => Promise<H>): Promise<void> => {
    caller.doing = 'acquire';
    let handle = await acquire(world.object);
    world.enter(caller);
    handle = await run(handle);
    world.leave();
    caller.doing = 'release';
    await release(world.object, handle);
  };
  const waiting = async (world: Own, caller: Caller, handle: H, how: () => unknown): Promise<H> => {
    world.leave();
    caller.doing = 'wait';
    let result: unknown;
    try {
      result = await how();
    } catch (error) {
      if (timed === undefined) throw rejected(caller, error);
    }
    world.enter(caller);
    return result === undefined || result === null || typeof result === 'boolean' ? handle : (result as H);
  };
  const consuming =
    (method: string, once: (world: Own, caller: Caller, handle: H) => Promise<H>, isLooping: boolean) =>
    (world: Own, n: number) =>
      world.call(`${method}(${n})`, async (caller) => {
        world.consumers.add(caller.name);
        await locked(world, caller, async (first) => {
          let handle = first;
          for (let i = 0; world.items === 0 && (isLooping || i === 0); i++)
            handle = await once(world, caller, handle);
          if (world.items > 0) world.items--;
          else if (method === 'consumeUntil')
            throw new BrokenGuarantee(`${caller.name} continues though its condition is false`);
          return handle;
        });
        world.consumers.delete(caller.name);
      });
  const producing =
    (method: string, wake: (condition: C) => unknown) =>
    (world: Own, n: number, count = 1) =>
      world.call(`${method}(${n})`, (caller) =>
        locked(world, caller, async (handle) => {
          world.items += count;
          caller.doing = 'notify';
          await wake(world.object);
          return handle;
        }),
      );
  const produce = producing('produce', notify);
  const methods: Calls<Own> = {
    consume: consuming(
      'consume',
      (world, caller, handle) => waiting(world, caller, handle, () => wait(world.object, handle)),
      true,
    ),
    timedConsume: consuming(
      'timedConsume',
      (world, caller, handle) => waiting(world, caller, handle, () => timed!(world.object, handle, WAIT)),
      false,
    ),
    consumeUntil: consuming(
      'consumeUntil',
      (world, caller, handle) =>
        waiting(world, caller, handle, () => waitUntil!(world.object, handle, () => world.items > 0)),
      false,
    ),
    produce,
    produceAll: producing('produceAll', (condition) => notifyAll!(condition)),
    /** When nothing else can happen: calls that wait have no item, and get one now. */
    supply: (world) =>
      world.call('supply()', async () => {
        for (let i = 0; i < WAIT; i++) {
          await world.quiet();
          const [consumer] = world.consumers;
          if (consumer === undefined) return;
          if (world.items > 0)
            throw new BrokenGuarantee(`lost wake-up: ${consumer} waits though an item is there`);
          await produce(world, WAIT + i);
        }
      }),
  };
  return kitOf({
    kind: 'condition variable',
    options: adapter,
    create: async () => new Monitor(await create()),
    methods,
    guarantees: [
      {
        guarantee: 'a call that was notified has the lock, and no notification is lost',
        tests: [
          clients('consume 1 | produce 1'),
          clients('consume 1 | consume 2 | produce 1, produce 2'),
          clients('consume 1 | consume 2 | produce 1 | produce 2'),
        ],
      },
      notifyAll && {
        guarantee: 'notifyAll wakes every call that waits',
        tests: [
          clients('consume 1 | consume 2 | produceAll 1 2'),
          clients('consume 1 | produceAll 1 1 | consume 2 | supply'),
        ],
      },
      timed && {
        guarantee: 'a wait that times out has the lock, and takes no notification from others',
        tests: [
          clients('timedConsume 1 | produce 1'),
          clients('timedConsume 1 | consume 2 | produce 1 | supply'),
        ],
      },
      waitUntil && {
        guarantee: 'a wait for a condition ends when the condition is true',
        tests: [
          clients('consumeUntil 1 | produce 1'),
          clients('consumeUntil 1 | consumeUntil 2 | produce 1 | supply'),
        ],
      },
    ],
  });
}
