import { Semaphore } from 'async-mutex';
import { semaphoreOf } from './kinds.js';

export default semaphoreOf('Semaphore with weights', (permits) => new Semaphore(permits), {
  acquire: async (semaphore, weight) => (await semaphore.acquire(weight))[1],
  release: (_, release) => release(),
  calls: [
    [
      ['acquire', 2],
      ['release', 2],
    ],
    [
      ['acquire', 1],
      ['release', 1],
    ],
  ],
});
