/** What collects calls to one of many keys. */
const kit = 'batcherKit';
const load = (loader, key) => loader.load(key);

/** batshit finds the value of a key in what was fetched. */
const batshit = (make, scheduler) => ({
  create: (loadMany, max) =>
    make({
      fetcher: async (keys) => (await loadMany(keys)).map((value, i) => ({ key: keys[i], value })),
      resolver: (items, key) => items.find((one) => one.key === key)?.value,
      scheduler: scheduler(max),
    }),
  load: (batcher, key) => batcher.fetch(key),
});

export const entries = {
  'dataloader without a cache': {
    from: 'dataloader',
    kit,
    adapter: ({ default: DataLoader }) => ({
      create: (loadMany) => new DataLoader(loadMany, { cache: false }),
      load,
    }),
  },
  'dataloader of two': {
    from: 'dataloader',
    kit,
    adapter: ({ default: DataLoader }) => ({
      max: 2,
      create: (loadMany, maxBatchSize) => new DataLoader(loadMany, { maxBatchSize }),
      load,
    }),
  },
  'batshit window': {
    from: '@yornaath/batshit',
    kit,
    adapter: ({ create, windowScheduler }) => batshit(create, () => windowScheduler(10)),
  },
  'batshit buffer': {
    from: '@yornaath/batshit',
    kit,
    adapter: ({ create, bufferScheduler }) => batshit(create, () => bufferScheduler(10)),
  },
  'promise-batcher': {
    from: 'promise-batcher',
    kit,
    adapter: ({ Batcher }) => ({
      max: 2,
      create: (loadMany, maxBatchSize) => new Batcher({ batchingFunction: loadMany, maxBatchSize }),
      load: (batcher, key) => batcher.getResult(key),
    }),
  },
  'burst-valve': {
    from: 'burst-valve',
    kit,
    adapter: ({ BurstValve }) => ({
      create: (loadMany) => new BurstValve({ batch: (keys) => loadMany(keys) }),
      load: (valve, key) => valve.fetch(key),
    }),
  },
  'burst-valve length': {
    from: 'burst-valve',
    file: 'burst-valve-length.scenario.js',
    violations: { 'burst-valve length': { defect: 'burst-valve-length' } },
  },
  'burst-valve throw': {
    from: 'burst-valve',
    file: 'burst-valve-throw.scenario.js',
    violations: { 'burst-valve throw': { defect: 'burst-valve-throw' } },
  },
};
