/** Functions for code that runs in a thread: its number, and a point where other threads may run. */
import { access, NOTHING } from '../memory/access.js';
import { activeMemory } from '../memory/memory.js';
import type { Coroutine } from '../program.js';

/**
 * The number of the calling thread: 0, 1, 2 …, for objects with state per thread. Constant outside of any exploration.
 *
 * Threads that observe it are distinguishable, so threads with equal calls are not treated as symmetric.
 *
 * @example
 * class Slots {
 *   readonly slots = [0, 0];
 *   add(n: number): void {
 *     this.slots[currentThread()] += n;
 *   }
 * }
 */
export function currentThread(): number {
  const memory = activeMemory();
  memory.isThreadObserved = true;
  return memory.current;
}

/**
 * Lets other threads run in code without shared accesses, for example between two calls that are not instrumented, which would be one
 * step otherwise. Does nothing outside of any exploration. In a model: `yield access(NOTHING, 0)`.
 *
 * @example
 * class Lazy {
 *   get(): number {
 *     yieldNow(); // another thread may run here
 *     return 1;
 *   }
 * }
 */
export function yieldNow(): void {
  activeMemory();
}

export function* $yieldNow(): Coroutine<void> {
  yield access(NOTHING, 0);
}
