import { Sema } from 'async-sema';
import { semaphoreOf } from './kinds.js';

export default semaphoreOf('Sema', (permits) => new Sema(permits), {
  acquire: (sema) => sema.acquire(),
  release: (sema) => sema.release(),
  tryAcquire: (sema) => sema.tryAcquire() !== undefined,
});
