/** Two permits are taken; one comes back, and there are those who wait for two and those who wait for one. */
import './node-20.js';
import { Semaphore } from 'multithreading';
import { semaphoreOf } from './kinds.js';

export default semaphoreOf('Semaphore', (permits) => new Semaphore(permits), {
  acquire: (semaphore, amount) => semaphore.acquire(amount),
  release: (_, guard) => guard.dispose(),
  before: [
    ['acquire', 1],
    ['acquire', 1],
  ],
  calls: [
    ['acquire', 1],
    ['acquire', 2],
    ['release', 1],
  ],
  oneThread: ['release'],
});
