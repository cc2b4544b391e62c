/**
 * A value that is made when it is first asked for.
 *
 * Double-checked locking: whoever finds it missing takes the lock, looks again, and makes it. It is stored
 * before the flag is set, so that nobody sees the flag without the value.
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
