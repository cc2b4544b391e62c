/**
 * Root cause C: `remove` holds the lock of one end only.
 *
 * The last item stands at both ends. The paper only says that the class had a bug; this is one that
 * such a list invites.
 */
import { ConcurrentLinkedList } from './concurrent-linked-list.js';

export class ConcurrentLinkedListPre extends ConcurrentLinkedList {
  override tryRemoveFirst(): number | null {
    this.firstLock.lock();
    const value = this.remove(this.first);
    this.firstLock.unlock();
    return value;
  }

  override tryRemoveLast(): number | null {
    this.lastLock.lock();
    const value = this.remove(this.last);
    this.lastLock.unlock();
    return value;
  }
}
