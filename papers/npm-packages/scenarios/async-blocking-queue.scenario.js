import AsyncBlockingQueue from 'async-blocking-queue';
import { queueOf } from './kinds.js';

export default queueOf('AsyncBlockingQueue', () => new AsyncBlockingQueue(), {
  put: (queue, value) => queue.enqueue(value),
  take: (queue) => queue.dequeue(),
});
