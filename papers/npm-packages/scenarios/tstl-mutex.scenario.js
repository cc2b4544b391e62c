import { Mutex } from 'tstl';
import { lockOf } from './kinds.js';

export default lockOf('Mutex', () => new Mutex(), {
  lock: (mutex) => mutex.lock(),
  unlock: (mutex) => mutex.unlock(),
  tryLock: undefined,
});
