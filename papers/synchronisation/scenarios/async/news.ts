/**
 * A place to wait for news, for asynchronous objects: what `Monitor` is for threads.
 *
 * Between two awaits nobody else runs, so there is no lock. Who is woken goes on a little later, and others may
 * come first: so look again.
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
