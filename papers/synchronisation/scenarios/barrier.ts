/** A barrier: the last call to arrive lets all leave, and no call enters before all have left. */
import { Monitor } from 'straightedge/explore';

export class SyncBarrier {
  protected readonly monitor: Monitor = new Monitor();
  protected readonly parties: number;
  protected count = 0;
  protected isLeaving = false;

  constructor(parties: number) {
    this.parties = parties;
  }

  sync(_me: number): void {
    this.monitor.enter();
    while (this.isLeaving) this.monitor.wait();
    this.synchronise();
    this.monitor.exit();
  }

  protected synchronise(): void {
    this.count++;
    if (this.count === this.parties) {
      this.isLeaving = true;
      this.monitor.notifyAll();
    } else this.waitForOthers();
    if (--this.count > 0) return;
    this.isLeaving = false;
    this.monitor.notifyAll();
  }

  protected waitForOthers(): void {
    while (!this.isLeaving) this.monitor.wait();
  }
}

/** No call waits. */
export class OpenBarrier extends SyncBarrier {
  override sync(_me: number): void {}
}

/** Who comes again does not wait until the others have left. */
export class ReentrantBarrier extends SyncBarrier {
  override sync(_me: number): void {
    this.monitor.enter();
    this.synchronise();
    this.monitor.exit();
  }
}

/** Who leaves is not counted: later ones pass alone. */
export class CountlessBarrier extends SyncBarrier {
  protected override synchronise(): void {
    if (++this.count >= this.parties) this.monitor.notifyAll();
    else while (this.count < this.parties) this.monitor.wait();
  }
}

/** `if` for `while`: who wakes up for no reason leaves. */
export class TrustingBarrier extends SyncBarrier {
  protected override waitForOthers(): void {
    if (!this.isLeaving) this.monitor.wait();
  }
}
