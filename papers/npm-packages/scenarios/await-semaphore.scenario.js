import { Semaphore } from 'await-semaphore';
import { semaphoreOf } from './kinds.js';

export default semaphoreOf('Semaphore', (permits) => new Semaphore(permits), {
  acquire: (semaphore) => semaphore.acquire(),
  release: (_, release) => release(),
});
