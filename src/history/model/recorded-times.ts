/**
 * The times of calls and returns by the recording clock.
 *
 * Checkers need only the order of events. Times are kept on request, to draw a history to scale.
 */
import { GrowingNumbers } from '../../base/collections/growing.js';
import { addTimestamps, type Timestamp } from './timestamps.js';

export interface RecordedTimes {
  /** Operation id to time; NaN if unknown. */
  readonly call: Float64Array;
  readonly return: Float64Array;
  /** Offset to add to each time: the first time, if times have too many digits for doubles. */
  readonly since?: string;
}

export class RecordedTimesBuilder {
  /** Entry to its times. */
  readonly #call = new GrowingNumbers();
  readonly #return = new GrowingNumbers();
  #since: Timestamp | undefined;
  #hasAny = false;

  /** Adds the call of the next entry. */
  add(at: Timestamp | undefined): void {
    this.#call.push(this.#numberOf(at));
    this.#return.push(Number.NaN);
  }

  end(entry: number, at: Timestamp | undefined): void {
    this.#return.set(entry, this.#numberOf(at));
  }

  finish(entryOf: Int32Array): RecordedTimes | undefined {
    if (!this.#hasAny) return undefined;
    const pick = (times: GrowingNumbers) => Float64Array.from(entryOf, (entry) => times.at(entry));
    return {
      call: pick(this.#call),
      return: pick(this.#return),
      ...(this.#since !== undefined && { since: String(this.#since) }),
    };
  }

  /** The first time decides: if it does not fit a double, it becomes the offset. */
  #numberOf(at: Timestamp | undefined): number {
    if (at === undefined) return Number.NaN;
    if (!this.#hasAny && !(typeof at === 'number' || Number.isSafeInteger(Number(at)))) this.#since = at;
    this.#hasAny = true;
    return Number(this.#since === undefined ? at : addTimestamps(at, negated(this.#since)));
  }
}

const negated = (stamp: Timestamp): Timestamp => {
  if (typeof stamp !== 'string') return -stamp;
  return stamp.startsWith('-') ? stamp.slice(1) : `-${stamp}`;
};
