/** An exchanger: the first leaves its value and waits; the second swaps; no other call enters before the first has read. */
import { Monitor } from 'straightedge/explore';

export class SyncExchanger {
  private readonly monitor = new Monitor();
  private stage: 'empty' | 'one' | 'two' = 'empty';
  private first = 0;
  private second = 0;

  exchange(value: number): number {
    this.monitor.enter();
    while (this.stage === 'two') this.monitor.wait();
    let other: number;
    if (this.stage === 'empty') {
      this.first = value;
      this.stage = 'one';
      while (this.stage === 'one') this.monitor.wait();
      other = this.second;
      this.stage = 'empty';
    } else {
      other = this.first;
      this.second = value;
      this.stage = 'two';
    }
    this.monitor.notifyAll();
    this.monitor.exit();
    return other;
  }
}

/** The second opens it again at once: a newcomer may come before the first has read. */
export class EarlyExchanger {
  private readonly monitor = new Monitor();
  private isWaiting = false;
  private slot = 0;

  exchange(value: number): number {
    this.monitor.enter();
    let other: number;
    if (!this.isWaiting) {
      this.slot = value;
      this.isWaiting = true;
      while (this.isWaiting) this.monitor.wait();
      other = this.slot;
    } else {
      other = this.slot;
      this.slot = value;
      this.isWaiting = false;
      this.monitor.notifyAll();
    }
    this.monitor.exit();
    return other;
  }
}
