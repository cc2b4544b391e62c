/**
 * A monitor over memory that threads share. Each waiter sleeps on a word of its own, so that `notify` wakes any one of them, and there are no
 * spurious wake-ups. It is not reentrant.
 */
const BEDS = 8;
const FREE = 0;
const ASLEEP = 1;
const WOKEN = 2;

export class SharedMonitor {
  static readonly BYTES: number = 4 * (1 + BEDS);
  readonly #lock: Int32Array;
  readonly #beds: Int32Array;

  constructor(memory: SharedArrayBuffer, at: number) {
    this.#lock = new Int32Array(memory, at, 1);
    this.#beds = new Int32Array(memory, at + 4, BEDS);
  }

  enter(): void {
    while (Atomics.compareExchange(this.#lock, 0, 0, 1) !== 0) Atomics.wait(this.#lock, 0, 1);
  }

  exit(): void {
    Atomics.store(this.#lock, 0, 0);
    Atomics.notify(this.#lock, 0, 1);
  }

  wait(): void {
    const bed = this.#beds.indexOf(FREE);
    Atomics.store(this.#beds, bed, ASLEEP);
    this.exit();
    Atomics.wait(this.#beds, bed, ASLEEP);
    this.enter();
    Atomics.store(this.#beds, bed, FREE);
  }

  notify(): void {
    const asleep = Array.from(this.#beds.keys()).filter((bed) => this.#beds[bed] === ASLEEP);
    if (asleep.length > 0) this.#wake(asleep[Math.floor(Math.random() * asleep.length)]);
  }

  notifyAll(): void {
    this.#beds.forEach((state, bed) => {
      if (state === ASLEEP) this.#wake(bed);
    });
  }

  #wake(bed: number): void {
    Atomics.store(this.#beds, bed, WOKEN);
    Atomics.notify(this.#beds, bed);
  }
}
