/** Two permits, and two threads that hold at most one each: no `try` should fail. Also for `straightedge stress`. */
import './node-20.js';
import { Semaphore } from 'multithreading';
import { scenario } from 'straightedge';
import { semaphore } from 'straightedge/objects';
import { attached, moved } from './multithreading-on-threads.js';

export default scenario({
  name: 'Semaphore.tryAcquire on threads',
  backend: 'threads',
  create: () => ({ semaphore: moved(new Semaphore(2)) }),
  attach: ({ semaphore }) => ({ it: attached(semaphore), held: [] }),
  spec: semaphore({ permits: 2 }),
  calls: [[['tryAcquire'], ['release']]],
  methods: {
    tryAcquire: ({ it, held }) => {
      const guard = it.tryAcquire();
      if (guard !== null) held.push(guard);
      return guard !== null;
    },
    release: ({ held }) => held.shift()?.dispose(),
  },
  threads: 2,
  callsPerThread: 1,
  rounds: 1000,
});
