/** A configuration of a queue: what is gone, and what open dequeues have to do with it. Ways never change. */
import {
  claimed,
  claims,
  type Takings,
  withoutRemoval,
  withTaking,
} from '../../stream/unclaimed-removals.js';
import type { Entry, Gone } from './online-entries.js';

interface Fields {
  /** The numbers of entries that were taken out, ascending, as long as they are in other ways. */
  readonly gone: Gone;
  readonly takings: Takings;
  /** How many of the open dequeues had been called when the queue was empty last. */
  readonly empty: number;
  /** How many dequeues whose callers gave up have not taken effect yet. */
  readonly free: number;
}

export class Way implements Fields {
  readonly gone: Gone;
  readonly takings: Takings;
  readonly empty: number;
  readonly free: number;

  constructor({ gone, takings, empty, free }: Fields = { gone: [], takings: [], empty: 0, free: 0 }) {
    this.gone = gone;
    this.takings = takings;
    this.empty = empty;
    this.free = free;
  }

  /** The same for ways that are equal. */
  get key(): string {
    return `${this.gone};${this.takings};${this.empty};${this.free}`;
  }

  without({ number }: Entry): Way {
    const at = this.gone.findLastIndex((own) => own < number);
    return this.#with({ gone: this.gone.toSpliced(at + 1, 0, number) });
  }

  /** These entries are gone from all ways. */
  forgetting(gone: Gone): Way {
    return this.#with({ gone: this.gone.filter((number) => !gone.includes(number)) });
  }

  withFree(): Way {
    return this.#with({ free: this.free + 1 });
  }

  /** It is empty, with so many dequeues open. */
  withEmpty(dequeues: number): Way {
    return this.#with({ empty: dequeues });
  }

  /** Others may take out so many. */
  room(dequeues: number): number {
    return dequeues - this.takings.length / 2 + this.free;
  }

  /** Others have taken out these: open dequeues, or some whose callers gave up. */
  *lowered(entries: readonly Entry[], dequeues: number): Generator<Way> {
    const [first, ...others] = entries;
    if (!first) {
      yield this;
      return;
    }
    const left = this.without(first);
    if (this.takings.length < 2 * dequeues) {
      const takings = withTaking(this.takings, first.value, dequeues);
      yield* left.#with({ takings }).lowered(others, dequeues);
    }
    if (this.free > 0) yield* left.#with({ free: this.free - 1 }).lowered(others, dequeues);
  }

  /** A dequeue claims a value; undefined if it can not. */
  claimed(dequeue: number, value: number): Way | undefined {
    const takings = claimed(this.takings, dequeue, value);
    return takings && this.#with({ takings });
  }

  /** Each value that a dequeue may have taken is claimed. */
  claims(dequeue: number): Way[] {
    return claims(this.takings, dequeue).map((takings) => this.#with({ takings }));
  }

  /** A dequeue is open no longer; undefined if the others can not have taken all that was. */
  withoutDequeue(dequeue: number): Way | undefined {
    const { empty } = this;
    const takings = withoutRemoval(this.takings, dequeue);
    return takings && this.#with({ takings, empty: empty > dequeue ? empty - 1 : empty });
  }

  #with(fields: Partial<Fields>): Way {
    const { gone, takings, empty, free } = this;
    return new Way({ gone, takings, empty, free, ...fields });
  }
}
