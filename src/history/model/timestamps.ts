/**
 * Timestamps with exact comparison.
 *
 * A timestamp is a number, a bigint (nanoseconds since 1970 exceed 2^53) or a decimal string. Each
 * is stored as two doubles: `high`, the nearest one, and `low`, the remainder. This is exact for up
 * to 30 digits. Cost: 8 bytes per timestamp while all remainders are 0, otherwise 16.
 */
import { GrowingNumbers } from '../../base/collections/growing.js';

/** A time in any unit; a bigint is exact. */
export type Timestamp = number | bigint | string;

/**
 * An integer of up to 19 digits as two doubles. A reader reuses one instance for all times, and needs neither a bigint
 * nor a text.
 */
export class LongTime {
  high = 0;
  low = 0;

  /** Sets `head · 10^9 + tail`. False if the doubles cannot hold it. */
  set(head: number, tail: number, isNegative: boolean): boolean {
    if (head > MAX_HEAD) return false;
    const shifted = head * 1e9;
    const sum = shifted + tail;
    // exact, because the tail is smaller (Dekker's fast two-sum)
    const rest = tail - (sum - shifted);
    this.high = isNegative ? -sum : sum;
    this.low = isNegative ? -rest : rest;
    return true;
  }

  toBigInt(): bigint {
    return BigInt(this.high) + BigInt(this.low);
  }

  toString(): string {
    return String(this.toBigInt());
  }
}

/** A time that no reader reuses. */
export const exactTime = (time: Timestamp | LongTime): Timestamp =>
  time instanceof LongTime ? time.toBigInt() : time;

/** The product of 10^9 and a head up to this one is a double: 10^9 is 2^9 · 5^9. */
const MAX_HEAD = Math.floor(Number.MAX_SAFE_INTEGER / 5 ** 9);

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const MAX_DIGITS = 30;

export class TimestampList {
  /** NaN if there is no timestamp. */
  readonly #high = new GrowingNumbers();
  #low: GrowingNumbers | undefined;
  /** Flat copies; undefined after a change. */
  #flat: { readonly high: Float64Array; readonly low: Float64Array | undefined } | undefined;

  get length(): number {
    return this.#high.length;
  }

  /** Adds a timestamp; throws a RangeError unless it is finite and has at most 30 digits. */
  push(timestamp: Timestamp | LongTime): void {
    this.#flat = undefined;
    // most timestamps are plain numbers and need no pair
    if (typeof timestamp === 'number') {
      this.#high.push(finite(timestamp, timestamp));
      this.#low?.push(0);
      return;
    }
    if (timestamp instanceof LongTime) this.#pushPair(timestamp.high, timestamp.low);
    else this.#pushPair(...split(timestamp));
  }

  #pushPair(high: number, low: number): void {
    if (low !== 0) this.#makeLow();
    this.#high.push(high);
    this.#low?.push(low);
  }

  /** Adds an empty slot for a later timestamp. */
  pushEmpty(): void {
    this.#flat = undefined;
    this.#high.push(Number.NaN);
    this.#low?.push(0);
  }

  set(index: number, timestamp: Timestamp | LongTime): void {
    this.#flat = undefined;
    if (typeof timestamp === 'number') {
      this.#high.set(index, finite(timestamp, timestamp));
      this.#low?.set(index, 0);
      return;
    }
    const [high, low] = toPair(timestamp);
    if (low !== 0) this.#makeLow();
    this.#high.set(index, high);
    this.#low?.set(index, low);
  }

  has(index: number): boolean {
    return !Number.isNaN(this.#high.at(index));
  }

  compare(a: number, b: number): number {
    return this.compareTo(a, this, b);
  }

  /** Compares a timestamp of this list with one of another. */
  compareTo(a: number, other: TimestampList, b: number): number {
    return this.#high.at(a) - other.#high.at(b) || (this.#low?.at(a) ?? 0) - (other.#low?.at(b) ?? 0);
  }

  /** The same comparison over flat copies, which is faster for many comparisons. */
  comparison(other: TimestampList): (a: number, b: number) => number {
    const { high, low } = this.#flattened();
    const { high: otherHigh, low: otherLow } = other.#flattened();
    return low || otherLow
      ? (a, b) => high[a] - otherHigh[b] || (low?.[a] ?? 0) - (otherLow?.[b] ?? 0)
      : (a, b) => high[a] - otherHigh[b];
  }

  #flattened(): { readonly high: Float64Array; readonly low: Float64Array | undefined } {
    this.#flat ??= { high: this.#high.toArray(), low: this.#low?.toArray() };
    return this.#flat;
  }

  #makeLow(): void {
    if (this.#low) return;
    this.#low = new GrowingNumbers();
    for (let i = 0; i < this.#high.length; i++) this.#low.push(0);
  }
}

/** Compares two timestamps; throws a RangeError if one is invalid. */
export function compareTimestamps(a: Timestamp | LongTime, b: Timestamp | LongTime): number {
  if (Number.isFinite(a) && Number.isFinite(b)) return (a as number) - (b as number);
  if (a instanceof LongTime && b instanceof LongTime) return a.high - b.high || a.low - b.low;
  const [high, low] = toPair(a);
  const [otherHigh, otherLow] = toPair(b);
  return high - otherHigh || low - otherLow;
}

function toPair(timestamp: Timestamp | LongTime): readonly [high: number, low: number] {
  if (timestamp instanceof LongTime) return [timestamp.high, timestamp.low];
  return typeof timestamp === 'number' ? [finite(timestamp, timestamp), 0] : split(timestamp);
}

/** The exact decimal sum of two timestamps. Numbers count as the decimals they are printed as. */
export function addTimestamps(a: Timestamp, b: Timestamp): Timestamp {
  const sum = Number(a) + Number(b);
  if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(sum)) return sum;
  const [one, other] = [parse(a), parse(b)];
  if (one.digits === 0n) return b;
  if (other.digits === 0n) return a;
  if (Math.abs(one.scale - other.scale) > 2 * MAX_DIGITS) throw tooLong();
  const scale = Math.max(one.scale, other.scale);
  const units = ({ digits, scale: own }: Decimal): bigint => digits * 10n ** BigInt(scale - own);
  const exact = `${units(one) + units(other)}e${-scale}`;
  parse(exact);
  return exact;
}

/** `digits / 10^scale`, normalised: the digits do not end in 0. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

function parse(timestamp: Timestamp): Decimal {
  const found = DECIMAL.exec(String(timestamp));
  if (!found) throw new RangeError(`invalid time ${JSON.stringify(String(timestamp))}; expected a number`);
  const [, sign, whole, fraction = '', exponent = '0'] = found;
  const written = (whole + fraction).replace(/^0+/, '');
  const digits = written.replace(/0+$/, '');
  if (digits.length > MAX_DIGITS) throw tooLong();
  const scale = digits === '' ? 0 : fraction.length - Number(exponent) - (written.length - digits.length);
  return { digits: BigInt(sign + (digits || '0')), scale };
}

const tooLong = (): RangeError => new RangeError(`a time with more than ${MAX_DIGITS} digits`);

const INTEGER = /^-?\d{1,19}$/;
const long = new LongTime();

function split(timestamp: bigint | string): [high: number, low: number] {
  if (typeof timestamp === 'bigint') {
    const high = Number(timestamp);
    if (Math.abs(high) < 10 ** MAX_DIGITS) return [high, Number(timestamp - BigInt(high))];
  } else if (INTEGER.test(timestamp)) {
    const isNegative = timestamp.startsWith('-');
    const [head, tail] = [timestamp.slice(isNegative ? 1 : 0, -9), timestamp.slice(-9)];
    if (head === '') return [Number(timestamp), 0];
    if (long.set(Number(head), Number(tail), isNegative)) return [long.high, long.low];
  }
  const { digits, scale } = parse(timestamp);
  const high = finite(Number(timestamp), timestamp);

  // low = exact value - high, a fraction of two integers, to at least 60 binary digits
  if (Math.abs(scale) > 400) return [high, 0];
  const units = digits * 10n ** BigInt(Math.max(0, -scale));
  const denominator = 10n ** BigInt(Math.max(0, scale));
  const [mantissa, shift] = binary(high);
  const missing = (units << shift) - mantissa * denominator;
  const precision = Math.max(0, bits(denominator << shift) - bits(missing) + 64);
  return [high, Number((missing << BigInt(precision)) / (denominator << shift)) * 2 ** -precision];
}

/** The number of binary digits of an integer, rounded up by at most three. */
const bits = (integer: bigint): number => 4 * integer.toString(16).length;

/** A double as `mantissa / 2^shift`, exactly. */
function binary(number: number): [mantissa: bigint, shift: bigint] {
  let shift = 0;
  let mantissa = number;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    shift++;
  }
  return [BigInt(mantissa), BigInt(shift)];
}

function finite(time: number, written: unknown): number {
  if (!Number.isFinite(time)) throw new RangeError(`invalid time ${written}; expected a finite number`);
  return time;
}

/*
 * The times of calls and returns by the recording clock.
 *
 * Checkers need only the order of events. Times are kept on request, to draw a history to scale.
 */

export interface RecordedTimes {
  /** Operation id to time; NaN if unknown. */
  readonly call: Float64Array;
  readonly return: Float64Array;
  /** Offset to add to each time: the first time, if times have too many digits for doubles. */
  readonly since?: string;
  /** The kind of clock, if it is known: dates, in nanoseconds since 1970, or the nanoseconds of Jepsen. */
  readonly clock?: 'dates' | 'nanoseconds';
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

/** Minus a timestamp, exactly. */
export const negated = (stamp: Timestamp): Timestamp => {
  if (typeof stamp !== 'string') return -stamp;
  return stamp.startsWith('-') ? stamp.slice(1) : `-${stamp}`;
};
