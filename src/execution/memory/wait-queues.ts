/**
 * Who waits by `Atomics.wait`, by location: woken in the order in which they began to wait (ECMA-262, 25.4).
 *
 * Who has a time limit waits here as well, but does not sleep: its time may be over at any moment.
 */
import type { HasContents } from './heap-walk.js';
import type { Memory } from './memory.js';

export interface Waiter {
  readonly thread: number;
}

export class WaitQueues implements HasContents {
  readonly #queues = new Map<number, Waiter[]>();

  reset(): void {
    if (this.#queues.size > 0) this.#queues.clear();
  }

  /** All of them, for whoever compares states. */
  contents$(visit: (value: unknown) => void): void {
    for (const [location, queue] of [...this.#queues].sort(([a], [b]) => a - b)) {
      visit(location);
      for (const { thread } of queue) visit(thread);
    }
  }

  add(location: number, thread: number): Waiter {
    const waiter = { thread };
    this.#at(location).push(waiter);
    return waiter;
  }

  /** Does it still wait? */
  has(location: number, waiter: Waiter): boolean {
    return this.#at(location).includes(waiter);
  }

  /** It waits no longer. False if somebody has woken it. */
  leave(location: number, waiter: Waiter): boolean {
    const queue = this.#at(location);
    const place = queue.indexOf(waiter);
    if (place >= 0) queue.splice(place, 1);
    return place >= 0;
  }

  /** Wakes so many at most, and tells how many there were. */
  wake(memory: Memory, location: number, most: number): number {
    const woken = this.#at(location).splice(0, Math.max(0, most));
    for (const { thread } of woken) memory.wakeThread(thread, location);
    return woken.length;
  }

  #at(location: number): Waiter[] {
    const known = this.#queues.get(location);
    if (known !== undefined) return known;
    const queue: Waiter[] = [];
    this.#queues.set(location, queue);
    return queue;
  }
}
