/** A barrier for two parties that can be used again. The last one to arrive is the leader. */
import { type Scenario, scenario } from 'straightedge';

class Barrier {
  protected waiting: (() => void)[] = [];

  protected readonly parties: number;

  constructor(parties: number) {
    this.parties = parties;
  }

  async arrive(): Promise<string> {
    if (this.waiting.length + 1 === this.parties) {
      this.open();
      return 'leader';
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return 'follower';
  }

  protected open(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Fault: the number of parties is compared before an await. */
class GapBarrier extends Barrier {
  override async arrive(): Promise<string> {
    const isLast = this.waiting.length + 1 === this.parties;
    await Promise.resolve();
    if (isLast) {
      this.open();
      return 'leader';
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return 'follower';
  }
}

/** Fault: parties of the next round come before the count is reset. */
class CountingBarrier extends Barrier {
  private count = 0;

  override async arrive(): Promise<string> {
    if (++this.count >= this.parties) {
      this.open();
      await Promise.resolve();
      this.count = 0;
      return 'leader';
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return 'follower';
  }
}

const using = (create: () => Barrier): Scenario =>
  scenario({ create, calls: [['arrive']], threads: 3, callsPerThread: 2 });

export const correct: Scenario = using(() => new Barrier(2));
export const missedParty: Scenario = using(() => new GapBarrier(2));
export const lateReset: Scenario = using(() => new CountingBarrier(2));
