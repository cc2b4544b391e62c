/**
 * A sorted list under one lock, of which many may read and one may write (Synchrobench's RWLockCoarseGrainedListIntSet).
 * Where the section is shrunk, the place in the list is looked for before the lock is taken.
 */
import { Semaphore } from 'straightedge/explore';
import type { Shrunk } from './shrunk.js';

class Node {
  readonly key: number;
  next: Node | null;

  constructor(key: number, next: Node | null) {
    this.key = key;
    this.next = next;
  }
}

const READERS = 8;

export class CoarseList {
  private readonly head = new Node(Number.NEGATIVE_INFINITY, new Node(Number.POSITIVE_INFINITY, null));
  /** A reader takes one permit, a writer all of them. */
  private readonly lock = new Semaphore(READERS);
  private readonly shrunk: Shrunk;

  constructor(shrunk: Shrunk) {
    this.shrunk = shrunk;
  }

  add(key: number): boolean {
    if (!this.shrunk.add) this.lock.acquire(READERS);
    let before = this.head;
    let at = before.next!;
    while (at.key < key) {
      before = at;
      at = at.next!;
    }
    if (this.shrunk.add) this.lock.acquire(READERS);
    const isNew = at.key !== key;
    if (isNew) before.next = new Node(key, at);
    this.lock.release(READERS);
    return isNew;
  }

  remove(key: number): boolean {
    if (!this.shrunk.remove) this.lock.acquire(READERS);
    let before = this.head;
    let at = before.next!;
    while (at.key < key) {
      before = at;
      at = at.next!;
    }
    if (this.shrunk.remove) this.lock.acquire(READERS);
    const isThere = at.key === key;
    if (isThere) before.next = at.next;
    this.lock.release(READERS);
    return isThere;
  }

  contains(key: number): boolean {
    this.lock.acquire();
    let at = this.head.next!;
    while (at.key < key) at = at.next!;
    this.lock.release();
    return at.key === key;
  }
}
