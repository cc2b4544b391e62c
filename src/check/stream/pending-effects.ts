/**
 * Effects that must have happened by now, of operations that are still open: who it was shows later.
 *
 * Operations of one kind are alike but for when they were called. When something that returned
 * needs an effect of theirs, it gets a *credit* with the time; an open operation that was
 * called before it may turn out to be the one. They can all be paid exactly when, for each j, at least j
 * open operations were called before the j-th credit (P. Hall. On representatives of subsets.
 * J. London Math. Soc. 10, 1935; for times this is enough). One that returns pays the
 * *earliest* credit that it can: the others have more to choose from.
 *
 * Cost: O(open operations of the kind) a call.
 */
export class PendingEffects {
  /** When the open operations were called, and when effects were needed; ascending. */
  readonly #calls: number[] = [];
  readonly #credits: number[] = [];

  get size(): number {
    return this.#calls.length + this.#credits.length;
  }

  /** How many more effects could be needed. */
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

  /** Something needs an effect now. */
  need(now: number): void {
    this.#credits.push(now);
  }

  /** An operation that was called then has returned: was an effect of its needed before? */
  pay(call: number): boolean {
    const credit = this.#credits.findIndex((time) => time > call);
    if (credit < 0) return false;
    this.#credits.splice(credit, 1);
    return true;
  }

  /** Can all credits be paid? */
  get canPay(): boolean {
    let calls = 0;
    return this.#credits.every((credit, j) => {
      while (calls < this.#calls.length && this.#calls[calls] < credit) calls++;
      return calls > j;
    });
  }
}
