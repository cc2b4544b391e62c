/** A channel that counts its rendezvous: the number is drawn when the sender has its turn. */
import { Monitor } from 'straightedge/explore';

export class SyncCounterChannel {
  protected readonly monitor: Monitor = new Monitor();
  protected stage: 'free' | 'offered' | 'taken' = 'free';
  protected value = 0;
  protected number = 0;
  protected count = 0;

  send(value: number): number {
    this.monitor.enter();
    while (this.stage !== 'free') this.monitor.wait();
    const number = ++this.count;
    this.synchronise(value, number);
    this.monitor.exit();
    return number;
  }

  receive(): readonly [number, number] {
    this.monitor.enter();
    while (this.stage !== 'offered') this.monitor.wait();
    this.stage = 'taken';
    const { value, number } = this;
    this.monitor.notifyAll();
    this.monitor.exit();
    return [value, number];
  }

  protected synchronise(value: number, number: number): void {
    this.value = value;
    this.number = number;
    this.stage = 'offered';
    this.monitor.notifyAll();
    while (this.stage === 'offered') this.monitor.wait();
    this.stage = 'free';
    this.monitor.notifyAll();
  }
}

/** The number is drawn before the turn: numbers and rendezvous may be in different orders. */
export class EarlyNumberChannel extends SyncCounterChannel {
  override send(value: number): number {
    this.monitor.enter();
    const number = ++this.count;
    while (this.stage !== 'free') this.monitor.wait();
    this.synchronise(value, number);
    this.monitor.exit();
    return number;
  }
}

/** The number is read when the sender leaves: another may have drawn one meanwhile. */
export class LateNumberChannel extends SyncCounterChannel {
  override send(value: number): number {
    super.send(value);
    return this.count;
  }
}

/** A flag instead of three stages. */
export class FlagCounterChannel {
  private readonly monitor = new Monitor();
  private isFull = false;
  private value = 0;
  private count = 0;

  send(value: number): number {
    this.monitor.enter();
    while (this.isFull) this.monitor.wait();
    this.value = value;
    const number = ++this.count;
    this.isFull = true;
    this.monitor.notifyAll();
    while (this.isFull) this.monitor.wait();
    this.monitor.exit();
    return number;
  }

  receive(): readonly [number, number] {
    this.monitor.enter();
    while (!this.isFull) this.monitor.wait();
    this.isFull = false;
    const { value, count } = this;
    this.monitor.notifyAll();
    this.monitor.exit();
    return [value, count];
  }
}
