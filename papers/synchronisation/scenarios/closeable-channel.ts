/** A channel that can be closed. A sender that wakes up looks first whether its value was taken. */
import { Monitor } from 'straightedge/explore';

class Closed extends Error {
  override readonly name = 'Closed';
}

export class SyncCloseableChannel {
  protected readonly monitor: Monitor = new Monitor();
  protected stage: 'free' | 'offered' | 'taken' = 'free';
  protected isClosed = false;
  private value = 0;

  send(value: number): void {
    this.monitor.enter();
    while (this.stage !== 'free' && !this.isClosed) this.monitor.wait();
    if (this.isClosed) this.end();
    this.value = value;
    this.stage = 'offered';
    this.monitor.notifyAll();
    while (this.stage === 'offered' && !this.isClosed) this.monitor.wait();
    const isTaken = this.wasTaken();
    this.stage = 'free';
    this.monitor.notifyAll();
    if (!isTaken) this.end();
    this.monitor.exit();
  }

  receive(): number {
    this.monitor.enter();
    while (this.stage !== 'offered' && !this.isClosed) this.monitor.wait();
    if (this.isClosed) this.end();
    this.stage = 'taken';
    const { value } = this;
    this.monitor.notifyAll();
    this.monitor.exit();
    return value;
  }

  close(): void {
    this.monitor.enter();
    this.isClosed = true;
    this.wake();
    this.monitor.exit();
  }

  protected wasTaken(): boolean {
    return this.stage === 'taken';
  }

  protected wake(): void {
    this.monitor.notifyAll();
  }

  private end(): never {
    this.monitor.exit();
    throw new Closed();
  }
}

/** The sender looks first whether it is closed. */
export class HastyCloseableChannel extends SyncCloseableChannel {
  protected override wasTaken(): boolean {
    return !this.isClosed;
  }
}

/** `close` wakes no waiting call. */
export class MuteCloseableChannel extends SyncCloseableChannel {
  protected override wake(): void {}
}

/** Who closes wakes only one. */
export class OneWokenCloseableChannel extends SyncCloseableChannel {
  protected override wake(): void {
    this.monitor.notify();
  }
}
