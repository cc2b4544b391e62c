/** Rendezvous of three: names are written in turn, by a, b and c, and then collected in turn; c starts the next round. */
import { Semaphore } from 'straightedge/explore';

export class SyncAbc {
  private readonly clear = [new Semaphore(1), new Semaphore(0), new Semaphore(0)];
  private readonly signal = [new Semaphore(0), new Semaphore(0), new Semaphore(0)];
  protected names: readonly number[] = [-1, -1, -1];

  a(me: number): readonly number[] {
    this.write(0, me);
    this.clear[1].release();
    this.signal[0].acquire();
    return this.collect(1, 2);
  }

  b(me: number): readonly number[] {
    this.write(1, me);
    this.clear[2].release();
    this.signal[1].acquire();
    const others = [this.names[0], this.names[2]];
    this.pass();
    return others;
  }

  c(me: number): readonly number[] {
    this.write(2, me);
    this.signal[0].release();
    this.signal[2].acquire();
    const others = [this.names[0], this.names[1]];
    this.clear[0].release();
    return others;
  }

  /** Of a: copies first, then lets b continue. */
  protected collect(one: number, two: number): readonly number[] {
    const others = [this.names[one], this.names[two]];
    this.letGo();
    return others;
  }

  protected letGo(): void {
    this.signal[1].release();
  }

  /** Of b: lets c continue. */
  protected pass(): void {
    this.signal[2].release();
  }

  private write(place: number, me: number): void {
    this.clear[place].acquire();
    this.names = this.names.with(place, me);
  }
}

/** a lets b continue before it has copied: a second round may overtake it. */
export class OvertakenAbc extends SyncAbc {
  protected override collect(one: number, two: number): readonly number[] {
    this.letGo();
    return [this.names[one], this.names[two]];
  }
}

/** b does not let c continue. */
export class ForgetfulAbc extends SyncAbc {
  protected override pass(): void {}
}
