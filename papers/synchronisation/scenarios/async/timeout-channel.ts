/** A channel whose callers give up after a time: who comes takes a partner from those who wait, or waits a while. */
import { News } from './news.js';

const TIMEOUT = 10;

interface Sender {
  readonly value: number;
  isTaken: boolean;
}
interface Receiver {
  value: number | null;
}

export class AsyncTimeoutChannel {
  private readonly news = new News();
  private readonly senders = new Set<Sender>();
  private readonly receivers = new Set<Receiver>();

  async send(value: number): Promise<boolean> {
    for (const receiver of this.receivers) {
      this.receivers.delete(receiver);
      receiver.value = value;
      return true;
    }
    const own = { value, isTaken: false };
    this.senders.add(own);
    await this.timeOut();
    this.senders.delete(own);
    return own.isTaken;
  }

  async receive(): Promise<number | null> {
    for (const sender of this.senders) {
      this.senders.delete(sender);
      sender.isTaken = true;
      return sender.value;
    }
    const own: Receiver = { value: null };
    this.receivers.add(own);
    await this.timeOut();
    this.receivers.delete(own);
    return own.value;
  }

  protected timeOut(): Promise<void> {
    return this.news.pause(TIMEOUT);
  }
}

/** A flag for all: another sender may have filled the slot again when the first one looks. */
export class FlagTimeoutChannel {
  private readonly news = new News();
  private isFull = false;
  private value = 0;

  async send(value: number): Promise<boolean> {
    if (this.isFull) await this.news.pause(TIMEOUT);
    if (this.isFull) return false;
    this.value = value;
    this.isFull = true;
    await this.news.pause(TIMEOUT);
    const isTaken = !this.isFull;
    this.isFull = false;
    return isTaken;
  }

  async receive(): Promise<number | null> {
    if (!this.isFull) await this.news.pause(TIMEOUT);
    if (!this.isFull) return null;
    this.isFull = false;
    return this.value;
  }
}

/** The time-out never starts. */
export class EndlessTimeoutChannel extends AsyncTimeoutChannel {
  protected override timeOut(): Promise<void> {
    return new Promise(() => {});
  }
}
