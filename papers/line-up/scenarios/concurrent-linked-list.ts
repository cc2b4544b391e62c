/**
 * A list that is changed at both ends, each with a lock of its own.
 *
 * The items stand between two guards. A single item is at both ends, so a call that changes the
 * list holds both locks.
 */
import { Mutex } from 'straightedge/explore';
import { InvalidOperation } from './errors.js';

class Item {
  readonly value: number;
  before: Item = this;
  after: Item = this;

  constructor(value: number) {
    this.value = value;
  }
}

export class ConcurrentLinkedList {
  protected readonly firstLock: Mutex = new Mutex();
  protected readonly lastLock: Mutex = new Mutex();
  private readonly front = new Item(0);
  private readonly back = new Item(0);
  private size = 0;

  constructor() {
    this.front.after = this.back;
    this.back.before = this.front;
  }

  count(): number {
    return this.size;
  }

  addFirst(value: number): void {
    this.lockBoth();
    this.insert(value, this.front, this.front.after);
    this.unlockBoth();
  }

  addLast(value: number): void {
    this.lockBoth();
    this.insert(value, this.back.before, this.back);
    this.unlockBoth();
  }

  removeFirst(): void {
    if (this.tryRemoveFirst() === null) throw new InvalidOperation('there is no item');
  }

  removeLast(): void {
    if (this.tryRemoveLast() === null) throw new InvalidOperation('there is no item');
  }

  tryRemoveFirst(): number | null {
    this.lockBoth();
    const value = this.remove(this.first);
    this.unlockBoth();
    return value;
  }

  tryRemoveLast(): number | null {
    this.lockBoth();
    const value = this.remove(this.last);
    this.unlockBoth();
    return value;
  }

  protected get first(): Item {
    return this.front.after;
  }

  protected get last(): Item {
    return this.back.before;
  }

  protected remove(item: Item): number | null {
    if (item === this.front || item === this.back) return null;
    item.before.after = item.after;
    item.after.before = item.before;
    this.size--;
    return item.value;
  }

  private insert(value: number, before: Item, after: Item): void {
    const item = new Item(value);
    item.before = before;
    item.after = after;
    before.after = item;
    after.before = item;
    this.size++;
  }

  private lockBoth(): void {
    this.firstLock.lock();
    this.lastLock.lock();
  }

  private unlockBoth(): void {
    this.lastLock.unlock();
    this.firstLock.unlock();
  }
}
