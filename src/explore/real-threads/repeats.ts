/**
 * Loops of code that is not transformed, told by what they do: the same few accesses twice in a row, with the same results,
 * none of which changed anything.
 *
 * Such a loop may count, and end by itself. So it is *tried*: the thread goes on alone, and nobody asks, for as long as it does
 * the same. If that is `TRIES` accesses it is taken to go on for ever, until something that it has looked at
 * changes. If not, it has gone too far, and the execution has to be made again up to here (threads.ts). What came of it
 * is known by all that the thread has seen, so each loop is tried once.
 */
const TRIES = 10_000;
const LONGEST = 16;

interface Access {
  /** What was asked, where, and with which arguments; and what came of it. */
  readonly request: string;
  readonly result: unknown;
  /** Does memory still hold what it saw? */
  readonly isCurrent: () => boolean;
}

export type Course = 'announce' | 'go on' | 'overran';

export class Repeats {
  /** All calls and accesses of this execution; those from here on come after the last one that changed something. */
  readonly #accesses: Access[] = [];
  #from = 0;
  /** Loops that were tried: do they go on for ever? */
  readonly #known = new Map<string, boolean>();
  /** The loop that is tried now, how long it is, and how far it has come. */
  #tried: string | undefined;
  #period = 0;
  #done = 0;
  /** Has the thread looked at the clock, which stands still? Then a loop may end by it, and is not tried. */
  isTimed: () => boolean = () => false;
  /** After `comesTo`: so many accesses make a loop that goes on for ever; 0 if there is none. */
  spins = 0;

  /** Another execution begins. */
  reset(): void {
    this.#accesses.length = 0;
    this.#from = 0;
    this.#tried = undefined;
  }

  /** A call begins: nothing before it is part of a loop. */
  begin(call: string): void {
    this.did({ request: call, result: undefined, isCurrent: () => true }, true);
  }

  /** The thread comes to an access. What it should do: announce it, do it without asking, or say that it has gone too far. */
  comesTo(request: string): Course {
    this.spins = 0;
    if (this.#tried === undefined && !this.#isTrying()) return 'announce';
    const next = this.#accesses[this.#accesses.length - this.#period + (this.#done % this.#period)];
    if (request !== next.request) return this.#ends() ? 'overran' : 'announce';
    if (this.#done < TRIES || this.#done % this.#period !== 0) {
      this.#done++;
      return 'go on';
    }
    this.#known.set(this.#tried!, true);
    this.#tried = undefined;
    this.spins = this.#period;
    return 'announce';
  }

  /** An access has been done. */
  did(access: Access, hasChanged: boolean): void {
    if (this.#tried !== undefined) return;
    this.#accesses.push(access);
    if (hasChanged) this.#from = this.#accesses.length;
  }

  /** The call ends. Has it gone too far? */
  hasOverrun(): boolean {
    return this.#tried !== undefined && this.#ends();
  }

  /** The loop that was tried ends by itself. Has it gone too far? */
  #ends(): boolean {
    this.#known.set(this.#tried!, false);
    this.#tried = undefined;
    return this.#done > 0;
  }

  /** Is there a loop to be tried? One that is known to go on for ever need not be. */
  #isTrying(): boolean {
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

  /** Is an access the same as one round before? */
  #isAgain(place: number, period: number): boolean {
    const one = this.#accesses[place];
    const other = this.#accesses[place - period];
    return one.request === other.request && one.result === other.result;
  }

  /** All that the thread has seen up to the end of the first round, and how long that is. */
  #nameOf(period: number): string {
    let begin = this.#accesses.length - 2 * period;
    while (begin > this.#from && this.#isAgain(begin - 1 + period, period)) begin--;
    const seen = this.#accesses.slice(0, begin + period);
    return `${period}: ${seen.map(({ request, result }) => `${request} ${String(result)}`).join(', ')}`;
  }
}
