/** A barrier that adds up the values of its parties; no call enters before all have read the sum. */
import { Monitor } from 'straightedge/explore';

export class SyncCombiningBarrier {
  protected readonly monitor: Monitor = new Monitor();
  protected readonly parties: number;
  protected count = 0;
  protected sum = 0;
  protected isLeaving = false;

  constructor(parties: number) {
    this.parties = parties;
  }

  sync(_me: number, value: number): number {
    this.monitor.enter();
    this.comeIn();
    if (this.count === 0) this.sum = 0;
    this.sum += value;
    if (++this.count === this.parties) {
      this.isLeaving = true;
      this.wake();
    } else while (!this.isLeaving) this.monitor.wait();
    const { sum } = this;
    if (--this.count === 0) {
      this.isLeaving = false;
      this.monitor.notifyAll();
    }
    this.monitor.exit();
    return sum;
  }

  protected comeIn(): void {
    while (this.isLeaving) this.monitor.wait();
  }

  protected wake(): void {
    this.monitor.notifyAll();
  }
}

/** Who comes again does not wait until the others have read. */
export class ReentrantCombiningBarrier extends SyncCombiningBarrier {
  protected override comeIn(): void {}
}

/** The last one wakes only one of the others. */
export class OneWokenCombiningBarrier extends SyncCombiningBarrier {
  protected override wake(): void {
    this.monitor.notify();
  }
}
