/**
 * Items without order: each thread has a list of its own, and steals from others when it is empty.
 *
 * Root cause J, intended by the authors: a thread that finds its own list busy steals instead of waiting for it. While it
 * checks the second list, the first may change. So it takes an item that it would not take in a sequential
 * run. `count`, and a call that finds nothing, hold the locks of all lists.
 */
import { currentThread, Mutex } from 'straightedge/explore';

export class OwnList {
  readonly lock: Mutex = new Mutex();
  readonly items: number[] = [];
  readonly owner: number;
  readonly next: OwnList | null;

  constructor(owner: number, next: OwnList | null) {
    this.owner = owner;
    this.next = next;
  }
}

export class ConcurrentBag {
  /** A chain of the lists of all threads, in one order. */
  protected readonly lists: OwnList | null;

  constructor(threads: number) {
    let lists: OwnList | null = null;
    for (let thread = threads - 1; thread >= 0; thread--) lists = new OwnList(thread, lists);
    this.lists = lists;
  }

  add(value: number): void {
    const { lock, items } = this.own();
    lock.lock();
    items.push(value);
    lock.unlock();
  }

  tryTake(): number | null {
    return this.find(true);
  }

  tryPeek(): number | null {
    return this.find(false);
  }

  isEmpty(): boolean {
    return this.count() === 0;
  }

  count(): number {
    return this.toArray().length;
  }

  toArray(): number[] {
    const all: number[] = [];
    for (let list = this.lists; list !== null; list = list.next) list.lock.lock();
    for (let list = this.lists; list !== null; list = list.next) all.push(...list.items);
    for (let list = this.lists; list !== null; list = list.next) list.lock.unlock();
    return all;
  }

  /** An item of its own, the newest; or one of another thread, the oldest. */
  private find(isTaken: boolean): number | null {
    const own = this.own();
    do {
      if (own.items.length > 0 && own.lock.tryLock()) {
        const newest = itemOf(own, -1, isTaken);
        if (newest !== undefined) return newest;
      }
      for (let list = this.lists; list !== null; list = list.next)
        if (list !== own && list.items.length > 0) {
          list.lock.lock();
          const oldest = itemOf(list, 0, isTaken);
          if (oldest !== undefined) return oldest;
        }
    } while (!this.isEmpty());
    return null;
  }

  private own(): OwnList {
    const thread = currentThread();
    let list = this.lists;
    while (list!.owner !== thread) list = list!.next;
    return list!;
  }
}

/** From a list whose lock is held, and not any more. */
function itemOf({ lock, items }: OwnList, at: 0 | -1, isTaken: boolean): number | undefined {
  const item = isTaken ? items.splice(at, 1)[0] : items.at(at);
  lock.unlock();
  return item;
}
