import { createLock } from 'superlock';
import { semaphoreOf } from './kinds.js';

export default semaphoreOf('createLock', (slots) => createLock(slots), {
  acquire: (lock) => lock(),
  release: (_, release) => release(),
});
