/**
 * Pending effects: open operations that must have taken effect, while it is unknown which of them did.
 *
 * Operations of one kind differ only in the times of their calls. When a return needs an effect of that kind, the
 * need is stored with its time. An open operation that was called before that time may be the one. All needs can be
 * met exactly when, for each j, at least j open operations were called before the j-th need (P. Hall. On
 * representatives of subsets. J. London Math. Soc. 10, 1935; for times this is enough). An operation that returns
 * meets the *earliest* need that it can: the others can be met by more operations.
 *
 * Cost: O(open operations of the kind) per call.
 */
export class PendingEffects {
  /** When the open operations were called, and when effects were needed; ascending. */
  readonly #calls: number[] = [];
  readonly #credits: number[] = [];

  get size(): number {
    return this.#calls.length + this.#credits.length;
  }

  /** How many more effects can be needed. */
  get free(): number {
    return this.#calls.length - this.#credits.length;
  }

  call(now: number): void {
    this.#calls.push(now);
  }

  /** An operation is no longer open. */
  end(call: number): void {
    this.#calls.splice(this.#calls.indexOf(call), 1);
  }

  /** An effect is needed now. */
  need(now: number): void {
    this.#credits.push(now);
  }

  /** An operation with this call has returned; whether it meets an earlier need. */
  pay(call: number): boolean {
    const credit = this.#credits.findIndex((time) => time > call);
    if (credit < 0) return false;
    this.#credits.splice(credit, 1);
    return true;
  }

  /** Whether all needs can be met. */
  get canPay(): boolean {
    let calls = 0;
    return this.#credits.every((credit, j) => {
      while (calls < this.#calls.length && this.#calls[calls] < credit) calls++;
      return calls > j;
    });
  }
}
