import { Semaphore } from 'tstl';
import { semaphoreOf } from './kinds.js';

export default semaphoreOf('Semaphore', (permits) => new Semaphore(permits), {
  acquire: (semaphore) => semaphore.acquire(),
  release: (semaphore) => semaphore.release(),
});
