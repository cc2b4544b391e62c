/** A queue that ends when it is empty and all its threads wait. */
import { Monitor } from 'straightedge/explore';

export class SyncTerminatingQueue {
  protected readonly monitor: Monitor = new Monitor();
  protected readonly parties: number;
  protected items: number[] = [];
  protected waiting = 0;
  protected isOver = false;

  constructor(parties: number) {
    this.parties = parties;
  }

  enqueue(value: number): void {
    this.monitor.enter();
    this.items = [...this.items, value];
    if (this.waiting > 0) this.wake();
    this.monitor.exit();
  }

  dequeue(): number | null {
    this.monitor.enter();
    if (this.waitOrEnd()) this.waiting--;
    const item = this.take();
    this.monitor.exit();
    return item;
  }

  /** Has it waited? */
  protected waitOrEnd(): boolean {
    if (this.items.length > 0 || this.isOver) return false;
    if (this.waiting === this.parties - 1) {
      this.isOver = true;
      this.monitor.notifyAll();
      return false;
    }
    this.waiting++;
    this.waitForItem();
    return true;
  }

  protected take(): number | null {
    if (this.isOver || this.items.length === 0) return null;
    const [item, ...rest] = this.items;
    this.items = rest;
    return item;
  }

  protected waitForItem(): void {
    while (this.items.length === 0 && !this.isOver) this.monitor.wait();
  }

  protected wake(): void {
    this.monitor.notify();
  }
}

/** A call that finds it empty returns. */
export class ImpatientQueue extends SyncTerminatingQueue {
  protected override waitOrEnd(): boolean {
    return false;
  }
}

/** No waiting call is woken for a new item. */
export class SilentQueue extends SyncTerminatingQueue {
  protected override wake(): void {}
}

/** `if` for `while`: the item may be gone when who was woken looks. */
export class TrustingQueue extends SyncTerminatingQueue {
  protected override waitForItem(): void {
    if (this.items.length === 0 && !this.isOver) this.monitor.wait();
  }
}

/** Who was woken gives the lock back before it is counted out: another may think that all wait. */
export class LateCountingQueue extends SyncTerminatingQueue {
  override dequeue(): number | null {
    this.monitor.enter();
    const hasWaited = this.waitOrEnd();
    const item = this.take();
    this.monitor.exit();
    if (hasWaited) this.countOut();
    return item;
  }

  private countOut(): void {
    this.monitor.enter();
    this.waiting--;
    this.monitor.exit();
  }
}
