/** A counting semaphore. One of its two permits is taken first. */
import { type Scenario, scenario } from 'straightedge';

class Semaphore {
  protected readonly queue: (() => void)[] = [];

  protected permits: number;

  constructor(permits: number) {
    this.permits = permits;
  }

  async acquire(): Promise<void> {
    if (this.permits > 0) this.permits--;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
  }

  async release(): Promise<void> {
    const next = this.queue.shift();
    if (next) next();
    else this.permits++;
  }

  tryAcquire(): boolean {
    if (this.permits === 0) return false;
    this.permits--;
    return true;
  }
}

/** Fault: a permit is counted after the waiter has been woken, so another call may take it. */
class OverdrawnSemaphore extends Semaphore {
  override async acquire(): Promise<void> {
    if (this.permits === 0) await new Promise<void>((resolve) => this.queue.push(resolve));
    this.permits--;
  }

  override async release(): Promise<void> {
    this.permits++;
    this.queue.shift()?.();
  }
}

/** Fault: `release` looks for a waiter, and adds the permit later. */
class ForgetfulSemaphore extends Semaphore {
  override async release(): Promise<void> {
    const next = this.queue.shift();
    if (next) {
      next();
      return;
    }
    await Promise.resolve();
    this.permits++;
  }
}

const using = (create: () => Semaphore): Scenario =>
  scenario({
    create,
    before: [['acquire']],
    calls: [[['acquire'], ['release']], ['tryAcquire']],
    threads: 3,
    callsPerThread: 1,
  });

export const correct: Scenario = using(() => new Semaphore(2));
export const overdrawn: Scenario = using(() => new OverdrawnSemaphore(2));
export const forgottenWaiter: Scenario = using(() => new ForgetfulSemaphore(2));
