/**
 * What a configuration of a stack knows of the calls that are open, beside the stack itself.
 *
 * Who pops does not tell what it has taken before it returns. So what was taken is written down without a name, as a *taking*, and who
 * returns its value claims it, if it had been called by then. Open pops stand in the order of their calls, and a taking knows how many
 * of them there were: these may claim it. Nobody minds who claims which of them, as long as there is one for each (Hall):
 * the j-th taking by that number needs j of them.
 *
 * Likewise the last time that the stack was empty, and the last time that a value was on top, are numbers of pops and peeks
 * that had been called by then. Marks never change; each method gives others.
 */

interface Fields {
  /** The slots of open pushes that have taken effect, ascending. */
  readonly pushed: readonly number[];
  /** How many open pops may claim it, and the value taken: by that number, then by value. */
  readonly takings: readonly number[];
  /** How many of the open pops had been called when the stack was empty last. */
  readonly empty: number;
  /** A value, and how many of the open peeks had been called when it was on top last: by value. */
  readonly seen: readonly number[];
  /** How many pops whose callers gave up have not taken effect yet. */
  readonly freePops: number;
  /** What those would put in whose callers gave up and that have not taken effect yet, ascending. */
  readonly spare: readonly number[];
}

const NONE: Fields = { pushed: [], takings: [], empty: 0, seen: [], freePops: 0, spare: [] };

export class Marks implements Fields {
  readonly pushed: readonly number[];
  readonly takings: readonly number[];
  readonly empty: number;
  readonly seen: readonly number[];
  readonly freePops: number;
  readonly spare: readonly number[];
  #key: string | undefined;

  constructor({ pushed, takings, empty, seen, freePops, spare }: Fields = NONE) {
    this.pushed = pushed;
    this.takings = takings;
    this.empty = empty;
    this.seen = seen;
    this.freePops = freePops;
    this.spare = spare;
  }

  /** The same for marks that are equal. */
  get key(): string {
    this.#key ??= `${this.pushed};${this.takings};${this.empty};${this.seen};${this.freePops};${this.spare}`;
    return this.#key;
  }

  /** A push has taken effect. */
  withPush(slot: number): Marks {
    return this.#with({ pushed: inserted(this.pushed, slot) });
  }

  /** The slot is free again. */
  withoutPush(slot: number): Marks {
    return this.#with({ pushed: this.pushed.filter((own) => own !== slot) });
  }

  withSpare(value: number): Marks {
    return this.#with({ spare: inserted(this.spare, value) });
  }

  withoutSpare(value: number): Marks {
    return this.#with({ spare: this.spare.toSpliced(this.spare.indexOf(value), 1) });
  }

  withFreePops(more: 1 | -1): Marks {
    return this.#with({ freePops: this.freePops + more });
  }

  /** One of so many open pops has taken a value. */
  withTaking(value: number, pops: number): Marks {
    const { takings } = this;
    let at = takings.length;
    while (at > 0 && takings[at - 2] === pops && takings[at - 1] > value) at -= 2;
    return this.#with({ takings: takings.toSpliced(at, 0, pops, value) });
  }

  /** The places of the takings that a pop may claim, those first that the fewest others may. */
  *claimable(pop: number): Generator<number> {
    for (let at = 0; at < this.takings.length; at += 2) if (this.takings[at] > pop) yield at;
  }

  withoutTaking(at: number): Marks {
    return this.#with({ takings: this.takings.toSpliced(at, 2) });
  }

  /** A pop is open no longer; undefined if the others can not have taken all that was. */
  withoutPop(pop: number): Marks | undefined {
    const { empty } = this;
    const takings = this.takings.map((own, i) => (i % 2 === 0 && own > pop ? own - 1 : own));
    for (let at = 0; at < takings.length; at += 2) if (takings[at] <= at / 2) return undefined;
    return this.#with({ takings, empty: empty > pop ? empty - 1 : empty });
  }

  /** It is empty, with so many pops open. */
  withEmpty(pops: number): Marks {
    return this.empty === pops ? this : this.#with({ empty: pops });
  }

  /** A value is on top, with so many peeks open. */
  withSeen(value: number, peeks: number): Marks {
    if (peeks === 0) return this;
    const { seen } = this;
    let at = 0;
    while (at < seen.length && seen[at] < value) at += 2;
    if (seen[at] === value && seen[at + 1] === peeks) return this;
    return this.#with({ seen: seen.toSpliced(at, seen[at] === value ? 2 : 0, value, peeks) });
  }

  hasSeen(peek: number, value: number): boolean {
    for (let at = 0; at < this.seen.length; at += 2)
      if (this.seen[at] === value) return this.seen[at + 1] > peek;
    return false;
  }

  /** A peek is open no longer. */
  withoutPeek(peek: number): Marks {
    const seen: number[] = [];
    for (let at = 0; at < this.seen.length; at += 2) {
      const [value, peeks] = this.seen.slice(at, at + 2);
      const left = peeks > peek ? peeks - 1 : peeks;
      if (left > 0) seen.push(value, left);
    }
    return this.#with({ seen });
  }

  /** Those that are taken, seen or spare. */
  *values(): Generator<number> {
    for (let at = 0; at < this.takings.length; at += 2) yield this.takings[at + 1];
    for (let at = 0; at < this.seen.length; at += 2) yield this.seen[at];
    yield* this.spare;
  }

  #with(fields: Partial<Fields>): Marks {
    const { pushed, takings, empty, seen, freePops, spare } = this;
    return new Marks({ pushed, takings, empty, seen, freePops, spare, ...fields });
  }
}

function inserted(numbers: readonly number[], one: number): readonly number[] {
  const at = numbers.findIndex((own) => own > one);
  return numbers.toSpliced(at < 0 ? numbers.length : at, 0, one);
}
