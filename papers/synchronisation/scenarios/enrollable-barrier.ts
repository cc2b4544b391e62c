/** A barrier whose parties come and go. */
import { Monitor } from 'straightedge/explore';

export class SyncEnrollableBarrier {
  protected readonly monitor: Monitor = new Monitor();
  protected enrolled = 0;
  private count = 0;
  protected isLeaving = false;

  enrol(_me: number): void {
    this.monitor.enter();
    while (this.isLeaving) this.monitor.wait();
    this.enrolled++;
    this.monitor.exit();
  }

  resign(_me: number): void {
    this.monitor.enter();
    while (this.isLeaving) this.monitor.wait();
    this.enrolled--;
    if (this.count > 0 && this.count === this.enrolled) this.leave();
    this.monitor.exit();
  }

  sync(_me: number): void {
    this.monitor.enter();
    this.comeIn();
    this.count++;
    if (this.count === this.enrolled) {
      this.isLeaving = true;
      this.monitor.notifyAll();
    } else while (!this.isLeaving) this.monitor.wait();
    if (--this.count === 0) {
      this.isLeaving = false;
      this.monitor.notifyAll();
    }
    this.monitor.exit();
  }

  protected comeIn(): void {
    while (this.isLeaving) this.monitor.wait();
  }

  /** Those who wait are all that are left. */
  protected leave(): void {
    this.isLeaving = true;
    this.monitor.notifyAll();
  }
}

/** Who comes again does not wait until the others have left. */
export class ReentrantEnrollableBarrier extends SyncEnrollableBarrier {
  protected override comeIn(): void {}
}

/** Who enrols while others leave is taken for one of them: its first rendezvous is over at once. */
export class EagerEnrollableBarrier extends SyncEnrollableBarrier {
  private newcomer = -1;

  override enrol(me: number): void {
    this.monitor.enter();
    if (this.isLeaving) this.newcomer = me;
    this.enrolled++;
    this.monitor.exit();
  }

  override sync(me: number): void {
    this.monitor.enter();
    const isTakenForOther = this.newcomer === me;
    if (isTakenForOther) this.newcomer = -1;
    this.monitor.exit();
    if (!isTakenForOther) super.sync(me);
  }
}

/** Who resigns forgets those who wait. */
export class ForgetfulEnrollableBarrier extends SyncEnrollableBarrier {
  protected override leave(): void {}
}
