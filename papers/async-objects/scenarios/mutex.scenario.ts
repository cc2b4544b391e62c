/** A mutex with a list of waiters. */
import { type Scenario, scenario } from 'straightedge';

class Mutex {
  protected locked = false;
  protected readonly waiters: (() => void)[] = [];

  async lock(): Promise<void> {
    if (!this.locked) this.locked = true;
    else await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  unlock(): void {
    const next = this.waiters.shift();
    // the lock goes to the next waiter
    if (next) next();
    else this.locked = false;
  }
}

/** Fault: the lock is free until the waiter continues. */
class BargingMutex extends Mutex {
  override async lock(): Promise<void> {
    if (this.locked) await new Promise<void>((resolve) => this.waiters.push(resolve));
    this.locked = true;
  }

  override unlock(): void {
    this.locked = false;
    this.waiters.shift()?.();
  }
}

/** Fault: the lock may be released between the test and the registration. */
class LateMutex extends Mutex {
  override async lock(): Promise<void> {
    if (!this.locked) {
      this.locked = true;
      return;
    }
    await this.log('waiting for the lock');
    await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  private async log(_text: string): Promise<void> {}
}

const using = (create: () => Mutex): Scenario =>
  scenario({ create, calls: [[['lock'], ['unlock']]], threads: 3, callsPerThread: 1 });

export const correct: Scenario = using(() => new Mutex());
export const barging: Scenario = using(() => new BargingMutex());
export const lateRegistration: Scenario = using(() => new LateMutex());
