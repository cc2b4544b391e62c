/**
 * Permits that threads acquire and release. A thread that needs more than are available is blocked.
 *
 * In a model: `yield* semaphore.$acquire();`.
 */
import { access, LOCK, UNLOCK, UPDATE } from '../memory/access.js';
import type { HasContents } from '../memory/heap-walk.js';
import { activeMemory, type Memory } from '../memory/memory.js';
import type { Coroutine } from '../program.js';

/** A counter of permits; `acquire` blocks while there are too few. */
export class Semaphore implements HasContents {
  readonly #memory: Memory = activeMemory();
  readonly #location: number;

  constructor(permits: number) {
    this.#location = this.#memory.location(this.#memory.object());
    this.#memory.give(this.#location, permits);
  }

  acquire(permits = 1): void {
    if (this.#memory.permits(this.#location) < permits)
      throw new Error(
        `Semaphore.acquire(${permits}) would block where no other thread can run; is its caller instrumented?`,
      );
    this.#memory.take(this.#location, permits);
  }

  tryAcquire(permits = 1): boolean {
    const isEnough = this.#memory.permits(this.#location) >= permits;
    if (isEnough) this.#memory.take(this.#location, permits);
    else this.#memory.unchanged(this.#location);
    this.#memory.observe(isEnough);
    return isEnough;
  }

  release(permits = 1): void {
    this.#memory.give(this.#location, permits);
  }

  *$acquire(permits = 1): Coroutine<void> {
    this.#memory.need(permits);
    yield access(LOCK, this.#location);
    this.acquire(permits);
  }

  *$tryAcquire(permits = 1): Coroutine<boolean> {
    yield access(UPDATE, this.#location);
    return this.tryAcquire(permits);
  }

  *$release(permits = 1): Coroutine<void> {
    yield access(UNLOCK, this.#location);
    this.release(permits);
  }

  contents$(visit: (value: unknown) => void): void {
    visit(this.#memory.permits(this.#location));
  }
}
