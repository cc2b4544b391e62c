/** Locks over one word of shared memory, right and wrong, each guarding a counter that is accessed as if there were no threads. */
abstract class Guarded {
  protected readonly words: Int32Array;

  constructor(words: Int32Array) {
    this.words = words;
  }

  abstract lock(): void;
  abstract unlock(): void;

  increment(): number {
    this.lock();
    const value = Atomics.load(this.words, 1);
    Atomics.store(this.words, 1, value + 1);
    this.unlock();
    return value;
  }
}

export class SpinLock extends Guarded {
  lock(): void {
    while (Atomics.compareExchange(this.words, 0, 0, 1) !== 0);
  }

  unlock(): void {
    Atomics.store(this.words, 0, 0);
  }
}

/** Looks, and then takes: another may have come between. */
export class BrokenSpinLock extends SpinLock {
  override lock(): void {
    while (Atomics.load(this.words, 0) !== 0);
    Atomics.store(this.words, 0, 1);
  }
}

/** U. Drepper, Futexes are tricky, 2011: 0 free, 1 taken, 2 taken and somebody may wait. */
export class Futex extends Guarded {
  lock(): void {
    if (Atomics.compareExchange(this.words, 0, 0, 1) === 0) return;
    while (Atomics.exchange(this.words, 0, 2) !== 0) Atomics.wait(this.words, 0, 2);
  }

  unlock(): void {
    if (Atomics.exchange(this.words, 0, 0) === 2) Atomics.notify(this.words, 0, 1);
  }
}

/** Who comes to wait does not say so, so whoever unlocks before it sleeps, or after, wakes nobody. */
export class SilentFutex extends Futex {
  override lock(): void {
    while (Atomics.compareExchange(this.words, 0, 0, 1) !== 0) Atomics.wait(this.words, 0, 1);
  }
}

/** Not in the types of this library's target. */
const waitAsync = (words: Int32Array, index: number, value: number): unknown =>
  (Atomics as unknown as { waitAsync: (...args: unknown[]) => { value: unknown } }).waitAsync(
    words,
    index,
    value,
  ).value;

/** As the first, but who waits does not stop its thread. */
export class AsyncFutex {
  readonly #words: Int32Array;

  constructor(words: Int32Array) {
    this.#words = words;
  }

  async increment(): Promise<number> {
    if (Atomics.compareExchange(this.#words, 0, 0, 1) !== 0)
      while (Atomics.exchange(this.#words, 0, 2) !== 0) await waitAsync(this.#words, 0, 2);
    const value = Atomics.load(this.#words, 1);
    await Promise.resolve();
    Atomics.store(this.#words, 1, value + 1);
    if (Atomics.exchange(this.#words, 0, 0) === 2) Atomics.notify(this.#words, 0, 1);
    return value;
  }
}
