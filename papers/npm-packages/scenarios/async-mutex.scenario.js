import { Mutex } from 'async-mutex';
import { lockOf } from './kinds.js';

export default lockOf('Mutex', () => new Mutex(), {
  lock: (mutex) => mutex.acquire(),
  unlock: (_, release) => release(),
});
