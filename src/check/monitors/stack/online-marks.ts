/**
 * What a configuration of a stack knows of the calls that are open, beside the stack itself.
 *
 * What open pops have taken are takings; and like these, the last time that the stack was empty, and the last time that a value was on top, are numbers of
 * pops and peeks that had been called by then. Marks never change; each method gives others.
 */
import {
  claim,
  possibleClaims,
  type UnclaimedRemovals,
  valuesRemoved,
  withoutRemoval,
  withRemoval,
} from '../../stream/unclaimed-removals.js';

interface Fields {
  /** The slots of open pushes that have taken effect, ascending. */
  readonly pushed: readonly number[];
  readonly takings: UnclaimedRemovals;
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
  readonly takings: UnclaimedRemovals;
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
    return this.#with({ takings: withRemoval(this.takings, value, pops) });
  }

  /** A pop claims a value; undefined if it can not. */
  claimed(pop: number, value: number): Marks | undefined {
    const takings = claim(this.takings, pop, value);
    return takings && this.#with({ takings });
  }

  /** Each value that a pop may have taken is claimed. */
  claims(pop: number): Marks[] {
    return possibleClaims(this.takings, pop).map((takings) => this.#with({ takings }));
  }

  /** A pop is open no longer; undefined if the others can not have taken all that was. */
  withoutPop(pop: number): Marks | undefined {
    const { empty } = this;
    const takings = withoutRemoval(this.takings, pop);
    return takings && this.#with({ takings, empty: empty > pop ? empty - 1 : empty });
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
    yield* valuesRemoved(this.takings);
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
