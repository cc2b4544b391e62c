/** A channel whose receivers say what they want: who comes looks for a partner among those who wait, or waits too. */
import { Monitor } from 'straightedge/explore';
import { FlagChannel, SyncChannel } from './channel.js';

interface Waiting {
  readonly ticket: number;
  readonly wanted: string;
  readonly value: number;
  readonly hasMet: boolean;
}

const fits = (value: number, wanted: string): boolean => wanted === (value % 2 === 0 ? 'even' : 'odd');

export class SyncFilterChannel {
  private readonly monitor = new Monitor();
  private tickets = 0;
  private senders: readonly Waiting[] = [];
  private receivers: readonly Waiting[] = [];

  protected fits(value: number, wanted: string): boolean {
    return fits(value, wanted);
  }

  send(value: number): void {
    this.monitor.enter();
    const partner = this.receivers.find(({ wanted, hasMet }) => !hasMet && this.fits(value, wanted));
    if (partner) {
      const met = { ...partner, value, hasMet: true };
      this.receivers = this.receivers.map((own) => (own.ticket === met.ticket ? met : own));
      this.monitor.notifyAll();
    } else {
      const ticket = this.tickets++;
      this.senders = [...this.senders, { ticket, wanted: '', value, hasMet: false }];
      while (!this.senders.some((own) => own.ticket === ticket && own.hasMet)) this.monitor.wait();
      this.senders = this.senders.filter((own) => own.ticket !== ticket);
    }
    this.monitor.exit();
  }

  receive(wanted: string): number {
    this.monitor.enter();
    const partner = this.senders.find((own) => !own.hasMet && this.fits(own.value, wanted));
    let met = partner;
    if (partner) {
      this.senders = this.senders.map((own) =>
        own.ticket === partner.ticket ? { ...own, hasMet: true } : own,
      );
      this.monitor.notifyAll();
    } else {
      const ticket = this.tickets++;
      this.receivers = [...this.receivers, { ticket, wanted, value: 0, hasMet: false }];
      for (; !met; met = this.receivers.find((own) => own.ticket === ticket && own.hasMet))
        this.monitor.wait();
      this.receivers = this.receivers.filter((own) => own.ticket !== ticket);
    }
    this.monitor.exit();
    return met?.value ?? 0;
  }
}

/** The receiver's filter is ignored. */
export class CarelessFilterChannel extends SyncFilterChannel {
  protected override fits(): boolean {
    return true;
  }
}

/** One slot for all: a value that no receiver accepts keeps other senders from offering theirs. */
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
