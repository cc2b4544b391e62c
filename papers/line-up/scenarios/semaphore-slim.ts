/**
 * A semaphore: permits that are taken by waiting and given back by releasing.
 *
 * The count changes only under the monitor. Who only looks reads it without: it is one field.
 */
import { Monitor } from 'straightedge/explore';

export class SemaphoreSlim {
  private readonly monitor = new Monitor();
  private count: number;

  constructor(count: number) {
    this.count = count;
  }

  currentCount(): number {
    return this.count;
  }

  /** Gives the count before. */
  release(permits = 1): number {
    this.monitor.enter();
    const before = this.count;
    this.count = before + permits;
    this.monitor.notifyAll();
    this.monitor.exit();
    return before;
  }

  wait(): void {
    this.monitor.enter();
    while (this.count === 0) this.monitor.wait();
    this.count--;
    this.monitor.exit();
  }

  /** Wait(0): returns whether it got a permit, without waiting. */
  tryWait(): boolean {
    if (this.count === 0) return false;
    this.monitor.enter();
    const isFree = this.count > 0;
    if (isFree) this.count--;
    this.monitor.exit();
    return isFree;
  }
}
