import { Mutex } from 'es-toolkit/promise';
import { lockOf } from './kinds.js';

export default lockOf('Mutex', () => new Mutex(), {
  lock: (mutex) => mutex.acquire(),
  unlock: (mutex) => mutex.release(),
});
