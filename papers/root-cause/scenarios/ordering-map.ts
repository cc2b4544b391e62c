/**
 * The ordering list of a map with logical ordering (Synchrobench's LogicalOrderingAVL, without its tree, which only
 * makes it fast to find a place). A node's lock guards what follows it. Where the section is shrunk, it is looked whether
 * the place is the right one before the lock is taken.
 */
import { Mutex } from 'straightedge/explore';
import type { Shrunk } from './shrunk.js';

class Node {
  readonly key: number;
  before: Node | null;
  after: Node | null;
  isIn = true;
  readonly lock = new Mutex();

  constructor(key: number, before: Node | null, after: Node | null) {
    this.key = key;
    this.before = before;
    this.after = after;
  }
}

export class OrderingMap {
  private readonly head: Node;
  private readonly shrunk: Shrunk;

  constructor(shrunk: Shrunk) {
    this.shrunk = shrunk;
    this.head = new Node(Number.NEGATIVE_INFINITY, null, null);
    this.head.after = new Node(Number.POSITIVE_INFINITY, this.head, null);
  }

  add(key: number): boolean {
    for (;;) {
      const before = this.find(key);
      if (!this.shrunk.add) before.lock.lock();
      const after = before.after!;
      const isPlace = after.key >= key && before.isIn;
      if (this.shrunk.add) before.lock.lock();
      const isNew = isPlace && after.key !== key;
      if (isNew) {
        const node = new Node(key, before, after);
        after.before = node;
        before.after = node;
      }
      before.lock.unlock();
      if (isPlace) return isNew;
    }
  }

  remove(key: number): boolean {
    for (;;) {
      const before = this.find(key);
      if (!this.shrunk.remove) before.lock.lock();
      const node = before.after!;
      const isPlace = node.key >= key && before.isIn;
      if (this.shrunk.remove) before.lock.lock();
      const isThere = isPlace && node.key === key;
      if (isThere) {
        node.lock.lock();
        node.isIn = false;
        const after = node.after!;
        after.before = before;
        before.after = after;
        node.lock.unlock();
      }
      before.lock.unlock();
      if (isPlace) return isThere;
    }
  }

  contains(key: number): boolean {
    let node = this.head.after!;
    while (node.key < key) node = node.after!;
    return node.key === key && node.isIn;
  }

  /** The last node with a smaller key. */
  private find(key: number): Node {
    let node = this.head;
    for (let after = node.after!; after.key < key; after = node.after!) node = after;
    return node;
  }
}
