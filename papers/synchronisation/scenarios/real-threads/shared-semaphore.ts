/** Permits in memory that threads share. */
export class SharedSemaphore {
  static readonly BYTES: number = 4;
  readonly #permits: Int32Array;

  constructor(memory: SharedArrayBuffer, at: number) {
    this.#permits = new Int32Array(memory, at, 1);
  }

  acquire(): void {
    for (;;) {
      const permits = Atomics.load(this.#permits, 0);
      if (permits === 0) Atomics.wait(this.#permits, 0, 0);
      else if (Atomics.compareExchange(this.#permits, 0, permits, permits - 1) === permits) return;
    }
  }

  release(): void {
    Atomics.add(this.#permits, 0, 1);
    Atomics.notify(this.#permits, 0, 1);
  }
}
