/**
 * All ways in which a queue can have come to where it is, and what is left of them when a call ends. None: no order gets past it.
 *
 *   enqueue → done    nothing is to be decided; but if some may yet answer that it was empty, others may have taken all that was in it
 *                     just before
 *   dequeue → v       v was taken when this dequeue had been called; or a copy of it goes, and before it others took all that has to be
 *                     gone then
 *   dequeue → empty   it was empty during the call, or is when others have taken all there was
 *   failed            it has not taken effect
 *   pending           if it has not taken effect it may do so at any time
 *
 * All else can wait: what others take out later is the same, and comes from the same end.
 */

import { ConfigurationLimitExceeded, type ConfigurationLimits } from '../../stream/configurations.js';
import { NOT_YET, type OnlineOperation } from '../../stream/operation.js';
import {
  claim,
  possibleClaims,
  type UnclaimedRemovals,
  withoutRemoval,
  withRemoval,
} from '../../stream/unclaimed-removals.js';
import { NOTHING, type NumberedOutcome } from '../../stream/value-numbering.js';
import { Entries, type Entry, type Gone } from './online-entries.js';

/* A configuration of a queue: what is gone, and what open dequeues have to do with it. Ways never change. */

interface QueueFields {
  /** The numbers of entries that were taken out, ascending, as long as they are in other ways. */
  readonly gone: Gone;
  readonly takings: UnclaimedRemovals;
  /** How many of the open dequeues had been called when the queue was empty last. */
  readonly empty: number;
  /** How many dequeues whose callers gave up have not taken effect yet. */
  readonly free: number;
}

class QueueConfiguration implements QueueFields {
  readonly gone: Gone;
  readonly takings: UnclaimedRemovals;
  readonly empty: number;
  readonly free: number;

  constructor({ gone, takings, empty, free }: QueueFields = { gone: [], takings: [], empty: 0, free: 0 }) {
    this.gone = gone;
    this.takings = takings;
    this.empty = empty;
    this.free = free;
  }

  /** The same for ways that are equal. */
  get key(): string {
    return `${this.gone};${this.takings};${this.empty};${this.free}`;
  }

  without({ number }: Entry): QueueConfiguration {
    const at = this.gone.findLastIndex((own) => own < number);
    return this.#with({ gone: this.gone.toSpliced(at + 1, 0, number) });
  }

  /** These entries are gone from all ways. */
  forgetting(gone: Gone): QueueConfiguration {
    return this.#with({ gone: this.gone.filter((number) => !gone.includes(number)) });
  }

  withFree(): QueueConfiguration {
    return this.#with({ free: this.free + 1 });
  }

  /** It is empty, with so many dequeues open. */
  withEmpty(dequeues: number): QueueConfiguration {
    return this.#with({ empty: dequeues });
  }

  /** Others may take out so many. */
  room(dequeues: number): number {
    return dequeues - this.takings.length / 2 + this.free;
  }

  /** Others have taken out these: open dequeues, or some whose callers gave up. */
  *lowered(entries: readonly Entry[], dequeues: number): Generator<QueueConfiguration> {
    const [first, ...others] = entries;
    if (!first) {
      yield this;
      return;
    }
    const left = this.without(first);
    if (this.takings.length < 2 * dequeues) {
      const takings = withRemoval(this.takings, first.value, dequeues);
      yield* left.#with({ takings }).lowered(others, dequeues);
    }
    if (this.free > 0) yield* left.#with({ free: this.free - 1 }).lowered(others, dequeues);
  }

  /** A dequeue claims a value; undefined if it can not. */
  claimed(dequeue: number, value: number): QueueConfiguration | undefined {
    const takings = claim(this.takings, dequeue, value);
    return takings && this.#with({ takings });
  }

  /** Each value that a dequeue may have taken is claimed. */
  claims(dequeue: number): QueueConfiguration[] {
    return possibleClaims(this.takings, dequeue).map((takings) => this.#with({ takings }));
  }

  /** A dequeue is open no longer; undefined if the others can not have taken all that was. */
  withoutDequeue(dequeue: number): QueueConfiguration | undefined {
    const { empty } = this;
    const takings = withoutRemoval(this.takings, dequeue);
    return takings && this.#with({ takings, empty: empty > dequeue ? empty - 1 : empty });
  }

  #with(fields: Partial<QueueFields>): QueueConfiguration {
    const { gone, takings, empty, free } = this;
    return new QueueConfiguration({ gone, takings, empty, free, ...fields });
  }
}

/** Of a way, or an entry, roughly. */
const BYTES = 300;

type ConfigurationsByKey = ReadonlyMap<string, QueueConfiguration>;

export class QueueConfigurations {
  readonly entries: Entries = new Entries();
  /** By call; those whose callers gave up are not among them. */
  readonly dequeues: OnlineOperation[] = [];
  readonly #limits: ConfigurationLimits;
  #found: ConfigurationsByKey = new Map([['', new QueueConfiguration()]]);

  constructor(limits: ConfigurationLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#found.size;
  }

  all(): QueueConfiguration[] {
    return [...this.#found.values()];
  }

  callDequeue(operation: OnlineOperation): void {
    this.dequeues.push(operation);
    this.#found = this.#each((way, to) => to(this.#seeing(way)));
  }

  /** Gives whether any is left; if not, nothing has changed. */
  endEnqueue(entry: Entry, ending: NumberedOutcome, now: number): boolean {
    const left = this.#afterEnqueue(entry, ending);
    if (left.size === 0) return false;
    this.#found = left;
    if (ending === 'failed') this.entries.remove(entry);
    else if (ending === 'pending') entry.isGivenUp = true;
    else this.entries.return(entry, now);
    this.#forget();
    return true;
  }

  /** Likewise. */
  endDequeue(operation: OnlineOperation, ending: NumberedOutcome): boolean {
    const left = this.#afterDequeue(operation, ending);
    if (left.size === 0) return false;
    this.#found = left;
    this.dequeues.splice(this.dequeues.indexOf(operation), 1);
    this.#forget();
    return true;
  }

  /** Could an open dequeue have ended so? */
  allows(operation: OnlineOperation, ending: NumberedOutcome): boolean {
    return this.#afterDequeue(operation, ending).size > 0;
  }

  #afterEnqueue({ number }: Entry, ending: NumberedOutcome): ConfigurationsByKey {
    const dequeues = this.dequeues.length;
    return this.#each((way, to) => {
      const isGone = way.gone.includes(number);
      if (ending === 'failed' && isGone) return;
      to(way);
      if (typeof ending !== 'number' || isGone || dequeues === 0) return;
      const standing = this.#standing(way) ?? [];
      // if all dequeues have taken something, nobody answers that it was empty
      for (const left of standing.length > 0 ? way.lowered(standing, dequeues) : [])
        if (left.takings.length < 2 * dequeues) to(left.withEmpty(dequeues));
    });
  }

  #afterDequeue(operation: OnlineOperation, ending: NumberedOutcome): ConfigurationsByKey {
    const dequeue = this.dequeues.indexOf(operation);
    return this.#each((way, to) => {
      const goOn = (left: QueueConfiguration): void => {
        const next = this.#seeing(left).withoutDequeue(dequeue);
        if (next) to(next);
      };
      if (ending === 'failed') goOn(way);
      else if (ending === 'pending') [way.withFree(), ...way.claims(dequeue)].forEach(goOn);
      else if (ending !== NOTHING) this.#take(way, dequeue, ending, goOn);
      else if (way.empty > dequeue) goOn(way);
      else {
        const standing = this.#standing(way);
        for (const left of standing ? way.lowered(standing, this.dequeues.length) : []) goOn(left);
      }
    });
  }

  #take(
    way: QueueConfiguration,
    dequeue: number,
    value: number,
    goOn: (left: QueueConfiguration) => void,
  ): void {
    const claimed = way.claimed(dequeue, value);
    if (claimed) goOn(claimed);
    // the later one was called, the more have to be gone; where that is the same, it is better to take one that has returned
    let before = NOT_YET;
    for (const entry of this.entries.copies(value, way.gone).reverse()) {
      const standing = this.#standing(way, entry.operation.call);
      if (!standing || standing.length === before) continue;
      if (entry.returned < NOT_YET) before = standing.length;
      for (const left of way.lowered(standing, this.dequeues.length)) goOn(left.without(entry));
    }
  }

  /** Those that returned before, if others may have taken as many. */
  #standing(way: QueueConfiguration, before = NOT_YET): Entry[] | undefined {
    return this.entries.standing(before, way.gone, way.room(this.dequeues.length));
  }

  /** Marked as empty, if it may be. */
  #seeing(way: QueueConfiguration): QueueConfiguration {
    const isEmpty = this.entries.standing(NOT_YET, way.gone, 0) !== undefined;
    return isEmpty ? way.withEmpty(this.dequeues.length) : way;
  }

  /** Lets go of what is over in all ways. */
  #forget(): void {
    const [first, ...others] = this.all();
    const over = first.gone
      .filter((number) => others.every(({ gone }) => gone.includes(number)))
      .map((number) => this.entries.numbered(number))
      .filter(({ returned, isGivenUp }) => returned < NOT_YET || isGivenUp);
    if (over.length === 0) return;
    const gone: Gone = over.map(({ number }) => number);
    this.#found = this.#each((way, to) => to(way.forgetting(gone)));
    for (const entry of over) this.entries.remove(entry);
  }

  #each(
    step: (way: QueueConfiguration, to: (next: QueueConfiguration) => void) => void,
  ): ConfigurationsByKey {
    const next = new Map<string, QueueConfiguration>();
    const to = (way: QueueConfiguration): void => {
      next.set(way.key, way);
      if (next.size > this.#limits.configurations) throw new ConfigurationLimitExceeded('configurations');
      if (BYTES * (next.size + this.entries.size) > this.#limits.bytes)
        throw new ConfigurationLimitExceeded('memory');
    };
    for (const way of this.#found.values()) step(way, to);
    return next;
  }
}
