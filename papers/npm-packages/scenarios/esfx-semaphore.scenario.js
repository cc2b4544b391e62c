import { AsyncSemaphore } from '@esfx/async-semaphore';
import { semaphoreOf } from './kinds.js';

export default semaphoreOf('AsyncSemaphore', (permits) => new AsyncSemaphore(permits), {
  acquire: (semaphore) => semaphore.wait(),
  release: (semaphore) => semaphore.release(),
});
