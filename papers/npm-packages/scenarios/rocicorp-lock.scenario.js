import { Lock } from '@rocicorp/lock';
import { lockOf } from './kinds.js';

export default lockOf('Lock', () => new Lock(), {
  lock: (lock) => lock.lock(),
  unlock: (_, release) => release(),
});
