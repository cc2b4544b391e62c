/**
 * Root cause B: the lock is waited for only so long, and then the queue is called empty.
 *
 * The paper's figure 1. Time is not part of the exploration: a lock that is held may be given up at once.
 */
import { ConcurrentQueue } from './concurrent-queue.js';

export class ConcurrentQueuePre extends ConcurrentQueue {
  override tryDequeue(): number | null {
    return this.lock.tryLock() ? this.dequeue() : null;
  }
}
