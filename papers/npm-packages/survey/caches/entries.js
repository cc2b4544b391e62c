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
  },
};
