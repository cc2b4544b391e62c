/** A queue whose `take` waits for an item. `close` ends the calls that wait. */
import { type Scenario, scenario } from 'straightedge';

class ClosedError extends Error {
  override readonly name = 'ClosedError';
}

interface Waiter {
  readonly resolve: (item: string) => void;
  readonly reject: (error: Error) => void;
}

class ClosableQueue {
  protected readonly items: string[] = [];
  protected readonly takers: Waiter[] = [];
  protected closed = false;

  async put(item: string): Promise<void> {
    if (this.closed) throw new ClosedError('the queue is closed');
    const taker = this.takers.shift();
    if (taker) taker.resolve(item);
    else this.items.push(item);
  }

  async take(): Promise<string> {
    const item = this.items.shift();
    if (item !== undefined) return item;
    if (this.closed) throw new ClosedError('the queue is closed');
    return new Promise((resolve, reject) => this.takers.push({ resolve, reject }));
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const { reject } of this.takers.splice(0)) reject(new ClosedError('the queue is closed'));
  }
}

/** Fault: an item that is put between the test and the registration waits beside the taker. */
class GapQueue extends ClosableQueue {
  override async take(): Promise<string> {
    if (this.items.length > 0) return this.items.shift()!;
    if (this.closed) throw new ClosedError('the queue is closed');
    await Promise.resolve();
    return new Promise((resolve, reject) => this.takers.push({ resolve, reject }));
  }
}

/** Fault: a call that starts to wait while the queue is closed waits forever. */
class SlowlyClosedQueue extends ClosableQueue {
  override async close(): Promise<void> {
    for (const { reject } of this.takers.splice(0)) reject(new ClosedError('the queue is closed'));
    await Promise.resolve();
    this.closed = true;
  }
}

const using = (create: () => ClosableQueue): Scenario =>
  scenario({ create, calls: [['put', 'x'], ['take'], ['close']], threads: 2, callsPerThread: 2 });

export const correct: Scenario = using(() => new ClosableQueue());
export const missedItem: Scenario = using(() => new GapQueue());
export const missedClose: Scenario = using(() => new SlowlyClosedQueue());
