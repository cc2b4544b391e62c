/**
 * As it was published: the cell is not looked at again.
 *
 * A cell that was seen before the test is taken for one whose counter lags behind, and the counter is
 * moved past an item, or past a free cell.
 */
import { ArrayQueue } from './array-queue.js';

export class ArrayQueueFaulty extends ArrayQueue {
  protected override isStale(): boolean {
    return false;
  }
}
