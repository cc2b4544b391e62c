/** A dance: he writes his name, she hers, and then he goes with hers. */
import { Monitor, Semaphore } from 'straightedge/explore';

export class Dance {
  protected readonly monitor: Monitor = new Monitor();
  private stage = 'empty';
  private him = -1;
  private her = -1;

  man(me: number): number {
    this.monitor.enter();
    while (this.stage !== 'empty') this.monitor.wait();
    this.him = me;
    this.stage = 'man';
    this.wake();
    while (this.stage !== 'both') this.monitor.wait();
    const { her } = this;
    this.stage = 'empty';
    this.wake();
    this.monitor.exit();
    return her;
  }

  woman(me: number): number {
    this.monitor.enter();
    while (this.stage !== 'man') this.monitor.wait();
    this.her = me;
    this.stage = 'both';
    const { him } = this;
    this.wake();
    this.monitor.exit();
    return him;
  }

  protected wake(): void {
    this.monitor.notifyAll();
  }
}

/** One is woken, who may be the wrong one. */
export class OneWokenDance extends Dance {
  protected override wake(): void {
    this.monitor.notify();
  }
}

/** Two slots that are filled and emptied apart: a third may take the answer. */
export class TwoSlotDance {
  private readonly monitor = new Monitor();
  private him = -1;
  private her = -1;

  man(me: number): number {
    this.monitor.enter();
    while (this.him >= 0) this.monitor.wait();
    this.him = me;
    this.monitor.notifyAll();
    while (this.her < 0) this.monitor.wait();
    const { her } = this;
    this.her = -1;
    this.monitor.notifyAll();
    this.monitor.exit();
    return her;
  }

  woman(me: number): number {
    this.monitor.enter();
    while (this.her >= 0) this.monitor.wait();
    this.her = me;
    this.monitor.notifyAll();
    while (this.him < 0) this.monitor.wait();
    const { him } = this;
    this.him = -1;
    this.monitor.notifyAll();
    this.monitor.exit();
    return him;
  }
}

/** Each lets the next of the other side in: who comes then may take the signal that was meant for another. */
export class CrossedDance {
  private readonly manMayCome = new Semaphore(1);
  private readonly womanMayCome = new Semaphore(1);
  private readonly manIsHere = new Semaphore(0);
  private readonly womanIsHere = new Semaphore(0);
  private him = -1;
  private her = -1;

  man(me: number): number {
    this.manMayCome.acquire();
    this.him = me;
    this.manIsHere.release();
    this.womanIsHere.acquire();
    const { her } = this;
    this.womanMayCome.release();
    return her;
  }

  woman(me: number): number {
    this.womanMayCome.acquire();
    this.her = me;
    this.womanIsHere.release();
    this.manIsHere.acquire();
    const { him } = this;
    this.manMayCome.release();
    return him;
  }
}
