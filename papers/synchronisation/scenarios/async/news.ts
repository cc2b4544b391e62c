/**
 * A condition to wait for, for asynchronous objects: what `Monitor` is for threads.
 *
 * Between two awaits no other call runs, so there is no lock. A woken call continues a little later, and others may
 * come first: so it checks again.
 */
export class News {
  private waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  notify(): void {
    this.waiting.shift()?.();
  }

  notifyAll(): void {
    const all = this.waiting;
    this.waiting = [];
    for (const wake of all) wake();
  }

  /** Waits for a time: a timer may come late, so this ends at any moment from then on. */
  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
}
