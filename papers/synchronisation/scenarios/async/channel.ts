/** A channel without a buffer: a value is offered, then taken, and only then is there room for another. */
import { News } from './news.js';

export class AsyncChannel {
  protected readonly news: News = new News();
  protected stage: 'free' | 'offered' | 'taken' = 'free';
  protected value = 0;

  async send(value: number): Promise<void> {
    while (this.stage !== 'free') await this.news.wait();
    this.value = value;
    this.stage = 'offered';
    this.news.notifyAll();
    while (this.isOffered()) await this.news.wait();
    this.stage = 'free';
    this.tellOfRoom();
  }

  async receive(): Promise<number> {
    while (!this.isOffered()) await this.news.wait();
    this.stage = 'taken';
    this.news.notifyAll();
    return this.value;
  }

  protected tellOfRoom(): void {
    this.news.notifyAll();
  }

  protected isOffered(): boolean {
    return this.stage === 'offered';
  }
}

/** The sender does not wait until its value is taken. */
export class HastyChannel extends AsyncChannel {
  override async send(value: number): Promise<void> {
    while (this.stage !== 'free') await this.news.wait();
    this.value = value;
    this.stage = 'offered';
    this.news.notifyAll();
  }

  override async receive(): Promise<number> {
    const value = await super.receive();
    this.stage = 'free';
    this.news.notifyAll();
    return value;
  }
}

/** Senders are not woken when there is room again. */
export class MuteChannel extends AsyncChannel {
  protected override tellOfRoom(): void {}
}

/** A flag instead of three stages: another sender may fill the slot again before the first one looks. */
export class FlagChannel {
  protected readonly news: News = new News();
  protected isFull = false;
  protected value = 0;

  async send(value: number): Promise<void> {
    while (this.isFull) await this.news.wait();
    this.value = value;
    this.isFull = true;
    this.news.notifyAll();
    while (this.isFull) await this.news.wait();
  }

  async receive(): Promise<number> {
    while (!this.isFull) await this.news.wait();
    this.isFull = false;
    this.news.notifyAll();
    return this.value;
  }
}
