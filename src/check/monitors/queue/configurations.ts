/**
 * All configurations that a queue can be in, and those that remain when a call ends. If none remains, no
 * linearization includes that end.
 *
 *   enqueue → done    nothing to decide; but if an open dequeue may yet return "empty", other dequeues may have
 *                     removed everything just before
 *   dequeue → v       v was removed after this dequeue was called; or a duplicate of v is removed now, after open
 *                     dequeues removed everything that must be gone before it
 *   dequeue → empty   the queue was empty during the call, or open dequeues empty it now
 *   failed            the operation has not taken effect
 *   pending           if it has not taken effect, it may do so at any time
 *
 * Every other effect can wait: a later removal takes the same value from the same end.
 */

import { ConfigurationLimitExceeded, type ConfigurationLimits } from '../../stream/configurations.js';
import {
  claim,
  possibleClaims,
  type UnclaimedRemovals,
  withoutRemoval,
  withRemoval,
} from '../../stream/pending-effects.js';
import { NOT_YET, type OnlineOperation } from '../../stream/steps.js';
import { NOTHING, type NumberedOutcome } from '../../stream/value-numbering.js';
import { Entries, type Entry, type Gone } from './online-entries.js';

/* A configuration of a queue: which entries are gone, and which removals are unclaimed. Immutable. */

interface QueueFields {
  /** The numbers of removed entries, ascending, as long as other configurations still have them. */
  readonly gone: Gone;
  readonly unclaimed: UnclaimedRemovals;
  /** How many of the open dequeues had been called when the queue was last empty. */
  readonly empty: number;
  /** How many dequeues with unknown outcome have not taken effect. */
  readonly free: number;
}

class QueueConfiguration implements QueueFields {
  readonly gone: Gone;
  readonly unclaimed: UnclaimedRemovals;
  readonly empty: number;
  readonly free: number;

  constructor(
    { gone, unclaimed, empty, free }: QueueFields = { gone: [], unclaimed: [], empty: 0, free: 0 },
  ) {
    this.gone = gone;
    this.unclaimed = unclaimed;
    this.empty = empty;
    this.free = free;
  }

  /** Equal for equal configurations. */
  get key(): string {
    return `${this.gone};${this.unclaimed};${this.empty};${this.free}`;
  }

  without({ number }: Entry): QueueConfiguration {
    const at = this.gone.findLastIndex((own) => own < number);
    return this.#with({ gone: this.gone.toSpliced(at + 1, 0, number) });
  }

  /** Drops entries that are gone from all configurations. */
  forgetting(gone: Gone): QueueConfiguration {
    return this.#with({ gone: this.gone.filter((number) => !gone.includes(number)) });
  }

  withFree(): QueueConfiguration {
    return this.#with({ free: this.free + 1 });
  }

  /** The queue is empty while this many dequeues are open. */
  withEmpty(dequeues: number): QueueConfiguration {
    return this.#with({ empty: dequeues });
  }

  /** How many entries other dequeues may still remove. */
  room(dequeues: number): number {
    return dequeues - this.unclaimed.length / 2 + this.free;
  }

  /** All configurations after open dequeues, or dequeues with unknown outcome, removed these entries. */
  *afterRemovals(entries: readonly Entry[], dequeues: number): Generator<QueueConfiguration> {
    const [first, ...others] = entries;
    if (!first) {
      yield this;
      return;
    }
    const left = this.without(first);
    if (this.unclaimed.length < 2 * dequeues) {
      const unclaimed = withRemoval(this.unclaimed, first.value, dequeues);
      yield* left.#with({ unclaimed }).afterRemovals(others, dequeues);
    }
    if (this.free > 0) yield* left.#with({ free: this.free - 1 }).afterRemovals(others, dequeues);
  }

  /** After a dequeue claims a value; undefined if it cannot. */
  claimed(dequeue: number, value: number): QueueConfiguration | undefined {
    const unclaimed = claim(this.unclaimed, dequeue, value);
    return unclaimed && this.#with({ unclaimed });
  }

  /** After a dequeue claims any value that it may have removed. */
  claims(dequeue: number): QueueConfiguration[] {
    return possibleClaims(this.unclaimed, dequeue).map((unclaimed) => this.#with({ unclaimed }));
  }

  /** After a dequeue ends; undefined if the others cannot have removed everything that is unclaimed. */
  withoutDequeue(dequeue: number): QueueConfiguration | undefined {
    const { empty } = this;
    const unclaimed = withoutRemoval(this.unclaimed, dequeue);
    return unclaimed && this.#with({ unclaimed, empty: empty > dequeue ? empty - 1 : empty });
  }

  #with(fields: Partial<QueueFields>): QueueConfiguration {
    const { gone, unclaimed, empty, free } = this;
    return new QueueConfiguration({ gone, unclaimed, empty, free, ...fields });
  }
}

/** Bytes per configuration or entry, estimated. */
const BYTES = 300;

type ConfigurationsByKey = ReadonlyMap<string, QueueConfiguration>;

export class QueueConfigurations {
  readonly entries: Entries = new Entries();
  /** Open dequeues by call, without those of unknown outcome. */
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
    this.#found = this.#each((configuration, to) => to(this.#seeing(configuration)));
  }

  /** Returns whether any configuration remains; if none does, nothing has changed. */
  endEnqueue(entry: Entry, ending: NumberedOutcome, now: number): boolean {
    const left = this.#afterEnqueue(entry, ending);
    if (left.size === 0) return false;
    this.#found = left;
    if (ending === 'failed') this.entries.remove(entry);
    else if (ending === 'pending') entry.isUnknown = true;
    else this.entries.return(entry, now);
    this.#forget();
    return true;
  }

  /** Returns whether any configuration remains; if none does, nothing has changed. */
  endDequeue(operation: OnlineOperation, ending: NumberedOutcome): boolean {
    const left = this.#afterDequeue(operation, ending);
    if (left.size === 0) return false;
    this.#found = left;
    this.dequeues.splice(this.dequeues.indexOf(operation), 1);
    this.#forget();
    return true;
  }

  /** Whether an open dequeue could have ended with this outcome. */
  allows(operation: OnlineOperation, ending: NumberedOutcome): boolean {
    return this.#afterDequeue(operation, ending).size > 0;
  }

  #afterEnqueue({ number }: Entry, ending: NumberedOutcome): ConfigurationsByKey {
    const dequeues = this.dequeues.length;
    return this.#each((configuration, to) => {
      const isGone = configuration.gone.includes(number);
      if (ending === 'failed' && isGone) return;
      to(configuration);
      if (typeof ending !== 'number' || isGone || dequeues === 0) return;
      const standing = this.#standing(configuration) ?? [];
      // if every dequeue has removed something, none returns "empty"
      for (const left of standing.length > 0 ? configuration.afterRemovals(standing, dequeues) : [])
        if (left.unclaimed.length < 2 * dequeues) to(left.withEmpty(dequeues));
    });
  }

  #afterDequeue(operation: OnlineOperation, ending: NumberedOutcome): ConfigurationsByKey {
    const dequeue = this.dequeues.indexOf(operation);
    return this.#each((configuration, to) => {
      const keep = (left: QueueConfiguration): void => {
        const next = this.#seeing(left).withoutDequeue(dequeue);
        if (next) to(next);
      };
      if (ending === 'failed') keep(configuration);
      else if (ending === 'pending')
        [configuration.withFree(), ...configuration.claims(dequeue)].forEach(keep);
      else if (ending !== NOTHING) this.#take(configuration, dequeue, ending, keep);
      else if (configuration.empty > dequeue) keep(configuration);
      else {
        const standing = this.#standing(configuration);
        for (const left of standing ? configuration.afterRemovals(standing, this.dequeues.length) : [])
          keep(left);
      }
    });
  }

  #take(
    configuration: QueueConfiguration,
    dequeue: number,
    value: number,
    keep: (left: QueueConfiguration) => void,
  ): void {
    const claimed = configuration.claimed(dequeue, value);
    if (claimed) keep(claimed);
    // the later a duplicate was enqueued, the more entries must go first; among equals, prefer one that has returned
    let before = NOT_YET;
    for (const entry of this.entries.duplicates(value, configuration.gone).reverse()) {
      const standing = this.#standing(configuration, entry.operation.call);
      if (!standing || standing.length === before) continue;
      if (entry.returned < NOT_YET) before = standing.length;
      for (const left of configuration.afterRemovals(standing, this.dequeues.length))
        keep(left.without(entry));
    }
  }

  /** The entries that returned before a time, if other dequeues may have removed them all. */
  #standing(configuration: QueueConfiguration, before = NOT_YET): Entry[] | undefined {
    return this.entries.standing(before, configuration.gone, configuration.room(this.dequeues.length));
  }

  /** Marks the queue as empty, if it can be. */
  #seeing(configuration: QueueConfiguration): QueueConfiguration {
    const isEmpty = this.entries.standing(NOT_YET, configuration.gone, 0) !== undefined;
    return isEmpty ? configuration.withEmpty(this.dequeues.length) : configuration;
  }

  /** Drops entries that are gone in all configurations. */
  #forget(): void {
    const [first, ...others] = this.all();
    const over = first.gone
      .filter((number) => others.every(({ gone }) => gone.includes(number)))
      .map((number) => this.entries.numbered(number))
      .filter(({ returned, isUnknown }) => returned < NOT_YET || isUnknown);
    if (over.length === 0) return;
    const gone: Gone = over.map(({ number }) => number);
    this.#found = this.#each((configuration, to) => to(configuration.forgetting(gone)));
    for (const entry of over) this.entries.remove(entry);
  }

  #each(
    step: (configuration: QueueConfiguration, to: (next: QueueConfiguration) => void) => void,
  ): ConfigurationsByKey {
    const next = new Map<string, QueueConfiguration>();
    const to = (configuration: QueueConfiguration): void => {
      next.set(configuration.key, configuration);
      if (next.size > this.#limits.configurations) throw new ConfigurationLimitExceeded('configurations');
      if (BYTES * (next.size + this.entries.size) > this.#limits.bytes)
        throw new ConfigurationLimitExceeded('memory');
    };
    for (const configuration of this.#found.values()) step(configuration, to);
    return next;
  }
}
