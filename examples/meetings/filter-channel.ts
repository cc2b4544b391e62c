/** A channel whose receivers say what they want: who comes looks for a partner among those who wait, or waits too. */
import { Monitor } from 'straightedge';
import { FlagChannel, SyncChannel } from './channel.js';

interface Waiting {
  readonly wanted: string;
  value: number;
  hasMet: boolean;
}

const fits = (value: number, wanted: string): boolean => wanted === (value % 2 === 0 ? 'even' : 'odd');

export class SyncFilterChannel {
  private readonly monitor = new Monitor();
  private senders: Waiting[] = [];
  private receivers: Waiting[] = [];

  protected fits(value: number, wanted: string): boolean {
    return fits(value, wanted);
  }

  send(value: number): void {
    this.monitor.enter();
    const partner = this.receivers.find(({ wanted }) => this.fits(value, wanted));
    if (partner) {
      this.receivers = this.receivers.filter((other) => other !== partner);
      partner.value = value;
      partner.hasMet = true;
      this.monitor.notifyAll();
    } else this.waitAmong(this.senders, { wanted: '', value, hasMet: false });
    this.monitor.exit();
  }

  receive(wanted: string): number {
    this.monitor.enter();
    const partner = this.senders.find(({ value }) => this.fits(value, wanted));
    const own = partner ?? { wanted, value: 0, hasMet: false };
    if (partner) {
      this.senders = this.senders.filter((other) => other !== partner);
      partner.hasMet = true;
      this.monitor.notifyAll();
    } else this.waitAmong(this.receivers, own);
    this.monitor.exit();
    return own.value;
  }

  private waitAmong(list: Waiting[], own: Waiting): void {
    list.push(own);
    while (!own.hasMet) this.monitor.wait();
  }
}

/** Nobody asks what the receiver wants. */
export class CarelessFilterChannel extends SyncFilterChannel {
  protected override fits(): boolean {
    return true;
  }
}

/** One slot for all: a value that nobody wants keeps other senders from offering theirs. */
export class OneSlotFilterChannel extends SyncChannel {
  override receive(wanted = ''): number {
    this.monitor.enter();
    while (this.stage !== 'offered' || !fits(this.value, wanted)) this.monitor.wait();
    this.stage = 'taken';
    const { value } = this;
    this.monitor.notifyAll();
    this.monitor.exit();
    return value;
  }
}

/** A flag instead of three stages: another sender may fill the slot again before the first one looks. */
export class FlagFilterChannel extends FlagChannel {
  override receive(wanted = ''): number {
    this.monitor.enter();
    while (!this.isFull || !fits(this.value, wanted)) this.monitor.wait();
    this.isFull = false;
    const { value } = this;
    this.monitor.notifyAll();
    this.monitor.exit();
    return value;
  }
}
