/** A queue that ends when it is empty and all its threads wait. */
import { Monitor } from 'straightedge';

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
    this.items.push(value);
    if (this.waiting > 0) this.wake();
    this.monitor.exit();
  }

  dequeue(): number | null {
    this.monitor.enter();
    if (this.items.length === 0 && !this.isOver) this.waitOrEnd();
    const item = this.isOver || this.items.length === 0 ? null : this.items[0];
    if (item !== null) this.items = this.items.slice(1);
    this.monitor.exit();
    return item;
  }

  protected waitOrEnd(): void {
    if (this.waiting === this.parties - 1) {
      this.isOver = true;
      this.monitor.notifyAll();
      return;
    }
    this.waiting++;
    this.waitForItem();
    this.waiting--;
  }

  protected waitForItem(): void {
    while (this.items.length === 0 && !this.isOver) this.monitor.wait();
  }

  protected wake(): void {
    this.monitor.notify();
  }
}

/** Whoever finds it empty goes. */
export class ImpatientQueue extends SyncTerminatingQueue {
  protected override waitOrEnd(): void {}
}

/** Nobody is told of an item. */
export class SilentQueue extends SyncTerminatingQueue {
  protected override wake(): void {}
}

/** `if` for `while`: the item may be gone when who was woken looks. */
export class TrustingQueue extends SyncTerminatingQueue {
  protected override waitForItem(): void {
    if (this.items.length === 0 && !this.isOver) this.monitor.wait();
  }
}
