import Queue from 'queue-promise';
import { scenario } from 'straightedge';

/** A task that throws is reported, and the next one runs. */
export default scenario({
  name: 'queue-promise throw',
  create: () => new Queue({ concurrent: 1, interval: 0 }),
  methods: {
    run: async (queue) => {
      queue.enqueue(() => {
        throw new Error('the first task fails');
      });
      return new Promise((resolve) => queue.enqueue(async () => resolve('ran')));
    },
  },
  spec: { name: 'the next task runs', initial: 0, methods: { run: (state) => [state, 'ran'] } },
  test: [[['run']]],
});
