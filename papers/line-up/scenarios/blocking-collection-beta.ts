/**
 * Root causes H, I and K, all of them intended by the authors.
 *
 * Items stand in a queue, and their number in a separate counter: `add` puts an item into the queue
 * and then counts it; `take` counts first. So an item may be present but not counted: the count is 0
 * although the collection is not empty (H), and tryTake finds nothing (I).
 *
 * K: a call that cancels while another call is cancelling returns at once, before it has an effect.
 *
 * One word holds the number of threads that are adding, and whether adding is completed. The call that completes
 * it waits for these threads, and so does a call that comes too late to add.
 */
import { AtomicRef, Monitor } from 'straightedge/explore';
import { CancellationTokenSource } from './cancellation-token-source.js';
import { ConcurrentQueue } from './concurrent-queue.js';
import { Cancelled, InvalidOperation } from './errors.js';

const COMPLETED = 1024;

export class BlockingCollectionBeta {
  private readonly queue = new ConcurrentQueue();
  private readonly adders = new AtomicRef(0);
  private readonly monitor = new Monitor();
  private counted = 0;
  private isCancelled = false;
  private readonly source = new CancellationTokenSource(() => {
    this.isCancelled = true;
    this.wakeAll();
  });

  add(value: number): void {
    this.put(value);
  }

  tryAdd(value: number, _milliseconds = 0): boolean {
    this.put(value);
    return true;
  }

  take(): number {
    const item = this.takeWithEnum();
    if (item === null) throw new InvalidOperation('it is empty, and adding is completed');
    return item;
  }

  takeWithEnum(): number | null {
    this.monitor.enter();
    while (this.counted === 0 && !this.isCancelled && !this.isAddingCompleted()) this.monitor.wait();
    return this.takeCounted();
  }

  tryTake(_milliseconds = 0): number | null {
    this.monitor.enter();
    return this.takeCounted();
  }

  completeAdding(): void {
    for (;;) {
      const old = this.adders.get();
      if (old >= COMPLETED || this.adders.compareAndSet(old, old + COMPLETED)) break;
    }
    this.awaitAdders();
    this.wakeAll();
  }

  cancel(): void {
    this.source.cancel();
  }

  count(): number {
    return this.counted;
  }

  toArray(): number[] {
    return this.queue.toArray();
  }

  isAddingCompleted(): boolean {
    return this.adders.get() === COMPLETED;
  }

  isCompleted(): boolean {
    return this.isAddingCompleted() && this.counted === 0;
  }

  private put(value: number): void {
    if (this.isCancelled) throw new Cancelled();
    this.beginAdding();
    this.queue.enqueue(value);
    this.monitor.enter();
    this.counted++;
    this.monitor.notify();
    this.monitor.exit();
    this.endAdding();
  }

  private beginAdding(): void {
    for (;;) {
      const old = this.adders.get();
      if (old >= COMPLETED) {
        this.awaitAdders();
        throw new InvalidOperation('adding is completed');
      }
      if (this.adders.compareAndSet(old, old + 1)) return;
    }
  }

  private endAdding(): void {
    for (;;) {
      const old = this.adders.get();
      if (this.adders.compareAndSet(old, old - 1)) return;
    }
  }

  private awaitAdders(): void {
    while (!this.isAddingCompleted());
  }

  /** With the monitor held, which is left. */
  private takeCounted(): number | null {
    const isCancelled = this.isCancelled;
    const isCounted = !isCancelled && this.counted > 0;
    if (isCounted) this.counted--;
    this.monitor.exit();
    if (isCancelled) throw new Cancelled();
    return isCounted ? this.queue.tryDequeue() : null;
  }

  private wakeAll(): void {
    this.monitor.enter();
    this.monitor.notifyAll();
    this.monitor.exit();
  }
}
