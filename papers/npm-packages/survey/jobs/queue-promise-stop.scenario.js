import Queue from 'queue-promise';
import { scenario } from 'straightedge';

/** Nothing starts after `stop`. */
export default scenario({
  name: 'queue-promise stop',
  create: () => new Queue({ concurrent: 1, interval: 0 }),
  methods: {
    run: async (queue) => {
      let end;
      await new Promise((resolve) => {
        queue.enqueue(() => {
          resolve();
          return new Promise((ended) => {
            end = ended;
          });
        });
      });
      queue.stop();
      end();
      await new Promise((resolve) => setTimeout(resolve, 10));
      let isStarted = false;
      queue.enqueue(async () => {
        isStarted = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 10));
      return isStarted;
    },
  },
  spec: { name: 'nothing starts', initial: 0, methods: { run: (state) => [state, false] } },
  test: [[['run']]],
});
