/**
 * Timestamps with exact comparison.
 *
 * A timestamp is a number, a bigint (nanoseconds since 1970 exceed 2^53) or a decimal string. As two
 * doubles, `high`, the nearest one, and `low`, the remainder, it is exact for up to 30 digits.
 */
import { GrowingNumbers } from '../../base/collections/growing.js';

/** A time in any unit; a bigint is exact. */
export type Timestamp = number | bigint | string;

/**
 * A decimal of up to 19 digits as two doubles. A reader reuses one instance for all times, and needs neither a bigint
 * nor a text.
 */
export class LongTime {
  high = 0;
  low = 0;
  /** The digits without their last nine, and these; both with the sign. */
  #head = 0;
  #tail = 0;
  #places = 0;

  /**
   * Sets `(head · 10^9 + tail) / 10^places`; the last of the places is not 0. False if the doubles cannot hold it.
   *
   * `high` is the nearest double, and the error of `low` is below 2^-105 of the time. Two times of up to 30 digits
   * differ by more, so their pairs compare as they do.
   */
  set(head: number, tail: number, isNegative: boolean, places = 0): boolean {
    if (head > MAX_HEAD || places > MAX_PLACES) return false;
    this.#head = isNegative ? -head : head;
    this.#tail = isNegative ? -tail : tail;
    this.#places = places;
    const shifted = head * 1e9;
    let high = shifted + tail;
    // exact, because the tail is smaller (Dekker's fast two-sum)
    let low = tail - (high - shifted);
    if (places > 0) {
      const unit = 10 ** places;
      const quotient = high / unit;
      // the remainder of a division is a double
      const rest = high - quotient * unit - errorOfProduct(quotient, unit) + low;
      const correction = rest / unit;
      high = quotient + correction;
      low = correction - (high - quotient);
    }
    this.high = isNegative ? -high : high;
    this.low = isNegative ? -low : low;
    return true;
  }

  /** The exact difference of two integers, if a double holds it; otherwise NaN. */
  minus(other: LongTime): number {
    const heads = this.#head - other.#head;
    const isExact = this.#places + other.#places === 0 && heads <= MAX_HEADS && -heads <= MAX_HEADS;
    return isExact ? 1e9 * heads + (this.#tail - other.#tail) : Number.NaN;
  }

  /** The same time, as a value that is not reused. */
  copy(): LongTime {
    const copy = new LongTime();
    const isNegative = this.high < 0;
    copy.set(Math.abs(this.#head), Math.abs(this.#tail), isNegative, this.#places);
    return copy;
  }

  /** The same time, as a value that is not reused. */
  toTimestamp(): Timestamp {
    return this.#places === 0 ? BigInt(this.high) + BigInt(this.low) : this.toString();
  }

  toString(): string {
    if (this.#places === 0) return String(BigInt(this.high) + BigInt(this.low));
    const [head, tail] = [Math.abs(this.#head), Math.abs(this.#tail)];
    const digits = `${head}${String(tail).padStart(9, '0')}`.padStart(9 + this.#places + 1, '0');
    const whole = digits.slice(0, -this.#places).replace(/^0+(?=\d)/, '');
    return `${this.high < 0 ? '-' : ''}${whole}.${digits.slice(-this.#places)}`;
  }
}

/** What the rounded product of two doubles lacks (Dekker's product). */
function errorOfProduct(a: number, b: number): number {
  const [bigA, bigB] = [2 ** 27 * a + a, 2 ** 27 * b + b];
  const [highA, highB] = [bigA - (bigA - a), bigB - (bigB - b)];
  const [lowA, lowB] = [a - highA, b - highB];
  return highA * highB - a * b + highA * lowB + lowA * highB + lowA * lowB;
}

/** A time that no reader reuses. */
export const exactTime = (time: Timestamp | LongTime): Timestamp =>
  time instanceof LongTime ? time.toTimestamp() : time;

/** The product of 10^9 and a head up to this one is a double: 10^9 is 2^9 · 5^9. */
const MAX_HEAD = Math.floor(Number.MAX_SAFE_INTEGER / 5 ** 9);
const MAX_PLACES = 9;
/** The product of 10^9 and a difference of heads up to this one, and 10^9 more, is below 2^53. */
const MAX_HEADS = Math.floor(Number.MAX_SAFE_INTEGER / 1e9) - 1;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const MAX_DIGITS = 30;

/** Compares two timestamps; throws a RangeError if one is invalid. */
export function compareTimestamps(a: Timestamp | LongTime, b: Timestamp | LongTime): number {
  if (Number.isFinite(a) && Number.isFinite(b)) return (a as number) - (b as number);
  if (a instanceof LongTime && b instanceof LongTime) return a.high - b.high || a.low - b.low;
  const [high, low] = toPair(a);
  const [otherHigh, otherLow] = toPair(b);
  return high - otherHigh || low - otherLow;
}

/** A time as two doubles. Throws a RangeError unless it is finite and has at most 30 digits. */
export function toPair(timestamp: Timestamp | LongTime): readonly [high: number, low: number] {
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

const INTEGER = /^-?\d{10,19}$/;
const long = new LongTime();

/** An integer of 10 to 19 digits, which is valid until the next call; undefined for other times. */
export function asLong(timestamp: bigint | string): LongTime | undefined {
  const text = String(timestamp);
  if (!INTEGER.test(text)) return undefined;
  const isNegative = text.startsWith('-');
  return long.set(Number(text.slice(isNegative ? 1 : 0, -9)), Number(text.slice(-9)), isNegative)
    ? long
    : undefined;
}

function split(timestamp: bigint | string): [high: number, low: number] {
  if (typeof timestamp === 'bigint') {
    const high = Number(timestamp);
    if (Math.abs(high) < 10 ** MAX_DIGITS) return [high, Number(timestamp - BigInt(high))];
  } else if (asLong(timestamp)) return [long.high, long.low];
  const { digits, scale } = parse(timestamp);
  if (scale > 0 && scale <= MAX_PLACES) {
    const size = digits < 0n ? -digits : digits;
    if (size < 10n ** 19n && long.set(Number(size / 10n ** 9n), Number(size % 10n ** 9n), digits < 0n, scale))
      return [long.high, long.low];
  }
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

export function finite(time: number, written: unknown): number {
  if (!Number.isFinite(time)) throw new RangeError(`invalid time ${written}; expected a finite number`);
  return time;
}

/** The times of calls and returns by the recording clock. Checkers need only the order of events; times are kept on request. */
export interface RecordedTimes {
  /** Operation id to time; NaN if unknown. */
  readonly call: Float64Array;
  readonly return: Float64Array;
  /** Offset to add to each time: the first time, if times have too many digits for doubles. */
  readonly since?: string;
  /** The maximum error of each clock, if there are several. */
  readonly error?: number;
  /** The kind of clock, if it is known: dates, in nanoseconds since 1970, or the nanoseconds of Jepsen. */
  readonly clock?: 'dates' | 'nanoseconds';
}

export class RecordedTimesBuilder {
  /** Entry to its times. */
  readonly #call = new GrowingNumbers();
  readonly #return = new GrowingNumbers();
  #since: { readonly text: string; readonly high: number; readonly low: number } | undefined;
  #hasAny = false;

  /** Adds the call of the next entry. */
  add(at: Timestamp | LongTime | undefined): void {
    this.#call.push(this.#numberOf(at));
    this.#return.push(Number.NaN);
  }

  end(entry: number, at: Timestamp | LongTime | undefined): void {
    this.#return.set(entry, this.#numberOf(at));
  }

  finish(entryOf: Int32Array): RecordedTimes | undefined {
    if (!this.#hasAny) return undefined;
    return {
      call: inOrder(this.#call, entryOf),
      return: inOrder(this.#return, entryOf),
      ...(this.#since !== undefined && { since: this.#since.text }),
    };
  }

  /** The first time decides: if it does not fit a double, it becomes the offset. */
  #numberOf(at: Timestamp | LongTime | undefined): number {
    if (at === undefined) return Number.NaN;
    if (typeof at === 'number' && !this.#since) {
      this.#hasAny = true;
      return at;
    }
    const [high, low] = toPair(at);
    if (!this.#hasAny && !(low === 0 && Number.isSafeInteger(high)))
      this.#since = { text: String(at), high, low };
    this.#hasAny = true;
    return this.#since === undefined ? high : difference(high, low, this.#since);
  }
}

/** The times of entries in this order. A loop: `Float64Array.from` with a function is several times slower. */
function inOrder(times: GrowingNumbers, entryOf: Int32Array): Float64Array {
  const flat = times.toArray();
  const ordered = new Float64Array(entryOf.length);
  for (let k = 0; k < entryOf.length; k++) ordered[k] = flat[entryOf[k]];
  return ordered;
}

/** The double nearest to the difference of two pairs (Knuth's two-sum). */
function difference(
  high: number,
  low: number,
  since: { readonly high: number; readonly low: number },
): number {
  const rough = high - since.high;
  const used = rough - high;
  const error = high - (rough - used) - (since.high + used);
  return rough + (error + (low - since.low));
}

/** Minus a timestamp, exactly. */
export const negated = (stamp: Timestamp): Timestamp => {
  if (typeof stamp !== 'string') return -stamp;
  return stamp.startsWith('-') ? stamp.slice(1) : `-${stamp}`;
};
