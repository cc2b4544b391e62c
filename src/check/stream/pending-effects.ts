/** Effects of open operations, recorded before it is known which operation had which effect. */

/**
 * Pending effects: open operations that must have taken effect, while it is unknown which of them did.
 *
 * Operations of one kind differ only in the times of their calls. When a return needs an effect of that kind, the
 * need is stored with its time. An open operation that was called before that time may be the one. All needs can be
 * satisfied exactly when, for each j, at least j open operations were called before the j-th need (P. Hall. On
 * representatives of subsets. J. London Math. Soc. 10, 1935; for times this is enough). An operation that returns
 * satisfies the *earliest* need that it can, because more operations can satisfy the others.
 *
 * Cost: O(open operations of the kind) per call.
 */
export class PendingEffects {
  /** When the open operations were called, and when effects were needed; ascending. */
  readonly #calls: number[] = [];
  readonly #needs: number[] = [];

  get size(): number {
    return this.#calls.length + this.#needs.length;
  }

  /** How many more effects can be needed. */
  get free(): number {
    return this.#calls.length - this.#needs.length;
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
    this.#needs.push(now);
  }

  /** An operation with this call has returned; whether it satisfies an earlier need. */
  satisfy(call: number): boolean {
    const need = this.#needs.findIndex((time) => time > call);
    if (need < 0) return false;
    this.#needs.splice(need, 1);
    return true;
  }

  /** Whether all needs can be satisfied. */
  get areSatisfiable(): boolean {
    let calls = 0;
    return this.#needs.every((need, j) => {
      while (calls < this.#calls.length && this.#calls[calls] < need) calls++;
      return calls > j;
    });
  }
}

/**
 * Unclaimed removals: values that open removals have taken, while it is unknown which removal took which.
 *
 * A removal does not reveal its value before it returns. So a taken value is stored without its removal, and a
 * removal that returns the value claims it, if it had been called by then. Open removals are in order of call, and
 * each entry has the number of removals that were open when the value was taken: these may claim it. An assignment
 * exists exactly when the j-th entry has a number of at least j (Hall).
 *
 * The list alternates these numbers and the values, sorted by number and then by value.
 */
export type UnclaimedRemovals = readonly number[];

/** After one of `open` open removals has taken a value. */
export function withRemoval(removals: UnclaimedRemovals, value: number, open: number): UnclaimedRemovals {
  let at = removals.length;
  while (at > 0 && removals[at - 2] === open && removals[at - 1] > value) at -= 2;
  return removals.toSpliced(at, 0, open, value);
}

/**
 * After a removal claims a value: the first entry of it, because later ones can be claimed by more removals.
 * Undefined if there is none.
 */
export function claim(
  removals: UnclaimedRemovals,
  removal: number,
  value: number,
): UnclaimedRemovals | undefined {
  for (let at = 0; at < removals.length; at += 2)
    if (removals[at] > removal && removals[at + 1] === value) return removals.toSpliced(at, 2);
  return undefined;
}

/** After a removal claims any entry that it may. */
export function possibleClaims(removals: UnclaimedRemovals, removal: number): UnclaimedRemovals[] {
  const left: UnclaimedRemovals[] = [];
  for (let at = 0; at < removals.length; at += 2)
    if (removals[at] > removal) left.push(removals.toSpliced(at, 2));
  return left;
}

/** After a removal ends without a claim; undefined if the others cannot claim all entries. */
export function withoutRemoval(removals: UnclaimedRemovals, removal: number): UnclaimedRemovals | undefined {
  const left = removals.map((own, i) => (i % 2 === 0 && own > removal ? own - 1 : own));
  for (let at = 0; at < left.length; at += 2) if (left[at] <= at / 2) return undefined;
  return left;
}

export function* valuesRemoved(removals: UnclaimedRemovals): Generator<number> {
  for (let at = 0; at < removals.length; at += 2) yield removals[at + 1];
}
