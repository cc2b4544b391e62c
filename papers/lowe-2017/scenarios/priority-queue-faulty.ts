/**
 * After helping to unlink an item, a thread continues behind the item before it, as published.
 *
 * That may be one with a smaller key that was inserted meanwhile: it is passed over, and a larger one taken.
 * Found in the published text; the authors of the paper that mentions an error there do not say which they mean.
 */
import { type Item, PriorityQueue } from './priority-queue.js';

export class PriorityQueueFaulty extends PriorityQueue {
  protected override continueFrom(item: Item): Item {
    return this.unlink(item);
  }
}
