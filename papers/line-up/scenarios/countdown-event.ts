/**
 * An event that is set when a count reaches zero.
 *
 * The count decides whether it is set; the event inside only wakes the waiting threads.
 */
import { AtomicRef } from 'straightedge/explore';
import { InvalidOperation } from './errors.js';
import { ManualResetEvent } from './manual-reset-event.js';

export class CountdownEvent {
  private readonly count: AtomicRef<number>;
  private readonly event = new ManualResetEvent();

  constructor(count: number) {
    this.count = new AtomicRef(count);
  }

  isSet(): boolean {
    return this.count.get() === 0;
  }

  currentCount(): number {
    return this.count.get();
  }

  /** Returns whether this signal was the last. */
  signal(signals = 1): boolean {
    for (;;) {
      const old = this.count.get();
      if (old < signals) throw new InvalidOperation('more signals than the count');
      if (!this.count.compareAndSet(old, old - signals)) continue;
      if (old === signals) this.event.set();
      return old === signals;
    }
  }

  addCount(signals = 1): void {
    if (!this.tryAddCount(signals)) throw new InvalidOperation('it is set already');
  }

  tryAddCount(signals = 1): boolean {
    for (;;) {
      const old = this.count.get();
      if (old === 0) return false;
      if (this.count.compareAndSet(old, old + signals)) return true;
    }
  }

  wait(): void {
    if (!this.isSet()) this.event.wait();
  }

  waitOne(): boolean {
    this.wait();
    return true;
  }

  /** Wait(0): returns whether the event is set, without waiting. */
  tryWait(): boolean {
    return this.isSet();
  }
}
