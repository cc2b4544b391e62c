/** A lock or semaphore under test, and the calls that check it. A lock is a semaphore of one permit. */
import type { Signal } from '../explore/scenario/scenario.js';
import {
  type Awaitable,
  BrokenGuarantee,
  type Caller,
  type Calls,
  type KitOptions,
  listed,
  rejected,
  World,
} from './kit.js';

/** A handle, or a sign that there is none. */
type Taken<H> = Awaitable<H | null | false>;

interface Taking<O, H> extends KitOptions {
  /** Gives back what was acquired. */
  readonly release: (object: O, handle: NoInfer<H>) => unknown;
  /** Acquires if that is possible at once. `null`, `undefined`, `false` or an error mean that it is not. */
  readonly tryAcquire?: (object: O) => Awaitable<NoInfer<H> | null | undefined | false>;
  /** Acquires unless the signal is aborted: then it rejects, or returns `null` or `false`. */
  readonly abortable?: (object: O, signal: Signal) => Taken<NoInfer<H>>;
  /** Acquires within n milliseconds; otherwise it rejects, or returns `null` or `false`. */
  readonly timed?: (object: O, milliseconds: number) => Taken<NoInfer<H>>;
  /** Runs a function that holds what is acquired. */
  readonly use?: (object: O, run: () => Promise<void>) => unknown;
  /** Makes all calls that wait reject. */
  readonly cancel?: (object: O) => unknown;
  /** Is it promised that waiters are served in the order of their calls? */
  readonly fair?: boolean;
  /** Is it promised that a second release of the same handle does nothing, or throws? */
  readonly releaseTwice?: boolean;
}

/** How a lock is used. */
export interface MutexAdapter<M, H> extends Taking<M, H> {
  /** Makes a free lock. */
  readonly create: () => Awaitable<M>;
  /** Locks, and returns what `release` needs. */
  readonly acquire: (mutex: M) => Awaitable<H>;
  /** Is the lock held? */
  readonly isLocked?: (mutex: M) => boolean;
}

/** How a semaphore is used. */
export interface SemaphoreAdapter<S, H> extends Omit<Taking<S, H>, 'release'> {
  /** Makes a semaphore with n free permits. */
  readonly create: (permits: number) => Awaitable<S>;
  /** Takes n permits, and returns what `release` needs. n is 1 unless `weighted` is set. */
  readonly acquire: (semaphore: S, weight: number) => Awaitable<H>;
  readonly release: (semaphore: S, handle: NoInfer<H>, weight: number) => unknown;
  /** How many permits. Default: 2. */
  readonly permits?: number;
  /** May a call take several permits? */
  readonly weighted?: boolean;
  /** With `weighted`: is it promised that a call which needs few permits overtakes one that waits for more? */
  readonly overtaking?: boolean;
}

export interface Words {
  /** `the lock`, `a permit` */
  readonly one: string;
  readonly permits: number;
  readonly isMutex: boolean;
}

interface Holder {
  readonly name: string;
  readonly weight: number;
}

/** A lock or semaphore, and who holds it. */
export class Permits<S> extends World<S> {
  readonly holders: Holder[] = [];
  /** Calls in the order in which they were made, until they hold. */
  readonly queue: Caller[] = [];
  /** Calls that have ended, by their numbers. */
  readonly ended: Set<number> = new Set();
  /** What `acquireFirst` has acquired. */
  readonly first: { readonly handle: unknown; readonly holder: Holder }[] = [];
  readonly #words: Words;

  constructor(object: S, words: Words) {
    super(object);
    this.#words = words;
  }

  override state(): string {
    const { one, permits, isMutex } = this.#words;
    const used = this.holders.reduce((sum, { weight }) => sum + weight, 0);
    if (used === 0) return `no call holds ${one}`;
    const names = listed(this.holders.map(({ name }) => name));
    return isMutex ? `${names} holds ${one}` : `${permits - used} of ${permits} permits are free`;
  }

  enter({ name }: Caller, weight = 1): Holder {
    const { one, permits, isMutex } = this.#words;
    const used = this.holders.reduce((sum, holder) => sum + holder.weight, 0) + weight;
    const names = listed(this.holders.map((holder) => holder.name));
    if (used > permits)
      throw new BrokenGuarantee(
        isMutex
          ? `two holders at once: ${name} acquired ${one} while ${names} still held it`
          : `${used} of ${permits} permits in use: ${name} acquired ${weight} while ${names} still held theirs`,
      );
    const holder = { name, weight };
    this.holders.push(holder);
    return holder;
  }

  leave(holder: Holder): void {
    this.holders.splice(this.holders.indexOf(holder), 1);
  }
}

/** Milliseconds of a wait with a time-out. */
const WAIT = 10;

export function methodsOf<S, H>(
  adapter: SemaphoreAdapter<S, H> & Pick<MutexAdapter<S, H>, 'isLocked'>,
  words: Words,
): Calls<Permits<S>> {
  type Own = Permits<S>;
  const { one, permits } = words;
  const { acquire, release, tryAcquire, abortable, timed, use, cancel, isLocked } = adapter;

  const worked = async (world: Own, caller: Caller, weight = 1, isBrief = false): Promise<void> => {
    const holder = world.enter(caller, weight);
    if (isLocked?.(world.object) === false)
      throw new BrokenGuarantee(`isLocked() is false while ${caller.name} holds ${one}`);
    if (!isBrief) await world.work(caller);
    world.leave(holder);
  };
  const held = async (world: Own, caller: Caller, handle: H, weight = 1, isBrief = false): Promise<void> => {
    await worked(world, caller, weight, isBrief);
    caller.doing = 'release';
    await release(world.object, handle, weight);
  };
  /** Acquires in a way that may give up. */
  const tried =
    (
      method: string,
      doing: string,
      take: (world: Own, n: number) => Awaitable<H | null | undefined | false>,
      mayReject: (world: Own, n: number) => boolean,
      isVoid = true,
    ) =>
    (world: Own, n: number) =>
      world.call(`${method}(${n})`, async (caller) => {
        caller.doing = doing;
        let handle: H | null | undefined | false = null;
        try {
          handle = await take(world, n);
        } catch (error) {
          if (!mayReject(world, n)) throw rejected(caller, error);
        }
        const isTaken = handle !== null && handle !== false && (isVoid || handle !== undefined);
        if (isTaken) await held(world, caller, handle as H);
        world.ended.add(n);
      });

  const releaseOne = async (world: Own): Promise<void> => {
    const { handle, holder } = world.first.shift()!;
    world.leave(holder);
    await release(world.object, handle as H, 1);
  };

  return {
    /** Acquires, works, and releases. */
    use: (world: Own, n: number, weight = 1) =>
      world.call(`use(${[n, ...(weight > 1 ? [weight] : [])].join(', ')})`, async (caller) => {
        caller.doing = 'acquire';
        await held(world, caller, await acquire(world.object, weight), weight);
        world.ended.add(n);
      }),
    /** Acquires, and releases at once. */
    useBriefly: (world: Own, n: number) =>
      world.call(`useBriefly(${n})`, async (caller) => {
        caller.doing = 'acquire';
        await held(world, caller, await acquire(world.object, 1), 1, true);
      }),
    /** `use`, in the order of the calls. */
    queue: (world: Own, n: number) =>
      world.call(`queue(${n})`, async (caller) => {
        caller.doing = 'acquire';
        world.queue.push(caller);
        const handle = await acquire(world.object, 1);
        const [earliest] = world.queue;
        if (earliest !== caller)
          throw new BrokenGuarantee(
            `not in order: ${caller.name} acquired ${one} before ${earliest.name}, which had called earlier`,
          );
        world.queue.shift();
        await held(world, caller, handle);
      }),
    /** Releases, releases again in the same task, and once more later. */
    releaseTwice: (world: Own, n: number) =>
      world.call(`releaseTwice(${n})`, async (caller) => {
        caller.doing = 'acquire';
        const handle = await acquire(world.object, 1);
        await worked(world, caller);
        caller.doing = 'second release';
        const first = release(world.object, handle, 1);
        const again = async (): Promise<void> => {
          try {
            await release(world.object, handle, 1);
          } catch {
            // it may refuse
          }
        };
        const second = again();
        await first;
        await second;
        await again();
      }),
    /** Acquires again in the task that releases, as a loop does. */
    useAgain: (world: Own, n: number) =>
      world.call(`useAgain(${n})`, async (caller) => {
        caller.doing = 'acquire';
        const handle = await acquire(world.object, 1);
        await worked(world, caller);
        const released = release(world.object, handle, 1);
        const second = acquire(world.object, 1);
        await released;
        await held(world, caller, await second);
      }),
    tryUse: tried(
      'tryUse',
      'tryAcquire',
      (world) => tryAcquire!(world.object),
      () => true,
      false,
    ),
    abortedUse: tried(
      'abortedUse',
      'acquire',
      (world, n) => abortable!(world.object, world.controllerOf(n).signal),
      (world, n) => world.controllerOf(n).signal.aborted,
    ),
    abort: (world: Own, n: number) => world.controllerOf(n).abort(),
    timedUse: tried(
      'timedUse',
      'acquire',
      (world) => timed!(world.object, WAIT),
      () => true,
    ),
    /** `use` that may be cancelled. */
    cancelledUse: tried(
      'cancelledUse',
      'acquire',
      (world) => acquire(world.object, 1),
      () => true,
    ),
    cancel: async (world: Own) => {
      await cancel!(world.object);
    },
    /** The object itself runs the work, and releases. */
    run: (world: Own, n: number, how?: 'throw') =>
      world.call(`run(${[n, ...(how ? [how] : [])].join(', ')})`, async (caller) => {
        const isFailing = how === 'throw';
        caller.doing = 'run';
        const thrown = new Error('thrown by the work');
        let runs = 0;
        const work = async (): Promise<void> => {
          runs++;
          const holder = world.enter(caller);
          await world.work(caller);
          world.leave(holder);
          if (isFailing) throw thrown;
        };
        let caught: unknown;
        try {
          await use!(world.object, work);
        } catch (error) {
          caught = error;
        }
        if (caught instanceof BrokenGuarantee) throw caught;
        if (runs !== 1) throw new BrokenGuarantee(`the work of ${caller.name} ran ${runs} times`);
        if (isFailing && caught === undefined)
          throw new BrokenGuarantee(`the error of the work of ${caller.name} is lost`);
        if (!isFailing && caught !== undefined) throw rejected(caller, caught);
      }),
    /** Acquires everything before the others start; `releaseFirst` releases it. */
    acquireFirst: async (world: Own) => {
      for (let i = 0; i < permits; i++) {
        const handle = await acquire(world.object, 1);
        world.first.push({ handle, holder: world.enter({ name: 'acquireFirst()', doing: '' }) });
      }
    },
    releaseFirst: async (world: Own) => {
      while (world.first.length > 0) await releaseOne(world);
    },
    releaseOne,
    /** When nothing else can happen: has this call given up? */
    hasEnded: (world: Own, method: string, n: number) =>
      world.call('hasEnded()', async () => {
        await world.quiet();
        if (!world.ended.has(n))
          throw new BrokenGuarantee(
            `${method}(${n}) still waits: it does not give up before ${one} is released`,
          );
      }),
    /** All have ended: everything is free. */
    free: (world: Own) =>
      world.call('free()', async (caller) => {
        if (isLocked?.(world.object))
          throw new BrokenGuarantee(`isLocked() is true though no call holds ${one}`);
        const handles: H[] = [];
        for (let i = 0; i < permits; i++) {
          caller.doing = tryAcquire ? 'tryAcquire' : 'acquire';
          const handle = tryAcquire
            ? await Promise.resolve(tryAcquire(world.object)).catch(() => null)
            : await acquire(world.object, 1);
          if (tryAcquire && (handle === null || handle === undefined || handle === false))
            throw new BrokenGuarantee(
              `tryAcquire() fails though ${permits === 1 ? `no call holds ${one}` : `${permits - i} of ${permits} permits are free`}`,
            );
          handles.push(handle as H);
        }
        for (const handle of handles) await release(world.object, handle, 1);
      }),
  };
}
