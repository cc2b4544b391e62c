/** Kits of what calls share because it is costly: pools of resources, and batches of requests. */
import type { Signal } from '../explore/scenario/scenario.js';
import {
  type Awaitable,
  BrokenGuarantee,
  type Calls,
  clients,
  type Kit,
  type KitOptions,
  kitOf,
  numbers,
  rejected,
  World,
} from './kit.js';

/** What a pool keeps, as the kit makes it. */
export interface PoolResource {
  readonly id: number;
}

/** What a pool makes and destroys its resources with. */
export interface PoolFactory {
  readonly create: () => Promise<PoolResource>;
  readonly destroy: (resource: PoolResource) => Promise<void>;
}

/** How a pool is used. */
export interface PoolAdapter<P> extends KitOptions {
  /** Makes a pool of up to `max` resources, which are made when they are needed. */
  readonly create: (factory: PoolFactory, max: number) => Awaitable<P>;
  readonly acquire: (pool: P) => Awaitable<PoolResource>;
  readonly release: (pool: P, resource: PoolResource) => unknown;
  /** Default: 1. */
  readonly max?: number;
  /** Gives back a resource that must not be used again. */
  readonly destroy?: (pool: P, resource: PoolResource) => unknown;
  /** Until the signal is aborted: then it rejects, or returns `null` or `false`. */
  readonly abortable?: (pool: P, signal: Signal) => Awaitable<PoolResource | null | false>;
  /** For at most n milliseconds: then it rejects, or returns `null` or `false`. */
  readonly timed?: (pool: P, milliseconds: number) => Awaitable<PoolResource | null | false>;
  /** Does `acquire` reject if a resource cannot be made? Default: true. Otherwise the pool tries again. */
  readonly rejects?: boolean;
}

/** How a batcher is used. */
export interface BatcherAdapter<B> extends KitOptions {
  /** Makes a batcher; the function answers in the order of the keys. `max`: the option below. */
  readonly create: (loadMany: (keys: readonly string[]) => Promise<string[]>, max: number) => Awaitable<B>;
  /** The value of one key. */
  readonly load: (batcher: B, key: string) => unknown;
  /** The most keys of a batch. Default: any number. */
  readonly max?: number;
}

/** Milliseconds of a wait with a time-out. */
const WAIT = 10;

/* Pools */

const MAKE_ERROR = 'the resource cannot be made';

class Resources<P> extends World<P | undefined> {
  pool: P | undefined;
  readonly max: number;
  made = 0;
  /** How many resources still fail to be made. */
  failures = 0;
  /** Resources that were begun to be made, and are not destroyed. */
  readonly alive: Set<number> = new Set();
  /** Resource to the call that holds it. */
  readonly held: Map<number, string> = new Map();
  first: PoolResource | undefined;

  readonly factory: PoolFactory = {
    create: async () => {
      const id = ++this.made;
      this.alive.add(id);
      if (this.alive.size > this.max)
        this.breaks(`${this.alive.size} resources exist at a time, with a maximum of ${this.max}`);
      const isFailing = this.failures > 0;
      if (isFailing) this.failures--;
      await this.wait(`resource ${id} ${isFailing ? 'cannot be' : 'is'} made`);
      if (!isFailing) return { id };
      this.alive.delete(id);
      throw new Error(MAKE_ERROR);
    },
    destroy: async ({ id }) => {
      const holder = this.held.get(id);
      if (holder !== undefined) this.breaks(`resource ${id} was destroyed while ${holder} used it`);
      this.alive.delete(id);
    },
  };

  constructor(max: number) {
    super(undefined);
    this.max = max;
  }

  override state(): string {
    return `${this.alive.size} of ${this.max} resources exist, and ${this.held.size} are in use`;
  }

  take(name: string, resource: unknown): number {
    const { id } = (resource ?? {}) as Partial<PoolResource>;
    if (id === undefined) throw new BrokenGuarantee(`${name} got ${String(resource)} instead of a resource`);
    const other = this.held.get(id);
    if (other !== undefined)
      throw new BrokenGuarantee(
        `two holders at once: ${name} got resource ${id} while ${other} still used it`,
      );
    if (!this.alive.has(id)) throw new BrokenGuarantee(`${name} got resource ${id}, which was destroyed`);
    this.held.set(id, name);
    return id;
  }
}

function poolCalls<P>({ acquire, release, destroy, abortable, timed }: PoolAdapter<P>): Calls<Resources<P>> {
  type Own = Resources<P>;
  const using =
    (
      method: string,
      take: (world: Own, n: number) => unknown,
      mayReject: (world: Own, n: number, error: unknown) => boolean = () => false,
      give: (pool: P, resource: PoolResource) => unknown = release,
    ) =>
    (world: Own, n: number) =>
      world.call(`${method}(${n})`, async (caller) => {
        caller.doing = 'acquire';
        let resource: unknown;
        try {
          resource = await take(world, n);
        } catch (error) {
          if (!mayReject(world, n, error)) throw rejected(caller, error);
          return;
        }
        if (resource === null || resource === false) return;
        const id = world.take(caller.name, resource);
        await world.work(caller);
        world.held.delete(id);
        caller.doing = 'release';
        await give(world.pool!, resource as PoolResource);
      });
  const plain = (world: Own): unknown => acquire(world.pool!);
  return {
    failToMake: (world, count: number) => {
      world.failures = count;
    },
    use: using('use', plain),
    /** A `use` whose resource may not be made. */
    useOrFail: using('useOrFail', plain, (_world, _n, error) => String(error).includes(MAKE_ERROR)),
    useAndDestroy: using('useAndDestroy', plain, undefined, destroy),
    abortedUse: using(
      'abortedUse',
      (world, n) => abortable!(world.pool!, world.controllerOf(n).signal),
      (world, n) => world.isAborted(n),
    ),
    abort: (world, n: number) => world.controllerOf(n).abort(),
    timedUse: using(
      'timedUse',
      (world) => timed!(world.pool!, WAIT),
      () => true,
    ),
    acquireFirst: async (world) => {
      world.first = await acquire(world.pool!);
      world.take('acquireFirst()', world.first);
    },
    releaseFirst: async (world) => {
      world.held.delete(world.first!.id);
      await release(world.pool!, world.first!);
    },
    /** All have ended: as many resources as there may be can be acquired. */
    free: (world) =>
      world.call('free()', async (caller) => {
        caller.doing = 'acquire';
        const resources: PoolResource[] = [];
        for (let i = 0; i < world.max; i++) {
          const resource = await acquire(world.pool!);
          world.take(caller.name, resource);
          resources.push(resource);
        }
        for (const resource of resources) {
          world.held.delete(resource.id);
          await release(world.pool!, resource);
        }
      }),
  };
}

/**
 * A kit of pools: no resource is used twice at a time, no more exist than may, none is lost, and what else the adapter names.
 * Guide: `docs/guide/kits/pool.md`.
 *
 * @example
 * export default poolKit({
 *   create: (factory, max) => new yours.Pool({ ...factory, max }),
 *   acquire: (pool) => pool.acquire(),
 *   release: (pool, resource) => pool.release(resource),
 * });
 */
export function poolKit<P>(adapter: PoolAdapter<P>): Kit {
  const { create, max = 1, destroy, abortable, timed, rejects = true } = adapter;
  const others = (left: number): string =>
    numbers(max - left, 2)
      .map((n) => `use ${n} | `)
      .join('');
  const n = max + 2;
  const use = rejects ? 'useOrFail' : 'use';
  const held = (calls: string): string => `${others(1)} ${calls} | releaseFirst`;
  return kitOf({
    kind: 'pool',
    options: adapter,
    create: async () => {
      const world = new Resources<P>(max);
      world.pool = await create(world.factory, max);
      return world;
    },
    methods: poolCalls(adapter),
    guarantees: [
      {
        guarantee: 'no resource is used twice at a time, and every waiter gets one',
        tests: [
          clients(`${others(0)} use 1`, 'free'),
          clients(`${others(1)} use 1, use ${n} | use ${n + 1}`, 'free'),
          clients(held('use 1 | use 9'), 'free', 'acquireFirst'),
        ],
      },
      {
        guarantee: 'a resource that cannot be made takes no place',
        tests: [
          clients(`${use} 1`, 'free', 'failToMake 1'),
          clients(`${use} 1 | ${use} ${n}`, 'free', 'failToMake 1'),
        ],
      },
      destroy && {
        guarantee: 'a destroyed resource makes room for another one',
        tests: [
          clients(`useAndDestroy 1 | use ${n}`, 'free'),
          clients(held('useAndDestroy 1 | use 9'), 'free', 'acquireFirst'),
        ],
      },
      abortable && {
        guarantee: 'an aborted wait leaves nothing behind',
        tests: [
          clients(held('abortedUse 1 | abort 1'), 'free', 'acquireFirst'),
          clients('abortedUse 1 | abort 1', 'free'),
          clients(held('abortedUse 1 | abort 1 | use 9'), 'free', 'acquireFirst'),
        ],
      },
      timed && {
        guarantee: 'a wait that times out leaves nothing behind',
        tests: [
          clients(held('timedUse 1'), 'free', 'acquireFirst'),
          clients('timedUse 1', 'free'),
          clients(held('timedUse 1 | use 9'), 'free', 'acquireFirst'),
        ],
      },
    ],
  });
}

/* Batchers */

const BATCH_ERROR = 'the batch failed';

class Batches<B> extends World<B | undefined> {
  batcher: B | undefined;
  failures = 0;
  requested = 0;

  override state(): string {
    return `${this.requested} keys were requested`;
  }

  readonly loadMany =
    (max: number) =>
    async (keys: readonly string[]): Promise<string[]> => {
      this.requested += keys.length;
      if (keys.length > max) this.breaks(`a batch has ${keys.length} keys instead of ${max}`);
      if (keys.length === 0) this.breaks('a batch has no keys');
      const isFailing = this.failures > 0;
      if (isFailing) this.failures--;
      await this.wait(`the batch of ${keys.join(', ')} ${isFailing ? 'fails' : 'is answered'}`);
      if (isFailing) throw new Error(BATCH_ERROR);
      return keys.map((key) => `value of ${key}`);
    };
}

/**
 * A kit of batchers: each call gets the value of its own key, and no call is forgotten.
 * Guide: `docs/guide/kits/batcher.md`.
 *
 * @example
 * export default batcherKit({
 *   create: (loadMany) => new yours.DataLoader(loadMany),
 *   load: (loader, key) => loader.load(key),
 * });
 */
export function batcherKit<B>(adapter: BatcherAdapter<B>): Kit {
  const { create, load, max = Number.POSITIVE_INFINITY } = adapter;
  const loading = (method: string, mayFail: boolean) => (world: Batches<B>, key: string) =>
    world.call(`${method}('${key}')`, async (caller) => {
      caller.doing = 'load';
      let value: unknown;
      try {
        value = await load(world.batcher!, key);
      } catch (error) {
        if (mayFail && String(error).includes(BATCH_ERROR)) return;
        throw rejected(caller, error);
      }
      if (value !== `value of ${key}`) throw new BrokenGuarantee(`${caller.name} returned ${String(value)}`);
    });
  const methods: Calls<Batches<B>> = {
    load: loading('load', false),
    loadOrFail: loading('loadOrFail', true),
    fail: (world, count: number) => {
      world.failures = count;
    },
  };
  return kitOf({
    kind: 'batcher',
    options: adapter,
    create: async () => {
      const world = new Batches<B>(undefined);
      world.batcher = await create(world.loadMany(max), max);
      return world;
    },
    methods,
    guarantees: [
      {
        guarantee: 'each call gets the value of its key, and none is forgotten',
        tests: [
          clients('load a | load b'),
          clients('load a, load c | load b'),
          clients('load a | load b | load c'),
          clients('load a | load a | load b'),
        ],
      },
      {
        guarantee: 'a batch that fails fails only its own calls',
        tests: [
          clients('loadOrFail a', 'load d', 'fail 1'),
          clients('loadOrFail a, loadOrFail c | loadOrFail b', 'load d', 'fail 1'),
        ],
      },
    ],
  });
}
