/** Pools of resources. */
export const entries = {
  'generic-pool': {
    from: 'generic-pool',
    kit: 'poolKit',
    adapter: ({ default: pools }) => ({
      create: (factory, max) =>
        pools.createPool({ create: factory, destroy: async () => {} }, { max, min: 0 }),
      acquire: (pool) => pool.acquire(),
      release: (pool, resource) => pool.release(resource),
      rejects: false,
    }),
  },
};
