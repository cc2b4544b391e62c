/** Pools of resources. */
import { EventEmitter } from 'node:events';

export const entries = {
  'generic-pool': {
    from: 'generic-pool',
    kit: 'poolKit',
    adapter: ({ default: pools }) => ({
      create: (factory, max) => pools.createPool(factory, { max, min: 0 }),
      acquire: (pool) => pool.acquire(),
      release: (pool, resource) => pool.release(resource),
      destroy: (pool, resource) => pool.destroy(resource),
      rejects: false,
    }),
  },
  'lightning-pool': {
    from: 'lightning-pool',
    kit: 'poolKit',
    adapter: ({ Pool }) => ({
      create: (factory, max) => {
        const pool = new Pool(factory, { max, acquireMaxRetries: 1, houseKeepInterval: 0 });
        pool.on('error', () => {});
        return pool;
      },
      acquire: (pool) => pool.acquire(),
      release: (pool, resource) => pool.releaseAsync(resource),
      destroy: (pool, resource) => pool.destroyAsync(resource),
      timed: (pool, milliseconds) => {
        const { acquireTimeoutMillis } = pool.options;
        pool.options.acquireTimeoutMillis = milliseconds;
        const resource = pool.acquire();
        pool.options.acquireTimeoutMillis = acquireTimeoutMillis;
        return resource;
      },
    }),
  },
  'pg-pool': {
    from: 'pg-pool',
    kit: 'poolKit',
    adapter: ({ default: Pool }) => ({
      create: (factory, max) => {
        class Client extends EventEmitter {
          connect(done) {
            factory.create().then((resource) => {
              Object.assign(this, { resource, id: resource.id });
              done();
            }, done);
          }
          end(done) {
            if (this.resource) factory.destroy(this.resource);
            process.nextTick(() => {
              done?.();
              this.emit('end');
            });
          }
          isConnected() {
            return this.resource !== undefined;
          }
        }
        const pool = new Pool({ max, Client, idleTimeoutMillis: 0 });
        return pool.on('error', () => {});
      },
      acquire: (pool) => pool.connect(),
      release: (_, client) => client.release(),
      destroy: (_, client) => client.release(true),
      timed: (pool, milliseconds) => {
        pool.options.connectionTimeoutMillis = milliseconds;
        const client = pool.connect();
        pool.options.connectionTimeoutMillis = 0;
        return client;
      },
    }),
  },
  'resource-pooler': {
    from: 'resource-pooler',
    kit: 'poolKit',
    adapter: ({ default: { ResourcePooler } }) => ({
      create: ({ create, destroy }, max) => ({
        pooler: new ResourcePooler({ factory: { create, dispose: destroy } }),
        max,
      }),
      // the first call makes the resources
      acquire: async (own) => {
        own.isReady ??= own.pooler.resize(own.max).catch((error) => {
          own.isReady = undefined;
          throw error;
        });
        await own.isReady;
        return new Promise((acquired, failed) => {
          const hold = (resource) => new Promise((leave) => acquired(Object.assign(resource, { leave })));
          own.pooler.use(hold).catch(failed);
        });
      },
      release: (_, { leave }) => leave(),
    }),
    violations: {
      'a resource that cannot be made takes no place': { defect: 'resource-pooler-create' },
    },
  },
  'resource-pooler resize': {
    from: 'resource-pooler',
    file: 'resource-pooler-resize.scenario.js',
    violations: { 'resource-pooler resize': { defect: 'resource-pooler-resize' } },
  },
};
