/**
 * A channel whose callers may give up.
 *
 * Waiting for a time means to let other threads run for a while and to check again: a time-out may come at any moment.
 */
import { Monitor } from 'straightedge/explore';

export class SyncTimeoutChannel {
  protected readonly monitor: Monitor = new Monitor();
  private stage: 'free' | 'offered' | 'taken' = 'free';
  private value = 0;

  send(value: number): boolean {
    this.monitor.enter();
    if (this.stage !== 'free') this.pause();
    const hasTurn = this.stage === 'free';
    let isTaken = false;
    if (hasTurn) {
      this.value = value;
      this.stage = 'offered';
      this.pause();
      isTaken = this.stage !== 'offered';
      this.stage = 'free';
    }
    this.monitor.exit();
    return isTaken;
  }

  receive(): number | null {
    this.monitor.enter();
    if (this.stage !== 'offered') this.pause();
    const isOffered = this.stage === 'offered';
    const { value } = this;
    if (isOffered) this.stage = 'taken';
    this.monitor.exit();
    return isOffered ? value : null;
  }

  protected pause(): void {
    this.monitor.exit();
    this.monitor.enter();
  }
}

/** The time-out never starts. */
export class EndlessTimeoutChannel extends SyncTimeoutChannel {
  protected override pause(): void {
    this.monitor.wait();
  }
}

/** A flag instead of stages: another sender may have filled the slot again when the first one looks. */
export class FlagTimeoutChannel {
  private readonly monitor = new Monitor();
  private isFull = false;
  private value = 0;

  send(value: number): boolean {
    this.monitor.enter();
    if (this.isFull) this.pause();
    const hasTurn = !this.isFull;
    let isTaken = false;
    if (hasTurn) {
      this.value = value;
      this.isFull = true;
      this.pause();
      isTaken = !this.isFull;
      this.isFull = false;
    }
    this.monitor.exit();
    return isTaken;
  }

  receive(): number | null {
    this.monitor.enter();
    if (!this.isFull) this.pause();
    const { isFull, value } = this;
    this.isFull = false;
    this.monitor.exit();
    return isFull ? value : null;
  }

  private pause(): void {
    this.monitor.exit();
    this.monitor.enter();
  }
}
