/**
 * Who has helped to unlink an item goes on behind the item before it, as published.
 *
 * That may be one with a smaller key that was put there in the meantime: it is passed over, and a larger one taken.
 * Found in the published text; the authors of the paper that mentions an error there do not say which they mean.
 */
import { type Item, PriorityQueue } from './priority-queue.js';

export class PriorityQueueFaulty extends PriorityQueue {
  protected override goOn(item: Item): Item {
    return this.unlink(item);
  }
}
