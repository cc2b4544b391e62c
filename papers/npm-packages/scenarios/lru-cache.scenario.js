/** Values that are fetched: each key is fetched from the store, and what was set last is what is read. */
import { LRUCache } from 'lru-cache';
import { scenario } from 'straightedge';
import { register } from 'straightedge/objects';

let row = 0;

export default scenario({
  name: 'LRUCache.fetch over a store',
  spec: register({ initial: 0 }),
  stubs: {
    load: async () => row,
    save: async (value) => {
      row = value;
    },
  },
  create: ({ load, save }) => {
    row = 0;
    return { cache: new LRUCache({ max: 5, fetchMethod: () => load() }), save };
  },
  methods: {
    read: async ({ cache }) => cache.fetch('key'),
    write: async ({ cache, save }, value) => {
      await save(value);
      cache.delete('key');
    },
  },
  // a fetch is aborted when its key is deleted
  outcome: () => 'unknown',
  test: [[['read'], ['read']], [['write', 1]]],
});
