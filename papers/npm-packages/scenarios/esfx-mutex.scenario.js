import { AsyncMutex } from '@esfx/async-mutex';
import { lockOf } from './kinds.js';

export default lockOf('AsyncMutex', () => new AsyncMutex(), {
  lock: (mutex) => mutex.lock(),
  unlock: (mutex) => mutex.unlock(),
});
