import Queue from 'queue';
import { scenario } from 'straightedge';

/** A job that throws ends the queue with its error. */
export default scenario({
  name: 'queue throw',
  create: () => new Queue({ concurrency: 1 }),
  methods: {
    run: async (queue) => {
      queue.push(
        async () => 'first',
        () => {
          throw new Error('the second job fails');
        },
      );
      return queue.start().then(
        () => 'ended',
        () => 'failed',
      );
    },
  },
  spec: { name: 'an error ends the queue', initial: 0, methods: { run: (state) => [state, 'failed'] } },
  test: [[['run']]],
});
