import create from 'promise-queue-plus/create.js';
import { scenario } from 'straightedge';

/** After a time-out, the next job runs. */
export default scenario({
  name: 'promise-queue-plus timeout',
  create: () => create(Promise)(1, { timeout: 20 }),
  methods: {
    run: async (queue) => {
      queue.go(() => new Promise(() => {})).catch(() => {});
      return new Promise((resolve) => {
        queue.push(async () => resolve('ran')).catch(() => {});
      });
    },
  },
  spec: { name: 'the next job runs', initial: 0, methods: { run: (state) => [state, 'ran'] } },
  test: [[['run']]],
});
