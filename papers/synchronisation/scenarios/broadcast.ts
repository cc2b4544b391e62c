/** A send synchronises with `n` receives: when enough have come it writes, they read, and the last to leave opens the next round. */
import { Monitor } from 'straightedge/explore';

export class SyncBroadcast {
  protected readonly monitor: Monitor = new Monitor();
  protected readonly parties: number;
  protected count = 0;
  protected isLeaving = false;
  protected value = 0;

  constructor(parties: number) {
    this.parties = parties;
  }

  send(value: number): void {
    this.monitor.enter();
    this.waitForReceivers();
    this.value = value;
    this.isLeaving = true;
    this.monitor.notifyAll();
    this.monitor.exit();
  }

  receive(): number {
    this.monitor.enter();
    while (this.isLeaving || this.count === this.parties) this.monitor.wait();
    this.count++;
    this.wake();
    while (!this.isLeaving) this.monitor.wait();
    const { value } = this;
    if (--this.count === 0) {
      this.isLeaving = false;
      this.monitor.notifyAll();
    }
    this.monitor.exit();
    return value;
  }

  protected waitForReceivers(): void {
    while (this.isLeaving || this.count < this.parties) this.monitor.wait();
  }

  protected wake(): void {
    this.monitor.notifyAll();
  }
}

/** The sender does not look whether the last round has left. */
export class HastyBroadcast extends SyncBroadcast {
  protected override waitForReceivers(): void {
    while (this.count < this.parties) this.monitor.wait();
  }
}

/** A receiver that comes wakes one, who may be another receiver instead of the sender. */
export class OneWokenBroadcast extends SyncBroadcast {
  protected override wake(): void {
    this.monitor.notify();
  }
}
