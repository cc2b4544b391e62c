/**
 * Delete stores `deleted` over whatever is there, `updating` too.
 *
 * Then two may update at once, and the one that comes late stores `stored` over a later `deleted`: what was
 * deleted is there again.
 */
import { HashMap } from './hash-map.js';

export class HashMapFaulty extends HashMap {
  override delete(key: number): void {
    const { status } = this.slotOf(key);
    if (status.get() !== 'empty') status.set('deleted');
  }
}
