/**
 * Families whose members meet in pairs, each pair once: who comes looks among those who wait for one
 * whom it has not met, or waits too. In one family all may meet; in two, left and right.
 */
import { Monitor } from 'straightedge';

interface Waiting {
  readonly me: string;
  other: string;
}

export class Families {
  /** Names begin with the letter of their family. */
  private readonly areTwo: boolean;
  protected readonly monitor: Monitor = new Monitor();
  protected waiting: Waiting[] = [];
  protected met: string[] = [];
  /** For those who pass on a name where all can see it. */
  protected handOver = '';

  constructor(areTwo: boolean) {
    this.areTwo = areTwo;
  }

  meet(me: string): string {
    this.monitor.enter();
    const partner = this.partnerOf(me);
    const own = partner ?? { me, other: '' };
    if (partner) this.join(me, partner);
    else this.waitForPartner(own);
    const other = partner ? partner.me : own.other;
    this.monitor.exit();
    return other;
  }

  protected partnerOf(me: string): Waiting | undefined {
    return this.waiting.find(
      (own) =>
        own.me !== me && !(this.areTwo && own.me[0] === me[0]) && !this.met.includes(pairOf(me, own.me)),
    );
  }

  protected join(me: string, partner: Waiting): void {
    this.waiting = this.waiting.filter((own) => own !== partner);
    this.met.push(pairOf(me, partner.me));
    partner.other = me;
    this.handOver = me;
    this.monitor.notifyAll();
  }

  protected waitForPartner(own: Waiting): void {
    this.waiting.push(own);
    while (own.other === '') this.monitor.wait();
  }
}

/** Who is woken gives the lock back, and only then reads who woke it. */
export class LateReadingFamilies extends Families {
  override meet(me: string): string {
    this.monitor.enter();
    const partner = this.partnerOf(me);
    if (partner) {
      this.join(me, partner);
      this.monitor.exit();
      return partner.me;
    }
    this.waitForPartner({ me, other: '' });
    this.monitor.exit();
    return this.handOver;
  }
}

/** To look and to wait are two sections: two may both decide to wait. */
export class HastyFamilies extends Families {
  override meet(me: string): string {
    this.monitor.enter();
    const partner = this.partnerOf(me);
    if (partner) this.join(me, partner);
    this.monitor.exit();
    if (partner) return partner.me;
    this.monitor.enter();
    const own = { me, other: '' };
    this.waitForPartner(own);
    this.monitor.exit();
    return own.other;
  }
}

const pairOf = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);
