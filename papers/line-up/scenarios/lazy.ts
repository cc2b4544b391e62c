/**
 * A value that is created at its first use.
 *
 * Double-checked locking: a thread that finds no value takes the lock, checks again, and creates it. The value is
 * stored before the flag is set, so that no thread sees the flag without the value.
 */
import { Mutex } from 'straightedge/explore';

export class Lazy<T> {
  private readonly lock = new Mutex();
  private readonly make: () => T;
  private isMade = false;
  private made: T | undefined;

  constructor(make: () => T) {
    this.make = make;
  }

  value(): T {
    if (!this.isMade) {
      this.lock.lock();
      if (!this.isMade) {
        this.made = this.make();
        this.isMade = true;
      }
      this.lock.unlock();
    }
    return this.made as T;
  }

  isValueCreated(): boolean {
    return this.isMade;
  }

  toString(): string {
    return this.isMade ? String(this.made) : 'not created';
  }
}
