/**
 * Threads that wait in `Atomics.wait`, by location. They are woken in the order in which they started to wait (ECMA-262, 25.4).
 *
 * A thread with a timeout is in the queue too, but stays enabled: its timeout may expire at any moment.
 */
import type { Memory } from './memory.js';

export interface Waiter {
  readonly thread: number;
}

export class WaitQueues {
  readonly #queues = new Map<number, Waiter[]>();

  reset(): void {
    if (this.#queues.size > 0) this.#queues.clear();
  }

  /** Visits the location at which a thread waits, and its position in the queue. */
  visitPlaces(thread: number, visit: (value: number) => void): void {
    for (const [location, queue] of this.#queues)
      for (let place = 0; place < queue.length; place++)
        if (queue[place].thread === thread) {
          visit(location);
          visit(place);
        }
  }

  add(location: number, thread: number): Waiter {
    const waiter = { thread };
    this.#at(location).push(waiter);
    return waiter;
  }

  /** Is a waiter still in the queue? */
  has(location: number, waiter: Waiter): boolean {
    return this.#at(location).includes(waiter);
  }

  /** Removes a waiter. Returns false if it was woken before. */
  leave(location: number, waiter: Waiter): boolean {
    const queue = this.#at(location);
    const place = queue.indexOf(waiter);
    if (place >= 0) queue.splice(place, 1);
    return place >= 0;
  }

  /** Wakes up to `most` waiters. Returns their number. */
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
