/**
 * On the upper level too, keys of equal hash are stepped over.
 *
 * A search that descends from there has passed a key of that hash which is on the lower level only. One thread is
 * enough to see it.
 */
import { hashOf, type Item, SkipList } from './skip-list.js';

export class SkipListFaulty extends SkipList {
  protected override isBefore(item: Item, key: number): boolean {
    return item.hash < hashOf(key) || (item.hash === hashOf(key) && item.key !== key);
  }
}
