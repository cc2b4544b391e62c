/**
 * Detects loops in code that is not instrumented: a thread makes the same few accesses twice in a row, with the same results,
 * and none of them changes memory.
 *
 * Such a loop may count and end by itself, so it gets a *trial*: the thread continues alone and announces no access while it
 * repeats itself. After `TRIES` accesses the loop counts as infinite, until a value that it has read changes. If it ends
 * earlier, the thread has made accesses that no schedule granted. Then the execution is repeated up to the start of the
 * trial (threads.ts). The result of a trial is stored under everything that the thread has read, so each loop has one trial.
 */
const TRIES = 10_000;
const LONGEST = 16;

interface Access {
  /** The function, location and arguments, as text; and the result. */
  readonly request: string;
  readonly result: unknown;
  /** Does memory still hold the value that the access left? */
  readonly isCurrent: () => boolean;
}

/** What a thread does at an access: announce it, perform it without announcing it, or report an overrun trial. */
export type Course = 'announce' | 'proceed' | 'overran';

export class Repeats {
  /** All calls and accesses of this execution, and the index after the last one that changed memory. */
  readonly #accesses: Access[] = [];
  #from = 0;
  /** Loop to whether it is infinite, by its trial. */
  readonly #known = new Map<string, boolean>();
  /** The loop in its trial, its length in accesses, and the accesses of the trial so far. */
  #tried: string | undefined;
  #period = 0;
  #done = 0;
  /** Has the thread read the clock? Then time may end the loop, but stands still in a trial, so there is no trial. */
  isTimed: () => boolean = () => false;
  /** After `courseOf`: the length of the infinite loop that the thread is in; 0 if there is none. */
  spins = 0;

  /** Starts another execution. */
  reset(): void {
    this.#accesses.length = 0;
    this.#from = 0;
    this.#tried = undefined;
  }

  /** Starts a call: no loop includes accesses before it. */
  begin(call: string): void {
    this.did({ request: call, result: undefined, isCurrent: () => true }, true);
  }

  /** What the thread does at its next access. */
  courseOf(request: string): Course {
    this.spins = 0;
    if (this.#tried === undefined && !this.#startTrial()) return 'announce';
    const next = this.#accesses[this.#accesses.length - this.#period + (this.#done % this.#period)];
    if (request !== next.request) return this.#endTrial() ? 'overran' : 'announce';
    if (this.#done < TRIES || this.#done % this.#period !== 0) {
      this.#done++;
      return 'proceed';
    }
    this.#known.set(this.#tried!, true);
    this.#tried = undefined;
    this.spins = this.#period;
    return 'announce';
  }

  /** Records a performed access. */
  did(access: Access, hasChanged: boolean): void {
    if (this.#tried !== undefined) return;
    this.#accesses.push(access);
    if (hasChanged) this.#from = this.#accesses.length;
  }

  /** The call has ended. Did it overrun a trial? */
  hasOverrun(): boolean {
    return this.#tried !== undefined && this.#endTrial();
  }

  /** The loop has ended by itself. True if the thread made accesses in the trial. */
  #endTrial(): boolean {
    this.#known.set(this.#tried!, false);
    this.#tried = undefined;
    return this.#done > 0;
  }

  /** Starts the trial of a new loop, and returns whether there is one. An infinite loop that is known sets `spins`. */
  #startTrial(): boolean {
    const period = this.isTimed() ? 0 : this.#findPeriod();
    if (period === 0 || !this.#accesses.slice(-period).every(({ isCurrent }) => isCurrent())) return false;
    const name = this.#nameOf(period);
    const known = this.#known.get(name);
    if (known === undefined) {
      this.#tried = name;
      this.#period = period;
      this.#done = 0;
    } else if (known) this.spins = period;
    return known === undefined;
  }

  #findPeriod(): number {
    const { length } = this.#accesses;
    for (let period = 1; period <= LONGEST && length - 2 * period >= this.#from; period++) {
      let place = length - 1;
      while (place >= length - period && this.#isAgain(place, period)) place--;
      if (place < length - period) return period;
    }
    return 0;
  }

  /** Is an access equal to the one a round before? */
  #isAgain(place: number, period: number): boolean {
    const one = this.#accesses[place];
    const other = this.#accesses[place - period];
    return one.request === other.request && one.result === other.result;
  }

  /** The key of a loop: its length, and all accesses of the thread up to the end of the first round. */
  #nameOf(period: number): string {
    let begin = this.#accesses.length - 2 * period;
    while (begin > this.#from && this.#isAgain(begin - 1 + period, period)) begin--;
    const seen = this.#accesses.slice(0, begin + period);
    return `${period}: ${seen.map(({ request, result }) => `${request} ${String(result)}`).join(', ')}`;
  }
}
