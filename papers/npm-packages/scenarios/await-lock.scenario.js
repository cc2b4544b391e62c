import locks from 'await-lock';
import { lockOf } from './kinds.js';

const AwaitLock = locks.default ?? locks;

export default lockOf('AwaitLock', () => new AwaitLock(), {
  lock: (lock) => lock.acquireAsync(),
  unlock: (lock) => lock.release(),
  tryLock: undefined,
});
