/**
 * A sorted list with a lock in each node, looked through without locks and validated under them
 * (Synchrobench's OptimisticListSortedSetWaitFreeContains). Where the section is shrunk, it is validated before the
 * locks are taken.
 */
import { Mutex } from 'straightedge/explore';
import type { Shrunk } from './shrunk.js';

class Node {
  readonly key: number;
  next: Node | null;
  readonly lock = new Mutex();

  constructor(key: number, next: Node | null) {
    this.key = key;
    this.next = next;
  }
}

export class OptimisticList {
  private readonly head = new Node(Number.NEGATIVE_INFINITY, new Node(Number.POSITIVE_INFINITY, null));
  private readonly shrunk: Shrunk;

  constructor(shrunk: Shrunk) {
    this.shrunk = shrunk;
  }

  add(key: number): boolean {
    for (;;) {
      let before = this.head;
      let at = before.next!;
      while (at.key < key) {
        before = at;
        at = at.next!;
      }
      if (this.shrunk.add && !this.isValid(before, at)) continue;
      before.lock.lock();
      at.lock.lock();
      if (this.shrunk.add || this.isValid(before, at)) {
        const isNew = at.key !== key;
        if (isNew) before.next = new Node(key, at);
        at.lock.unlock();
        before.lock.unlock();
        return isNew;
      }
      at.lock.unlock();
      before.lock.unlock();
    }
  }

  remove(key: number): boolean {
    for (;;) {
      let before = this.head;
      let at = before.next!;
      while (at.key < key) {
        before = at;
        at = at.next!;
      }
      if (this.shrunk.remove && !this.isValid(before, at)) continue;
      before.lock.lock();
      at.lock.lock();
      if (this.shrunk.remove || this.isValid(before, at)) {
        const isThere = at.key === key;
        if (isThere) before.next = at.next;
        at.lock.unlock();
        before.lock.unlock();
        return isThere;
      }
      at.lock.unlock();
      before.lock.unlock();
    }
  }

  contains(key: number): boolean {
    let at = this.head.next!;
    while (at.key < key) at = at.next!;
    return at.key === key;
  }

  /** Is the first node still in the list, and the second right after it? */
  private isValid(before: Node, at: Node): boolean {
    let node = this.head;
    while (node.key < before.key) node = node.next!;
    return node === before && before.next === at;
  }
}
