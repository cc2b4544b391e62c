/**
 * A map whose keys share two locks.
 *
 * Writers hold the lock of their key; who looks at all of it holds both, taken in one order. Who looks
 * for one key takes none.
 */
import { Mutex } from 'straightedge';
import { InvalidOperation } from './errors.js';

class Part {
  readonly lock: Mutex = new Mutex();
  readonly entries: Map<number, number> = new Map();
}

export class ConcurrentDictionary {
  private readonly even = new Part();
  private readonly odd = new Part();

  count(): number {
    this.lockAll();
    const count = this.even.entries.size + this.odd.entries.size;
    this.unlockAll();
    return count;
  }

  isEmpty(): boolean {
    return this.count() === 0;
  }

  clear(): void {
    this.lockAll();
    this.even.entries.clear();
    this.odd.entries.clear();
    this.unlockAll();
  }

  tryAdd(key: number, value: number): boolean {
    const { lock, entries } = this.partOf(key);
    lock.lock();
    const isNew = !entries.has(key);
    if (isNew) entries.set(key, value);
    lock.unlock();
    return isNew;
  }

  /** The value that was there. */
  tryRemove(key: number): number | null {
    const { lock, entries } = this.partOf(key);
    lock.lock();
    const value = entries.get(key) ?? null;
    entries.delete(key);
    lock.unlock();
    return value;
  }

  tryGet(key: number): number | null {
    return this.partOf(key).entries.get(key) ?? null;
  }

  get(key: number): number {
    const value = this.tryGet(key);
    if (value === null) throw new InvalidOperation('there is no such key');
    return value;
  }

  set(key: number, value: number): void {
    const { lock, entries } = this.partOf(key);
    lock.lock();
    entries.set(key, value);
    lock.unlock();
  }

  /** Puts a value where another stands. */
  tryUpdate(key: number, value: number, old: number): boolean {
    const { lock, entries } = this.partOf(key);
    lock.lock();
    const isOld = entries.get(key) === old;
    if (isOld) entries.set(key, value);
    lock.unlock();
    return isOld;
  }

  containsKey(key: number): boolean {
    return this.partOf(key).entries.has(key);
  }

  private partOf(key: number): Part {
    return (key / 10) % 2 === 0 ? this.even : this.odd;
  }

  private lockAll(): void {
    this.even.lock.lock();
    this.odd.lock.lock();
  }

  private unlockAll(): void {
    this.odd.lock.unlock();
    this.even.lock.unlock();
  }
}
