import { AsyncQueue } from '@sapphire/async-queue';
import { lockOf } from './kinds.js';

export default lockOf('AsyncQueue', () => new AsyncQueue(), {
  lock: (queue) => queue.wait(),
  unlock: (queue) => queue.shift(),
});
