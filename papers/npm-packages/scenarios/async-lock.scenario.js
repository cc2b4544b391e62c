import AsyncLock from 'async-lock';
import { lockOf } from './kinds.js';

export default lockOf('AsyncLock', () => new AsyncLock(), {
  lock: (lock) =>
    new Promise((entered) => {
      void lock.acquire('key', () => new Promise((leave) => entered(leave)));
    }),
  unlock: (_, leave) => leave(),
});
