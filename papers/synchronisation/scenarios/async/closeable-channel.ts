/** A channel that can be closed. A sender that wakes up looks first whether its value was taken. */
import { News } from './news.js';

class Closed extends Error {
  override readonly name = 'Closed';
}

export class AsyncCloseableChannel {
  protected readonly news: News = new News();
  protected stage: 'free' | 'offered' | 'taken' = 'free';
  protected isClosed = false;
  private value = 0;

  async send(value: number): Promise<void> {
    while (this.stage !== 'free' && !this.isClosed) await this.news.wait();
    this.checkOpen();
    this.value = value;
    this.stage = 'offered';
    this.news.notifyAll();
    while (this.stage === 'offered' && !this.isClosed) await this.news.wait();
    const isTaken = this.wasTaken();
    this.stage = 'free';
    this.news.notifyAll();
    if (!isTaken) throw new Closed();
  }

  async receive(): Promise<number> {
    while (this.stage !== 'offered' && !this.isClosed) await this.news.wait();
    this.checkOpen();
    this.stage = 'taken';
    this.news.notifyAll();
    return this.value;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.wake();
  }

  private checkOpen(): void {
    if (this.isClosed) throw new Closed();
  }

  protected wasTaken(): boolean {
    return this.stage === 'taken';
  }

  protected wake(): void {
    this.news.notifyAll();
  }
}

/** The sender looks first whether it is closed. */
export class HastyCloseableChannel extends AsyncCloseableChannel {
  protected override wasTaken(): boolean {
    return !this.isClosed;
  }
}

/** `close` wakes no waiting call. */
export class MuteCloseableChannel extends AsyncCloseableChannel {
  protected override wake(): void {}
}

/** Who closes wakes only one. */
export class OneWokenCloseableChannel extends AsyncCloseableChannel {
  protected override wake(): void {
    this.news.notify();
  }
}
