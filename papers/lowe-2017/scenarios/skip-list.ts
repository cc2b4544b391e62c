/**
 * A set as a skip list of two levels, in the order of hashes.
 *
 *   M. Herlihy, N. Shavit. The art of multiprocessor programming, chapter 14; with hashes that may be equal, as in
 *   G. Lowe, Testing for linearizability, 2016, section 8.
 *
 * Keys of equal hash stand behind one another in any order. So the upper level has to be left before the first of
 * them, and only the lower one is walked through. Who adds holds the lock; who looks takes none.
 */
import { Mutex } from 'straightedge/explore';

export class Item {
  readonly key: number;
  readonly hash: number;
  readonly isTall: boolean;
  next: Item | null = null;
  /** The next one that is tall. */
  above: Item | null = null;

  constructor(key: number, hash: number, isTall: boolean) {
    this.key = key;
    this.hash = hash;
    this.isTall = isTall;
  }
}

export class SkipList {
  private readonly lock = new Mutex();
  private readonly head = new Item(0, -1, true);

  contains(key: number): boolean {
    const hash = hashOf(key);
    let at: Item | null = this.enter(key);
    while (at !== null && at.hash <= hash && at.key !== key) at = at.next;
    return at !== null && at.key === key;
  }

  add(key: number): boolean {
    this.lock.lock();
    const isNew = !this.contains(key);
    if (isNew) this.insert(new Item(key, hashOf(key), isTall(key)));
    this.lock.unlock();
    return isNew;
  }

  /** Where to go down from the upper level. */
  private enter(key: number): Item {
    let at = this.head;
    for (let next = at.above; next !== null && this.isBefore(next, key); next = at.above) at = next;
    return at;
  }

  protected isBefore(item: Item, key: number): boolean {
    return item.hash < hashOf(key);
  }

  /** Behind all of equal hash; on the lower level first, so that who comes from above finds it. */
  private insert(item: Item): void {
    let below = this.head;
    let above = this.head;
    for (let next = below.next; next !== null && next.hash <= item.hash; next = below.next) below = next;
    for (let next = above.above; next !== null && next.hash <= item.hash; next = above.above) above = next;
    item.next = below.next;
    item.above = above.above;
    below.next = item;
    if (item.isTall) above.above = item;
  }
}

/** Two hashes only, so that keys collide. */
export const hashOf = (key: number): number => key % 2;

/** Every other pair of keys stands on both levels. */
const isTall = (key: number): boolean => key % 4 >= 2;
