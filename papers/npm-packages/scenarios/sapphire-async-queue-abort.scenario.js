import { AsyncQueue } from '@sapphire/async-queue';
import { lockOf } from './kinds.js';

export default lockOf('AsyncQueue, waits aborted', () => new AsyncQueue(), {
  lock: (queue, options) => queue.wait(options),
  unlock: (queue) => queue.shift(),
  cancel: true,
});
