/** A channel that counts its rendezvous: the number is drawn when the sender has its turn. */
import { News } from './news.js';

export class AsyncCounterChannel {
  protected readonly news: News = new News();
  protected stage: 'free' | 'offered' | 'taken' = 'free';
  protected count = 0;
  private value = 0;
  private number = 0;

  async send(value: number): Promise<number> {
    await this.turn();
    return this.synchronise(value, ++this.count);
  }

  async receive(): Promise<readonly [number, number]> {
    while (this.stage !== 'offered') await this.news.wait();
    this.stage = 'taken';
    this.news.notifyAll();
    return [this.value, this.number];
  }

  protected async turn(): Promise<void> {
    while (this.stage !== 'free') await this.news.wait();
    this.stage = 'taken';
  }

  protected async synchronise(value: number, number: number): Promise<number> {
    this.value = value;
    this.number = number;
    this.stage = 'offered';
    this.news.notifyAll();
    while (this.isOffered()) await this.news.wait();
    this.stage = 'free';
    this.news.notifyAll();
    return number;
  }

  private isOffered(): boolean {
    return this.stage === 'offered';
  }
}

/** The number is drawn before the turn: numbers and rendezvous may be in different orders. */
export class EarlyNumberChannel extends AsyncCounterChannel {
  override async send(value: number): Promise<number> {
    const number = ++this.count;
    await this.turn();
    return this.synchronise(value, number);
  }
}

/** The number is read when the sender leaves: another may have drawn one meanwhile. */
export class LateNumberChannel extends AsyncCounterChannel {
  override async send(value: number): Promise<number> {
    await super.send(value);
    return this.count;
  }
}

/** A flag instead of three stages. */
export class FlagCounterChannel {
  private readonly news = new News();
  private isFull = false;
  private value = 0;
  private count = 0;

  async send(value: number): Promise<number> {
    while (this.isFull) await this.news.wait();
    this.value = value;
    const number = ++this.count;
    this.isFull = true;
    this.news.notifyAll();
    while (this.isFull) await this.news.wait();
    return number;
  }

  async receive(): Promise<readonly [number, number]> {
    while (!this.isFull) await this.news.wait();
    this.isFull = false;
    this.news.notifyAll();
    return [this.value, this.count];
  }
}
