/**
 * When operations were called and returned, by the clock that recorded them.
 *
 * Checkers need only the order. Times are kept where somebody asks for them, to draw a history to scale.
 */
import { GrowingNumbers } from '../../base/collections/growing.js';
import { addStamps, type Stamp } from './stamps.js';

export interface Times {
  /** Operation id to its time; NaN where none is known. */
  readonly call: Float64Array;
  readonly return: Float64Array;
  /** What to add to each: the first time, where times have too many digits for numbers. */
  readonly since?: string;
}

export class KeptTimes {
  /** Entry to its times. */
  readonly #call = new GrowingNumbers();
  readonly #return = new GrowingNumbers();
  #since: Stamp | undefined;
  #hasAny = false;

  /** The next entry is called. */
  add(at: Stamp | undefined): void {
    this.#call.push(this.#numberOf(at));
    this.#return.push(Number.NaN);
  }

  end(entry: number, at: Stamp | undefined): void {
    this.#return.set(entry, this.#numberOf(at));
  }

  finish(entryOf: Int32Array): Times | undefined {
    if (!this.#hasAny) return undefined;
    const pick = (times: GrowingNumbers) => Float64Array.from(entryOf, (entry) => times.at(entry));
    return {
      call: pick(this.#call),
      return: pick(this.#return),
      ...(this.#since !== undefined && { since: String(this.#since) }),
    };
  }

  /** The first time decides: one that does not fit a number is the zero of all. */
  #numberOf(at: Stamp | undefined): number {
    if (at === undefined) return Number.NaN;
    if (!this.#hasAny && !(typeof at === 'number' || Number.isSafeInteger(Number(at)))) this.#since = at;
    this.#hasAny = true;
    return Number(this.#since === undefined ? at : addStamps(at, negated(this.#since)));
  }
}

const negated = (stamp: Stamp): Stamp => {
  if (typeof stamp !== 'string') return -stamp;
  return stamp.startsWith('-') ? stamp.slice(1) : `-${stamp}`;
};
