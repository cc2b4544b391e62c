/** How long something may take: a clock, and somebody who may interrupt. Any number that grows is a clock. */
export class Deadline {
  readonly #begin: number;
  readonly #milliseconds: number;
  readonly #isInterrupted: () => boolean;
  /** Called whenever somebody looks at the clock. */
  readonly #onLook: () => void;
  readonly #now: () => number;

  constructor(
    milliseconds: number,
    isInterrupted: () => boolean = () => false,
    onLook: () => void = () => {},
    now: () => number = () => performance.now(),
  ) {
    this.#now = now;
    this.#begin = now();
    this.#milliseconds = milliseconds;
    this.#isInterrupted = isInterrupted;
    this.#onLook = onLook;
  }

  get left(): number {
    return this.#milliseconds - (this.#now() - this.#begin);
  }

  get isInterrupted(): boolean {
    return this.#isInterrupted();
  }

  /** Is this share of the time over? */
  hasExpired(share = 1): boolean {
    this.#onLook();
    if (this.#isInterrupted()) return true;
    return this.#milliseconds !== Number.POSITIVE_INFINITY && this.left <= (1 - share) * this.#milliseconds;
  }

  /** A part of what is left. */
  fraction(share: number): Deadline {
    return new Deadline(Math.max(0, this.left * share), this.#isInterrupted, this.#onLook, this.#now);
  }
}
