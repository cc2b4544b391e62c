import pools from 'generic-pool';
import { semaphoreOf } from './kinds.js';

let made = 0;

export default semaphoreOf(
  'Pool',
  (max) => {
    made = 0;
    return pools.createPool(
      { create: async () => ({ id: ++made }), destroy: async () => {} },
      { max, min: 0 },
    );
  },
  {
    acquire: (pool) => pool.acquire(),
    release: (pool, resource) => pool.release(resource),
  },
);
