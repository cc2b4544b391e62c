/** A send synchronises with `n` receives: each round has receivers of its own. */
import { News } from './news.js';

export class AsyncBroadcast {
  private readonly parties: number;
  private readonly senders: { readonly value: number; readonly go: () => void }[] = [];
  private receivers: ((value: number) => void)[] = [];

  constructor(parties: number) {
    this.parties = parties;
  }

  send(value: number): Promise<void> {
    return new Promise((go) => {
      this.senders.push({ value, go });
      this.synchronise();
    });
  }

  receive(): Promise<number> {
    return new Promise((take) => {
      this.receivers.push(take);
      this.synchronise();
    });
  }

  private synchronise(): void {
    if (this.receivers.length < this.parties) return;
    const sender = this.senders.shift();
    if (!sender) return;
    for (const take of this.receivers.splice(0, this.parties)) take(sender.value);
    sender.go();
  }
}

/** The sender does not look whether the last round has left: the next one may write before the receivers have read. */
export class HastyBroadcast {
  protected readonly news: News = new News();
  private readonly parties: number;
  private count = 0;
  private isLeaving = false;
  private value = 0;

  constructor(parties: number) {
    this.parties = parties;
  }

  async send(value: number): Promise<void> {
    while (this.count < this.parties) await this.news.wait();
    this.value = value;
    this.isLeaving = true;
    this.news.notifyAll();
  }

  async receive(): Promise<number> {
    this.count++;
    this.wake();
    while (!this.isLeaving) await this.news.wait();
    if (--this.count === 0) this.isLeaving = false;
    return this.value;
  }

  protected wake(): void {
    this.news.notifyAll();
  }
}

/** A receiver that comes wakes one, who may be another receiver instead of the sender. */
export class OneWokenBroadcast extends HastyBroadcast {
  protected override wake(): void {
    this.news.notify();
  }
}
