import module from 'resource-pooler';
import { scenario } from 'straightedge';

/** A pool becomes smaller when the resources in use are given back. */
export default scenario({
  name: 'resource-pooler resize',
  create: () => module.createPool({ create: async () => ({}), dispose: async () => {} }, 1),
  methods: {
    use: async (pool) => {
      await pool.use(() => new Promise((resolve) => setTimeout(resolve, 1)));
    },
    close: (pool) => pool.resize(0),
  },
  spec: {
    name: 'every call ends',
    initial: 0,
    methods: { use: (state) => [state, undefined], close: (state) => [state, undefined] },
  },
  test: [[['use']], [['close']]],
});
