import semaphores from 'semaphore-async-await';
import { semaphoreOf } from './kinds.js';

const Semaphore = semaphores.default ?? semaphores;

export default semaphoreOf('Semaphore', (permits) => new Semaphore(permits), {
  acquire: (semaphore) => semaphore.acquire(),
  release: (semaphore) => semaphore.release(),
  tryAcquire: (semaphore) => semaphore.tryAcquire(),
});
