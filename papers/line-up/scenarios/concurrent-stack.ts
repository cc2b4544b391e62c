/**
 * Treiber's stack: one reference to the top, changed by compare-and-set.
 *
 * Items never change and store how many are below them, so one read of the top is a snapshot, and several
 * items are pushed or popped atomically.
 */
import { AtomicRef } from 'straightedge/explore';

class Item {
  readonly value: number;
  readonly below: Item | null;
  readonly depth: number;

  constructor(value: number, below: Item | null, depth: number) {
    this.value = value;
    this.below = below;
    this.depth = depth;
  }
}

export class ConcurrentStack {
  private readonly top = new AtomicRef<Item | null>(null);

  clear(): void {
    this.top.set(null);
  }

  count(): number {
    return this.top.get()?.depth ?? 0;
  }

  push(value: number): void {
    this.pushRange(value, 1);
  }

  /** `count` values from `first` on. */
  pushRange(first: number, count: number): void {
    for (;;) {
      const old = this.top.get();
      let top = old;
      for (let i = 0; i < count; i++) top = new Item(first + i, top, (top?.depth ?? 0) + 1);
      if (this.top.compareAndSet(old, top)) return;
    }
  }

  tryPop(): number | null {
    return this.tryPopRange(1)[0] ?? null;
  }

  /** Up to `count` values, the topmost first. */
  tryPopRange(count: number): number[] {
    for (;;) {
      const old = this.top.get();
      const values: number[] = [];
      let top = old;
      for (; top !== null && values.length < count; top = top.below) values.push(top.value);
      if (this.top.compareAndSet(old, top)) return values;
    }
  }

  tryPeek(): number | null {
    return this.top.get()?.value ?? null;
  }

  toArrayOrdered(): number[] {
    const values: number[] = [];
    for (let at = this.top.get(); at !== null; at = at.below) values.push(at.value);
    return values.sort((a, b) => a - b);
  }
}
