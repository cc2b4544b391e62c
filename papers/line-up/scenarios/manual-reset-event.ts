/**
 * An event that is set and reset by hand; waiting threads continue when it is set.
 *
 * One word holds whether it is set, and the number of waiters. A waiter adds itself to the word while it
 * holds the monitor, so that no thread can wake it before it sleeps. When it is woken it checks again.
 */
import { AtomicRef, Monitor } from 'straightedge/explore';

const SET = 1;
const WAITER = 2;

export class ManualResetEvent {
  protected readonly state: AtomicRef<number> = new AtomicRef(0);
  private readonly monitor = new Monitor();

  set(): void {
    let old = this.state.get();
    for (; !(old & SET); old = this.state.get())
      if (this.state.compareAndSet(old, SET)) {
        if (old >= WAITER) this.wakeAll();
        return;
      }
  }

  reset(): void {
    for (;;) {
      const old = this.state.get();
      if (!(old & SET) || this.state.compareAndSet(old, old - SET)) return;
    }
  }

  isSet(): boolean {
    return (this.state.get() & SET) !== 0;
  }

  wait(): void {
    this.monitor.enter();
    for (;;) {
      const old = this.state.get();
      if (old & SET) break;
      if (this.state.compareAndSet(old, this.withWaiter(old))) this.monitor.wait();
    }
    this.monitor.exit();
  }

  waitOne(): boolean {
    this.wait();
    return true;
  }

  /** The word with one that waits more, where it is `old`. */
  protected withWaiter(old: number): number {
    return old + WAITER;
  }

  private wakeAll(): void {
    this.monitor.enter();
    this.monitor.notifyAll();
    this.monitor.exit();
  }
}
