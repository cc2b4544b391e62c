/**
 * Root cause E, besides J: who counts looks at one list after another, and holds no lock.
 *
 * An item that is taken from a list already counted, and another that is put into one still to come, are both
 * counted, though they were never there together. The paper tells no more than that there was a bug.
 */
import { ConcurrentBag } from './concurrent-bag.js';

export class ConcurrentBagPre extends ConcurrentBag {
  override toArray(): number[] {
    return this.allItems();
  }
}
