/** Kits of what calls a function and shares or keeps its results: caches, memoized functions, functions that run once. */
import type { FixedTest, Signal } from '../explore/scenario/scenario.js';
import {
  type Awaitable,
  BrokenGuarantee,
  type Caller,
  type Calls,
  clients,
  type Kit,
  type KitOptions,
  kitOf,
  rejected,
  type Tested,
  World,
} from './kit.js';

/** Loads the current value of a key. */
export type Load = (key: string) => Promise<string>;

/** How a cache is used. */
export interface CacheAdapter<C> extends KitOptions {
  /** Makes an empty cache. If its methods take the function that loads, ignore it here. */
  readonly create: (load: Load) => Awaitable<C>;
  /** The value of a key, loaded if it is not there. */
  readonly get: (cache: C, key: string, load: Load) => unknown;
  /** Removes a key: a later `get` loads it again. */
  readonly invalidate?: (cache: C, key: string) => unknown;
  /** Replaces a value. */
  readonly set?: (cache: C, key: string, value: string) => unknown;
  /** Loads a value again, and replaces it. */
  readonly refresh?: (cache: C, key: string, load: Load) => unknown;
  /** `get`, until the signal is aborted. Other calls that wait for the same value must get it. */
  readonly abortable?: (cache: C, key: string, signal: Signal, load: Load) => unknown;
  /** Do calls share a load that is in progress? Default: true. */
  readonly shares?: boolean;
  /** Is a value kept when its load has ended? Default: true. */
  readonly keeps?: boolean;
  /** Is an error of the load kept as the value? Default: false. */
  readonly keepsErrors?: boolean;
}

/** How a memoized function is used. */
export interface MemoAdapter<M> extends KitOptions {
  /** Memoizes a function. */
  readonly create: (run: Load) => Awaitable<M>;
  /** Calls the memoized function. */
  readonly call: (memoized: M, key: string) => unknown;
  /** Forgets the result for a key: a later call runs the function again. */
  readonly clear?: (memoized: M, key: string) => unknown;
  /** Do calls share a run that is in progress? Default: true. */
  readonly shares?: boolean;
  /** Is a result kept when its run has ended? Default: true. */
  readonly keeps?: boolean;
  /** Is an error kept as the result? Default: false. */
  readonly keepsErrors?: boolean;
}

/** How a function that runs at most once is used. */
export interface OnceAdapter<F> extends KitOptions {
  /** Makes the function. */
  readonly create: (run: () => Promise<string>) => Awaitable<F>;
  /** Calls it. */
  readonly call: (once: F) => unknown;
  /** Does a call after an error run the function again? Default: no, it gets the same error. */
  readonly retries?: boolean;
}

const LOAD_ERROR = 'the load failed';

/** A cache, and the store from which it loads: the version of each key. */
class Store<C> extends World<C | undefined> {
  readonly versions: Map<string, number> = new Map();
  /** The least version that a `get` that starts now may return. */
  readonly floors: Map<string, number> = new Map();
  loads = 0;
  inProgress = 0;
  /** How many loads still fail. */
  failures = 0;
  /** Must calls share a load that is in progress? */
  isShared = true;
  cache: C | undefined;

  readonly load: Load = async (key) => {
    const n = ++this.loads;
    this.inProgress++;
    if (this.isShared && this.inProgress > 1)
      this.breaks(`not shared: load ${n} of '${key}' started while another one was in progress`);
    await this.wait(`load ${n} of '${key}' reads the store`);
    const version = this.version(key);
    const isFailing = this.failures > 0;
    if (isFailing) this.failures--;
    await this.wait(`load ${n} of '${key}' ${isFailing ? 'fails' : 'answers'}`);
    this.inProgress--;
    if (isFailing) throw new Error(LOAD_ERROR);
    return storedValue(key, version);
  };

  readonly version = (key: string): number => this.versions.get(key) ?? 0;
  readonly floor = (key: string): number => this.floors.get(key) ?? 0;

  /** A value that a call returned. */
  check({ name }: Caller, key: string, floor: number, value: unknown): void {
    const [, own, version] = /^([a-z]+)(\d+)$/.exec(String(value)) ?? [];
    if (own !== key) throw new BrokenGuarantee(`${name} returned ${String(value)} for the key '${key}'`);
    if (Number(version) < floor)
      throw new BrokenGuarantee(
        `stale: ${name} returned ${String(value)}, but ${storedValue(key, floor)} had replaced it before the call started`,
      );
    if (Number(version) > this.version(key))
      throw new BrokenGuarantee(`${name} returned ${String(value)}, which was never stored`);
  }

  raise(key: string, version: number): void {
    this.floors.set(key, Math.max(this.floor(key), version));
  }
}

const storedValue = (key: string, version: number): string => `${key}${version}`;
const isLoadError = (error: unknown): boolean => {
  const seen = new Set<unknown>();
  for (let one = error; one instanceof Error && !seen.has(one); one = one.cause) {
    if (one.message.includes(LOAD_ERROR)) return true;
    seen.add(one);
  }
  return false;
};

/** `call`: how the calls of `get` are named in tests and reports. */
function methodsOf<C>(
  { get, invalidate, set, refresh, abortable, keepsErrors }: CacheAdapter<C>,
  call: string,
): Calls<Store<C>> {
  type Own = Store<C>;
  const getting =
    (
      method: string,
      run: (world: Own, key: string, n: number) => unknown,
      mayReject: (world: Own, n: number, error: unknown) => boolean,
    ) =>
    (world: Own, n: number, key: string) =>
      world.call(`${method}(${n}, '${key}')`, async (caller) => {
        caller.doing = call;
        const floor = world.floor(key);
        let value: unknown;
        try {
          value = await run(world, key, n);
        } catch (error) {
          if (!mayReject(world, n, error)) throw rejected(caller, error);
          return;
        }
        if (value === undefined && mayReject(world, n, undefined)) return;
        world.check(caller, key, floor, value);
      });
  const plain = (world: Own, key: string): unknown => get(world.cache!, key, world.load);
  return {
    /** Several loads may be in progress. */
    allowLoads: (world: Own) => {
      world.isShared = false;
    },
    failLoads: (world: Own, count: number) => {
      world.failures = count;
    },
    [call]: getting(call, plain, () => false),
    /** A call whose load may fail. */
    [`${call}OrFail`]: getting(`${call}OrFail`, plain, (_world, _n, error) => isLoadError(error)),
    abortedGet: getting(
      'abortedGet',
      (world, key, n) => abortable!(world.cache!, key, world.controllerOf(n).signal, world.load),
      (world, n) => world.controllerOf(n).signal.aborted,
    ),
    abort: (world: Own, n: number) => world.controllerOf(n).abort(),
    /** Writes to the store, and then invalidates the key. */
    write: (world: Own, key: string) =>
      world.call(`write('${key}')`, async (caller) => {
        caller.doing = 'invalidate';
        const version = world.version(key) + 1;
        world.versions.set(key, version);
        await invalidate!(world.cache!, key);
        world.raise(key, version);
      }),
    /** Writes to the store, and sets the same value in the cache. */
    set: (world: Own, key: string) =>
      world.call(`set('${key}')`, async (caller) => {
        caller.doing = 'set';
        const version = world.version(key) + 1;
        world.versions.set(key, version);
        await set!(world.cache!, key, storedValue(key, version));
        world.raise(key, version);
      }),
    refresh: (world: Own, key: string) =>
      world.call(`refresh('${key}')`, async (caller) => {
        caller.doing = 'refresh';
        const version = world.version(key);
        await refresh!(world.cache!, key, world.load);
        world.raise(key, version);
      }),
    /** All have ended: the value is there, after one load. */
    loadedOnce: (world: Own) =>
      world.call('loadedOnce()', async (caller) => {
        caller.doing = call;
        world.check(caller, 'a', world.floor('a'), await plain(world, 'a'));
        if (world.loads !== 1) throw new BrokenGuarantee(`the key 'a' was loaded ${world.loads} times`);
      }),
    /** All have ended: the error of a load is, or is not, kept. */
    [`${call}Again`]: (world: Own) =>
      world.call(`${call}Again()`, async (caller) => {
        caller.doing = call;
        const isFailed = world.loads === 1;
        let value: unknown;
        try {
          value = await plain(world, 'a');
        } catch (error) {
          if (keepsErrors && isFailed && isLoadError(error)) return;
          if (isLoadError(error))
            throw new BrokenGuarantee('the error of a load is kept: a later call gets it, and loads nothing');
          throw rejected(caller, error);
        }
        world.check(caller, 'a', 0, value);
      }),
  };
}

function guaranteesOf(
  { invalidate, set, refresh, abortable, shares = true, keeps = true }: CacheAdapter<never>,
  call: string,
): readonly (Tested | false | undefined)[] {
  const loaded = keeps ? 'loadedOnce' : '';
  const own = (calls: string): string => calls.replace(/\bget/g, call);
  const of = (threads: string, after = 'get 9 a', before = ''): FixedTest =>
    clients(own(threads), own(after), own(`allowLoads, ${before}`));
  return [
    shares && {
      guarantee: `calls${call === 'get' ? ' of get' : ''} share a load that is in progress`,
      tests: [clients(own('get 1 a | get 2 a'), loaded), clients(own('get 1 a | get 2 a | get 3 a'), loaded)],
    },
    {
      guarantee: 'keys are not mixed up',
      tests: [of('get 1 a | get 2 b', ''), of('get 1 a | get 2 b, get 3 a', '')],
    },
    {
      guarantee: 'a load that fails fails only the calls that wait for it',
      tests: [
        of('getOrFail 1 a', 'getAgain', 'failLoads 1'),
        of('getOrFail 1 a | getOrFail 2 a', 'getAgain', 'failLoads 1'),
      ],
    },
    invalidate && {
      guarantee: 'no value is stale after it was invalidated',
      tests: [
        of('get 1 a | write a'),
        of('get 1 a, get 2 a | write a'),
        of('get 1 a | write a, get 2 a'),
        of('get 1 a | write a, write a'),
      ],
    },
    set && {
      guarantee: 'a value that was set is not replaced by an older one',
      tests: [of('get 1 a | set a'), of('get 1 a | set a, get 2 a')],
    },
    refresh && {
      guarantee: 'a refresh brings no older value',
      tests: [
        of('refresh a | get 1 a'),
        ...(invalidate
          ? [of('refresh a | write a'), of('refresh a | write a, get 1 a', 'get 9 a', 'get 0 a')]
          : []),
        ...(set ? [of('refresh a | set a', 'get 9 a', 'get 0 a')] : []),
      ],
    },
    abortable && {
      guarantee: 'an aborted call aborts no other one',
      tests: [of('abortedGet 1 a | abort 1 | get 2 a'), of('abortedGet 1 a | abort 1 | abortedGet 2 a')],
    },
  ];
}

async function storeOf<C>(create: (load: Load) => Awaitable<C>): Promise<Store<C>> {
  const world = new Store<C>(undefined);
  world.cache = await create(world.load);
  return world;
}

/**
 * A kit of caches that load missing values: calls share a load, and no value is stale after it was invalidated.
 * Guide: `docs/guide/kits/cache.md`.
 *
 * @example
 * export default cacheKit({
 *   create: (load) => new yours.Cache(load),
 *   get: (cache, key) => cache.get(key),
 *   invalidate: (cache, key) => cache.delete(key),
 * });
 */
export function cacheKit<C>(adapter: CacheAdapter<C>): Kit {
  return kitOf({
    kind: 'cache',
    options: adapter,
    create: () => storeOf(adapter.create),
    methods: methodsOf(adapter, 'get'),
    guarantees: guaranteesOf(adapter as never, 'get'),
  });
}

/**
 * A kit of memoized functions: calls share a run, errors are not kept, and no result is stale after it was cleared.
 * Guide: `docs/guide/kits/memoized-function.md`.
 *
 * @example
 * export default memoKit({
 *   create: (run) => yours.memoize(run),
 *   call: (memoized, key) => memoized(key),
 * });
 */
export function memoKit<M>({ call, clear, ...adapter }: MemoAdapter<M>): Kit {
  const own: CacheAdapter<M> = { ...adapter, get: call, ...(clear && { invalidate: clear }) };
  return kitOf({
    kind: 'memoized function',
    options: adapter,
    create: () => storeOf(adapter.create),
    methods: methodsOf(own, 'call'),
    guarantees: guaranteesOf(own as never, 'call'),
  });
}

/**
 * A kit of functions that run once: every call gets the result of the one run.
 * Guide: `docs/guide/kits/once.md`.
 *
 * @example
 * export default onceKit({
 *   create: (run) => yours.once(run),
 *   call: (run) => run(),
 * });
 */
export function onceKit<F>({ retries = false, call, ...adapter }: OnceAdapter<F>): Kit {
  const own: CacheAdapter<F> = {
    ...adapter,
    create: (load) => adapter.create(() => load('a')),
    get: call,
    keepsErrors: !retries,
  };
  return kitOf({
    kind: 'function that runs once',
    options: adapter,
    create: () => storeOf(own.create),
    methods: methodsOf(own, 'call'),
    guarantees: guaranteesOf(own as never, 'call').filter((one) => one && !one.guarantee.startsWith('keys')),
  });
}
