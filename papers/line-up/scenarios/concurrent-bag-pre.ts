/**
 * Root cause E, besides J: `count` locks the lists in sequence, not all at once.
 *
 * An item that is taken from a list already counted, and another that is put into one still to come, are both
 * counted, although they were never present together. The paper only says that there was a bug.
 */
import { ConcurrentBag } from './concurrent-bag.js';

export class ConcurrentBagPre extends ConcurrentBag {
  override toArray(): number[] {
    const all: number[] = [];
    for (let list = this.lists; list !== null; list = list.next) {
      if (list.items.length === 0) continue;
      list.lock.lock();
      all.push(...list.items);
      list.lock.unlock();
    }
    return all;
  }
}
