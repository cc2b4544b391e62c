import { AsyncQueue } from '@esfx/async-queue';
import { queueOf } from './kinds.js';

export default queueOf('AsyncQueue', () => new AsyncQueue(), {
  put: (queue, value) => queue.put(value),
  take: (queue) => queue.get(),
});
