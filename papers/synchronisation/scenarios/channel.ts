/** A channel without a buffer, as a monitor: a value is offered, then taken, and only then is there room for another. */
import { Monitor } from 'straightedge/explore';

export class SyncChannel {
  protected readonly monitor: Monitor = new Monitor();
  protected stage: 'free' | 'offered' | 'taken' = 'free';
  protected value = 0;

  send(value: number): void {
    this.monitor.enter();
    while (this.stage !== 'free') this.monitor.wait();
    this.value = value;
    this.stage = 'offered';
    this.monitor.notifyAll();
    while (this.stage === 'offered') this.monitor.wait();
    this.stage = 'free';
    this.tellOfRoom();
    this.monitor.exit();
  }

  receive(): number {
    this.monitor.enter();
    while (this.stage !== 'offered') this.monitor.wait();
    this.stage = 'taken';
    const { value } = this;
    this.monitor.notifyAll();
    this.monitor.exit();
    return value;
  }

  protected tellOfRoom(): void {
    this.monitor.notifyAll();
  }
}

/** The sender does not wait until its value is taken. */
export class HastyChannel extends SyncChannel {
  override send(value: number): void {
    this.monitor.enter();
    while (this.stage !== 'free') this.monitor.wait();
    this.value = value;
    this.stage = 'offered';
    this.monitor.notifyAll();
    this.monitor.exit();
  }

  override receive(): number {
    this.monitor.enter();
    while (this.stage !== 'offered') this.monitor.wait();
    this.stage = 'free';
    const { value } = this;
    this.monitor.notifyAll();
    this.monitor.exit();
    return value;
  }
}

/** Senders are not woken when there is room again. */
export class MuteChannel extends SyncChannel {
  protected override tellOfRoom(): void {}
}

/** A flag instead of three stages: another sender may fill the slot again before the first one looks. */
export class FlagChannel {
  protected readonly monitor: Monitor = new Monitor();
  protected isFull = false;
  protected value = 0;

  send(value: number): void {
    this.monitor.enter();
    while (this.isFull) this.monitor.wait();
    this.value = value;
    this.isFull = true;
    this.monitor.notifyAll();
    while (this.isFull) this.monitor.wait();
    this.monitor.exit();
  }

  receive(): number {
    this.monitor.enter();
    while (!this.isFull) this.monitor.wait();
    this.isFull = false;
    const { value } = this;
    this.monitor.notifyAll();
    this.monitor.exit();
    return value;
  }
}
