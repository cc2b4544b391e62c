/** A channel whose receivers say what they want: who comes takes a partner from those who wait, or waits too. */
import { FlagChannel } from './channel.js';
import { News } from './news.js';

interface Sender {
  readonly value: number;
  readonly go: () => void;
}
interface Receiver {
  readonly wanted: string;
  readonly take: (value: number) => void;
}

const fits = (value: number, wanted: string): boolean => wanted === (value % 2 === 0 ? 'even' : 'odd');

export class AsyncFilterChannel {
  private senders: Sender[] = [];
  private receivers: Receiver[] = [];

  async send(value: number): Promise<void> {
    const partner = this.receivers.find(({ wanted }) => this.fits(value, wanted));
    if (!partner) return new Promise((go) => this.senders.push({ value, go }));
    this.receivers = this.receivers.filter((other) => other !== partner);
    partner.take(value);
  }

  async receive(wanted: string): Promise<number> {
    const partner = this.senders.find(({ value }) => this.fits(value, wanted));
    if (!partner) return new Promise((take) => this.receivers.push({ wanted, take }));
    this.senders = this.senders.filter((other) => other !== partner);
    partner.go();
    return partner.value;
  }

  protected fits(value: number, wanted: string): boolean {
    return fits(value, wanted);
  }
}

/** The receiver's filter is ignored. */
export class CarelessFilterChannel extends AsyncFilterChannel {
  protected override fits(): boolean {
    return true;
  }
}

/** One slot for all: a value that no receiver accepts keeps other senders from offering theirs. */
export class OneSlotFilterChannel {
  private readonly news = new News();
  private slot: { readonly value: number } | undefined;

  async send(value: number): Promise<void> {
    while (this.slot) await this.news.wait();
    const own = { value };
    this.slot = own;
    this.news.notifyAll();
    while (this.slot === own) await this.news.wait();
  }

  async receive(wanted: string): Promise<number> {
    while (!this.slot || !fits(this.slot.value, wanted)) await this.news.wait();
    const { value } = this.slot;
    this.slot = undefined;
    this.news.notifyAll();
    return value;
  }
}

/** A flag instead of three stages: another sender may fill the slot again before the first one looks. */
export class FlagFilterChannel extends FlagChannel {
  override async receive(wanted = ''): Promise<number> {
    while (!this.isFull || !fits(this.value, wanted)) await this.news.wait();
    this.isFull = false;
    this.news.notifyAll();
    return this.value;
  }
}
