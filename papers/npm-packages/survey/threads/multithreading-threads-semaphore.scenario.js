/** Who has both permits gives one back, and there are those who wait for two and those who wait for one. */
import './node-20.js';
import { Semaphore } from 'multithreading';
import { scenario } from 'straightedge';
import { semaphore } from 'straightedge/objects';
import { attached, moved } from './multithreading-on-threads.js';

export default scenario({
  name: 'Semaphore.blockingAcquire on threads',
  backend: 'threads',
  create: () => ({ semaphore: moved(new Semaphore(2)) }),
  attach: ({ semaphore }) => ({ it: attached(semaphore), held: [] }),
  spec: semaphore({ permits: 2 }),
  calls: [
    [
      ['acquire', 1],
      ['acquire', 1],
      ['release', 1],
    ],
    ['acquire', 1],
    ['acquire', 2],
  ],
  methods: {
    acquire: ({ it, held }, amount) => {
      held.push(it.blockingAcquire(amount));
    },
    release: ({ held }) => held.shift().dispose(),
  },
  threads: 3,
  callsPerThread: 1,
});
