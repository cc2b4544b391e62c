/**
 * A queue on which takers wait, until adding is completed or all is cancelled.
 *
 * Everything that changes happens under one monitor, so what is counted is what is there.
 */
import { Monitor } from 'straightedge/explore';
import { Cancelled, InvalidOperation } from './errors.js';

export class BlockingCollection {
  protected readonly monitor: Monitor = new Monitor();
  protected readonly items: number[] = [];
  protected isClosed = false;
  protected isCancelled = false;

  add(value: number): void {
    this.put(value);
  }

  /** TryAdd and TryAdd(1): there is always room, so no call waits. */
  tryAdd(value: number, _milliseconds = 0): boolean {
    this.put(value);
    return true;
  }

  take(): number {
    const item = this.next();
    if (item === null) throw new InvalidOperation('it is empty, and adding is completed');
    return item;
  }

  /** A step of a loop over all that comes: null at the end. */
  takeWithEnum(): number | null {
    return this.next();
  }

  /** TryTake and TryTake(1): the time may be over at any moment, and so at once. */
  tryTake(_milliseconds = 0): number | null {
    this.monitor.enter();
    const isCancelled = this.isCancelled;
    const item = isCancelled ? null : (this.items.shift() ?? null);
    this.monitor.exit();
    if (isCancelled) throw new Cancelled();
    return item;
  }

  completeAdding(): void {
    this.monitor.enter();
    this.isClosed = true;
    this.monitor.notifyAll();
    this.monitor.exit();
  }

  cancel(): void {
    this.monitor.enter();
    this.isCancelled = true;
    this.monitor.notifyAll();
    this.monitor.exit();
  }

  count(): number {
    return this.items.length;
  }

  toArray(): number[] {
    return [...this.items];
  }

  isAddingCompleted(): boolean {
    return this.isClosed;
  }

  isCompleted(): boolean {
    return this.isClosed && this.items.length === 0;
  }

  protected put(value: number): void {
    this.monitor.enter();
    const { isClosed, isCancelled } = this;
    if (!isClosed && !isCancelled) {
      this.items.push(value);
      this.monitor.notify();
    }
    this.monitor.exit();
    if (isCancelled) throw new Cancelled();
    if (isClosed) throw new InvalidOperation('adding is completed');
  }

  private next(): number | null {
    this.monitor.enter();
    while (this.items.length === 0 && !this.isClosed && !this.isCancelled) this.monitor.wait();
    const isCancelled = this.isCancelled;
    const item = isCancelled ? null : (this.items.shift() ?? null);
    this.monitor.exit();
    if (isCancelled) throw new Cancelled();
    return item;
  }
}
