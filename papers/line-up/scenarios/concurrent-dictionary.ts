/**
 * A map whose keys share two locks.
 *
 * Writers hold the lock of their key; who looks at all of it holds both, taken in one order. Who looks
 * for one key takes none. So who clears it puts a new table in place of the old one: in one step, or a reader could
 * find one key gone and the other still there.
 */
import { Mutex } from 'straightedge/explore';
import { InvalidOperation } from './errors.js';

class Table {
  readonly even: Map<number, number> = new Map();
  readonly odd: Map<number, number> = new Map();
}

export class ConcurrentDictionary {
  private readonly evenLock = new Mutex();
  private readonly oddLock = new Mutex();
  private table = new Table();

  count(): number {
    this.lockAll();
    const { even, odd } = this.table;
    const count = even.size + odd.size;
    this.unlockAll();
    return count;
  }

  isEmpty(): boolean {
    return this.count() === 0;
  }

  clear(): void {
    this.lockAll();
    this.table = new Table();
    this.unlockAll();
  }

  tryAdd(key: number, value: number): boolean {
    const lock = this.lockOf(key);
    lock.lock();
    const entries = this.entriesOf(key);
    const isNew = !entries.has(key);
    if (isNew) entries.set(key, value);
    lock.unlock();
    return isNew;
  }

  /** The value that was there. */
  tryRemove(key: number): number | null {
    const lock = this.lockOf(key);
    lock.lock();
    const entries = this.entriesOf(key);
    const value = entries.get(key) ?? null;
    entries.delete(key);
    lock.unlock();
    return value;
  }

  tryGet(key: number): number | null {
    return this.entriesOf(key).get(key) ?? null;
  }

  get(key: number): number {
    const value = this.tryGet(key);
    if (value === null) throw new InvalidOperation('there is no such key');
    return value;
  }

  set(key: number, value: number): void {
    const lock = this.lockOf(key);
    lock.lock();
    const entries = this.entriesOf(key);
    entries.set(key, value);
    lock.unlock();
  }

  /** Puts a value where another stands. */
  tryUpdate(key: number, value: number, old: number): boolean {
    const lock = this.lockOf(key);
    lock.lock();
    const entries = this.entriesOf(key);
    const isOld = entries.get(key) === old;
    if (isOld) entries.set(key, value);
    lock.unlock();
    return isOld;
  }

  containsKey(key: number): boolean {
    return this.entriesOf(key).has(key);
  }

  private entriesOf(key: number): Map<number, number> {
    return isEven(key) ? this.table.even : this.table.odd;
  }

  private lockOf(key: number): Mutex {
    return isEven(key) ? this.evenLock : this.oddLock;
  }

  private lockAll(): void {
    this.evenLock.lock();
    this.oddLock.lock();
  }

  private unlockAll(): void {
    this.oddLock.unlock();
    this.evenLock.unlock();
  }
}

const isEven = (key: number): boolean => (key / 10) % 2 === 0;
