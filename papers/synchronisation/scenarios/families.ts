/**
 * Families whose members synchronise in pairs, each pair once: a call that arrives looks among the waiting ones for a
 * partner that it has not had, or waits too. In one family all may pair; in two, left with right.
 */
import { Monitor } from 'straightedge/explore';

interface Waiting {
  readonly me: string;
  /** Its partner; empty if it has none yet. */
  readonly other: string;
}

export class Families {
  /** Names begin with the letter of their family. */
  private readonly areTwo: boolean;
  protected readonly monitor: Monitor = new Monitor();
  private waiting: readonly Waiting[] = [];
  private paired: readonly string[] = [];
  /** The last caller, in a field that all threads share. */
  protected handOver = '';

  constructor(areTwo: boolean) {
    this.areTwo = areTwo;
  }

  synchronise(me: string): string {
    this.monitor.enter();
    const partner = this.partnerOf(me);
    if (partner !== undefined) this.join(me, partner);
    const other = partner ?? this.waitForPartner(me);
    this.monitor.exit();
    return other;
  }

  protected partnerOf(me: string): string | undefined {
    return this.waiting.find(
      (own) =>
        own.other === '' &&
        own.me !== me &&
        !(this.areTwo && own.me[0] === me[0]) &&
        !this.paired.includes(pairOf(me, own.me)),
    )?.me;
  }

  protected join(me: string, partner: string): void {
    this.waiting = this.waiting.map((own) => (own.me === partner ? { me: partner, other: me } : own));
    this.paired = [...this.paired, pairOf(me, partner)];
    this.handOver = me;
    this.monitor.notifyAll();
  }

  protected waitForPartner(me: string): string {
    this.waiting = [...this.waiting, { me, other: '' }];
    let other = '';
    while (other === '') {
      this.monitor.wait();
      other = this.waiting.find((own) => own.me === me)?.other ?? '';
    }
    this.waiting = this.waiting.filter((own) => own.me !== me);
    return other;
  }
}

/** A call that is woken releases the lock, and only then reads the last caller. */
export class LateReadingFamilies extends Families {
  override synchronise(me: string): string {
    this.monitor.enter();
    const partner = this.partnerOf(me);
    if (partner === undefined) this.waitForPartner(me);
    else this.join(me, partner);
    this.monitor.exit();
    return partner ?? this.handOver;
  }
}

/** Search and wait are two critical sections: two calls may both decide to wait. */
export class HastyFamilies extends Families {
  override synchronise(me: string): string {
    this.monitor.enter();
    const partner = this.partnerOf(me);
    if (partner !== undefined) this.join(me, partner);
    this.monitor.exit();
    if (partner !== undefined) return partner;
    this.monitor.enter();
    const other = this.waitForPartner(me);
    this.monitor.exit();
    return other;
  }
}

const pairOf = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);
