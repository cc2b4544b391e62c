/** A time limit of an exploration or a part of it. */
import { clock } from '../../base/clock.js';

/** A time limit, with a function that may stop earlier. Any number that grows can be the clock. */
export class Deadline {
  readonly #begin: number;
  readonly #milliseconds: number;
  readonly #isInterrupted: () => boolean;
  /** Called at each clock check. */
  readonly #onLook: () => void;
  readonly #now: () => number;

  constructor(
    milliseconds: number,
    isInterrupted: () => boolean = () => false,
    onLook: () => void = () => {},
    now: () => number = () => clock.now(),
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

  /** Has this share of the time passed? */
  hasExpired(share = 1): boolean {
    this.#onLook();
    if (this.#isInterrupted()) return true;
    return this.#milliseconds !== Number.POSITIVE_INFINITY && this.left <= (1 - share) * this.#milliseconds;
  }

  /** A deadline after a share of the time that is left. */
  fraction(share: number): Deadline {
    return new Deadline(Math.max(0, this.left * share), this.#isInterrupted, this.#onLook, this.#now);
  }
}
