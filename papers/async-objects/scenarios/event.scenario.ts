/** An event that resets itself: each `set` ends one `wait`, also one that comes later. */
import { type Scenario, scenario } from 'straightedge';

class AutoResetEvent {
  protected signalled = false;
  protected readonly waiters: (() => void)[] = [];

  async wait(): Promise<void> {
    if (this.signalled) this.signalled = false;
    else await this.register();
  }

  async set(): Promise<void> {
    const next = this.waiters.shift();
    if (next) next();
    else this.signalled = true;
  }

  protected register(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }
}

/** Fault: a `set` between the test and the registration is not seen. */
class DeafEvent extends AutoResetEvent {
  override async wait(): Promise<void> {
    if (this.signalled) {
      this.signalled = false;
      return;
    }
    await Promise.resolve();
    await this.register();
  }
}

/** Fault: the waiter resets the event when it continues, so another call may use the same `set`. */
class LateResetEvent extends AutoResetEvent {
  override async wait(): Promise<void> {
    if (!this.signalled) await this.register();
    this.signalled = false;
  }

  override async set(): Promise<void> {
    this.signalled = true;
    this.waiters.shift()?.();
  }
}

const using = (create: () => AutoResetEvent): Scenario =>
  scenario({ create, calls: [['wait'], ['set']], threads: 3, callsPerThread: 1 });

export const correct: Scenario = using(() => new AutoResetEvent());
export const missedSet: Scenario = using(() => new DeafEvent());
export const usedTwice: Scenario = using(() => new LateResetEvent());
