/** A permit given back twice: "concurrent" is promised to be at most what the semaphore was made with. */
import { Sema } from 'async-sema';
import { blocked, scenario } from 'straightedge';

/** A semaphore of one permit that does not grow. */
const bounded = {
  name: 'bounded semaphore',
  initial: 1,
  methods: {
    acquire: (free) => (free > 0 ? [free - 1, undefined] : blocked),
    release: (free) => [Math.min(free + 1, 1), undefined],
  },
};

export default scenario({
  name: 'Sema, released once too often',
  create: () => new Sema(1),
  spec: bounded,
  calls: [['acquire'], ['release']],
  methods: {
    acquire: async (sema) => {
      await sema.acquire();
    },
    release: async (sema) => sema.release(),
  },
  threads: 2,
  callsPerThread: 2,
});
