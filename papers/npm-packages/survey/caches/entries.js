/** Caches, memoized functions, and functions that run once. */
export const entries = {
  'lru-cache': {
    from: 'lru-cache',
    kit: 'cacheKit',
    adapter: ({ LRUCache }) => ({
      create: (load) => new LRUCache({ max: 5, fetchMethod: (key) => load(key) }),
      get: (cache, key) => cache.fetch(key),
      set: (cache, key, value) => cache.set(key, value),
    }),
    violations: {
      'a value that was set is not replaced by an older one': {
        documented: 'since fetches are aborted when a new value is explicitly set',
      },
    },
  },
  'async-cache': {
    from: 'async-cache',
    kit: 'cacheKit',
    adapter: ({ default: AsyncCache }) => {
      const called = (run) =>
        new Promise((resolve, reject) => run((error, value) => (error ? reject(error) : resolve(value))));
      return {
        create: (load) =>
          new AsyncCache({
            max: 10,
            load: (key, done) => load(key).then((value) => done(null, value), done),
          }),
        get: (cache, key) => called((done) => cache.get(key, done)),
        invalidate: (cache) => cache.reset(),
        set: (cache, key, value) => cache.set(key, value),
      };
    },
    violations: {
      'no value is stale after it was invalidated': { defect: 'async-cache-reset' },
      'a value that was set is not replaced by an older one': { defect: 'async-cache-set' },
    },
  },
  'async-cache-dedupe': {
    from: 'async-cache-dedupe',
    kit: 'cacheKit',
    adapter: ({ createCache }) => ({
      create: (load) =>
        createCache({ ttl: 1000, storage: { type: 'memory' } }).define('load', (key) => load(key)),
      get: (cache, key) => cache.load(key),
      invalidate: (cache, key) => cache.clear('load', key),
    }),
    violations: {
      'no value is stale after it was invalidated': { defect: 'async-cache-dedupe-clear' },
    },
  },
  dataloader: {
    from: 'dataloader',
    kit: 'cacheKit',
    adapter: ({ default: DataLoader }) => ({
      create: (load) => new DataLoader((keys) => Promise.all(keys.map((key) => load(key)))),
      get: (loader, key) => loader.load(key),
      invalidate: (loader, key) => loader.clear(key),
      set: (loader, key, value) => loader.clear(key).prime(key, value),
    }),
  },
  'cache-manager': {
    from: 'cache-manager',
    kit: 'cacheKit',
    adapter: ({ createCache }) => ({
      create: () => createCache(),
      get: (cache, key, load) => cache.wrap(key, () => load(key)),
    }),
  },
  cacheable: {
    from: 'cacheable',
    kit: 'cacheKit',
    adapter: ({ Cacheable }) => ({
      create: () => new Cacheable(),
      get: (cache, key, load) => cache.getOrSet(key, () => load(key), { throwErrors: true }),
    }),
  },
  '@epic-web/cachified': {
    from: '@epic-web/cachified',
    kit: 'cacheKit',
    adapter: ({ cachified }) => ({
      create: () => new Map(),
      get: (cache, key, load) => cachified({ key, cache, getFreshValue: () => load(key) }),
    }),
  },
  'effect Cache': {
    from: 'effect',
    kit: 'cacheKit',
    adapter: ({ Cache, Effect }) => {
      const run = (effect) => Effect.runPromise(effect);
      return {
        create: (load) => run(Cache.make({ capacity: 10, lookup: (key) => Effect.promise(() => load(key)) })),
        get: (cache, key) => run(Cache.get(cache, key)),
        invalidate: (cache, key) => run(Cache.invalidate(cache, key)),
        refresh: (cache, key) => run(Cache.refresh(cache, key)),
        set: (cache, key, value) => run(Cache.set(cache, key, value)),
        keepsErrors: true,
      };
    },
    violations: {
      'a refresh brings no older value': { defect: 'effect-refresh' },
    },
  },
  memoizee: {
    from: 'memoizee',
    kit: 'memoKit',
    adapter: ({ default: memoizee }) => ({
      create: (run) => memoizee(run, { promise: true }),
      call: (memoized, key) => memoized(key),
      clear: (memoized, key) => memoized.delete(key),
    }),
  },
  'p-memoize': {
    from: 'p-memoize',
    kit: 'memoKit',
    adapter: ({ default: pMemoize, pMemoizeClear }) => ({
      create: (run) => pMemoize(run),
      call: (memoized, key) => memoized(key),
      clear: (memoized) => pMemoizeClear(memoized),
    }),
    violations: {
      'no value is stale after it was invalidated': { defect: 'p-memoize-clear' },
    },
  },
  'reuse-promise': {
    from: 'reuse-promise',
    kit: 'memoKit',
    adapter: ({ default: own }) => ({
      create: (run) => own.default(run, { memoize: true }),
      call: (memoized, key) => memoized(key),
      clear: (memoized) => own.clear(memoized),
    }),
  },
  'async-memoize-one': {
    from: 'async-memoize-one',
    kit: 'memoKit',
    adapter: ({ default: memoizeOne }) => ({
      create: (run) => memoizeOne(run),
      call: (memoized, key) => memoized(key),
    }),
  },
  'promise-memoize': {
    from: 'promise-memoize',
    kit: 'memoKit',
    adapter: ({ default: memoize }) => ({
      create: (run) => memoize(run),
      call: (memoized, key) => memoized(key),
      clear: (memoized) => memoized.clear(),
      keepsErrors: true,
    }),
  },
  '@zcong/singleflight': {
    from: '@zcong/singleflight',
    kit: 'memoKit',
    adapter: ({ Singleflight }) => ({
      create: (run) => ({ flight: new Singleflight(), run }),
      call: ({ flight, run }, key) => flight.do(key, () => run(key)),
      keeps: false,
    }),
  },
  'promise-inflight': {
    from: 'promise-inflight',
    kit: 'memoKit',
    adapter: ({ default: inflight }) => ({
      create: (run) => run,
      call: (run, key) => inflight(key, () => run(key)),
      keeps: false,
    }),
  },
  'lazy-value': {
    from: 'lazy-value',
    kit: 'onceKit',
    adapter: ({ default: lazyValue }) => ({
      create: (run) => lazyValue(run),
      call: (lazy) => lazy(),
    }),
  },
  'es-toolkit once': {
    from: 'es-toolkit',
    kit: 'onceKit',
    adapter: ({ once }) => ({ create: (run) => once(run), call: (called) => called() }),
  },
  '@esfx/async-lazy': {
    from: '@esfx/async-lazy',
    kit: 'onceKit',
    adapter: ({ AsyncLazy }) => ({
      create: (run) => AsyncLazy.from(run),
      call: (lazy) => lazy.value,
    }),
  },
  'stale-while-revalidate-cache': {
    from: 'stale-while-revalidate-cache',
    kit: 'cacheKit',
    adapter: ({ createStaleWhileRevalidateCache }) => ({
      create: () => {
        const map = new Map();
        const storage = {
          getItem: (key) => map.get(key) ?? null,
          setItem: (key, value) => void map.set(key, value),
          removeItem: (key) => void map.delete(key),
        };
        const times = { minTimeToStale: 1e9, maxTimeToLive: 1e10 };
        return { swr: createStaleWhileRevalidateCache({ storage, ...times }) };
      },
      get: async ({ swr }, key, load) => (await swr(key, () => load(key))).value,
      invalidate: ({ swr }, key) => swr.delete(key),
      set: ({ swr }, key, value) => swr.persist(key, value),
    }),
    violations: {
      'no value is stale after it was invalidated': { defect: 'swr-cache-delete' },
      'a value that was set is not replaced by an older one': { defect: 'swr-cache-persist' },
    },
  },
  '@github/memoize': {
    from: '@github/memoize',
    kit: 'memoKit',
    adapter: ({ default: memoize }) => ({
      create: (run) => memoize(run),
      call: (memoized, key) => memoized(key),
    }),
  },
  'async-once': {
    from: 'async-once',
    kit: 'onceKit',
    adapter: ({ default: asyncOnce }) => ({
      create: (run) =>
        asyncOnce((done) =>
          run().then(
            (result) => done(null, result),
            (error) => done(error),
          ),
        ),
      call: (once) =>
        new Promise((resolve, reject) => once((error, result) => (error ? reject(error) : resolve(result)))),
    }),
  },
  'promise-once': {
    from: 'promise-once',
    kit: 'onceKit',
    adapter: ({ default: promiseOnce }) => ({
      create: (run) => {
        promiseOnce.Promise = Promise;
        return promiseOnce((resolve, reject) => run().then(resolve, reject));
      },
      call: (once) => once(),
    }),
  },
};
