/**
 * A priority queue as a sorted list: the lowest level of a skip list.
 *
 *   H. Sundell, P. Tsigas. Fast and lock-free concurrent priority queues for multi-thread systems. IPDPS 2003.
 *
 * An item is taken by a mark on its value, then its link is marked, so that no item is inserted behind it, and
 * then it is unlinked. A thread that finds a taken item helps to unlink it, and starts again at the head.
 */
import { AtomicRef } from 'straightedge/explore';

class Link {
  readonly item: Item | null;
  readonly isMarked: boolean;

  constructor(item: Item | null, isMarked: boolean) {
    this.item = item;
    this.isMarked = isMarked;
  }
}

export class Item {
  readonly key: number;
  readonly isTaken: AtomicRef<boolean> = new AtomicRef(false);
  readonly link: AtomicRef<Link>;

  constructor(key: number, next: Item | null) {
    this.key = key;
    this.link = new AtomicRef(new Link(next, false));
  }
}

export class PriorityQueue {
  protected readonly head: Item = new Item(Number.NEGATIVE_INFINITY, null);

  insert(key: number): void {
    for (;;) {
      const before = this.before((item) => item.key >= key);
      const link = before.link.get();
      if (link.isMarked) this.unlink(before);
      else if (link.item !== null && link.item.key < key) continue;
      else if (before.link.compareAndSet(link, new Link(new Item(key, link.item), false))) return;
    }
  }

  deleteMin(): number | null {
    let before = this.head;
    for (;;) {
      const { item, isMarked } = before.link.get();
      if (isMarked) {
        before = this.continueFrom(before);
        continue;
      }
      if (item === null) return null;
      if (item.isTaken.compareAndSet(false, true)) {
        this.unlink(item);
        return item.key;
      }
      before = this.continueFrom(item);
    }
  }

  /** The item after which a taken item is searched for again. */
  protected continueFrom(item: Item): Item {
    this.unlink(item);
    return this.head;
  }

  /** Gives the item that is now before where it was. */
  protected unlink(item: Item): Item {
    let link = item.link.get();
    while (!link.isMarked) {
      item.link.compareAndSet(link, new Link(link.item, true));
      link = item.link.get();
    }
    for (;;) {
      const before = this.before((other) => other === item || other.key > item.key);
      const old = before.link.get();
      const isPassed = old.item === null || old.item.key > item.key;
      if (isPassed || (old.item === item && !old.isMarked && this.relink(before, old, link.item)))
        return before;
    }
  }

  private relink(before: Item, old: Link, next: Item | null): boolean {
    return before.link.compareAndSet(old, new Link(next, false));
  }

  /** The last item before the first that is wanted. */
  private before(isWanted: (item: Item) => boolean): Item {
    let before = this.head;
    for (;;) {
      const next: Item | null = before.link.get().item;
      if (next === null || isWanted(next)) return before;
      before = next;
    }
  }
}
