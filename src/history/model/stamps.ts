/**
 * Time stamps, ranked exactly.
 *
 * A stamp is a number, a bigint (nanoseconds since 1970 do not fit a number) or
 * a decimal as it was written. Each is kept as two numbers, `high` the nearest
 * one and `low` what is missing: exact for up to 30 digits. 8 bytes a stamp
 * while nothing is missing anywhere, 16 from then on.
 */
import { GrowingNumbers } from '../../base/collections/growing.js';

export type Stamp = number | bigint | string;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const MOST_DIGITS = 30;

export class Stamps {
  /** NaN where there is no stamp. */
  readonly #high = new GrowingNumbers();
  #low: GrowingNumbers | undefined;

  get length(): number {
    return this.#high.length;
  }

  /** Adds a stamp; a RangeError for what is no finite time of at most 30 digits. */
  push(stamp: Stamp): void {
    // most are plain numbers, and make no pair
    if (typeof stamp === 'number') {
      this.#high.push(finite(stamp, stamp));
      this.#low?.push(0);
      return;
    }
    const [high, low] = split(stamp);
    if (low !== 0) this.#makeLow();
    this.#high.push(high);
    this.#low?.push(low);
  }

  /** Adds a place for a stamp that may come later. */
  pushNone(): void {
    this.#high.push(Number.NaN);
    this.#low?.push(0);
  }

  set(index: number, stamp: Stamp): void {
    if (typeof stamp === 'number') {
      this.#high.set(index, finite(stamp, stamp));
      this.#low?.set(index, 0);
      return;
    }
    const [high, low] = split(stamp);
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

  /** Compares stamp a of this list with stamp b of another. */
  compareTo(a: number, other: Stamps, b: number): number {
    return this.#high.at(a) - other.#high.at(b) || (this.#low?.at(a) ?? 0) - (other.#low?.at(b) ?? 0);
  }

  /** The same comparison, for many: it looks at a copy that is faster to look at. */
  comparison(other: Stamps): (a: number, b: number) => number {
    const [high, low] = [this.#high.toArray(), this.#low?.toArray()];
    const [otherHigh, otherLow] =
      other === this ? [high, low] : [other.#high.toArray(), other.#low?.toArray()];
    return low || otherLow
      ? (a, b) => high[a] - otherHigh[b] || (low?.[a] ?? 0) - (otherLow?.[b] ?? 0)
      : (a, b) => high[a] - otherHigh[b];
  }

  #makeLow(): void {
    if (this.#low) return;
    this.#low = new GrowingNumbers();
    for (let i = 0; i < this.#high.length; i++) this.#low.push(0);
  }
}

/** Compares two stamps; a RangeError for what is no time. */
export function compareStamps(a: Stamp, b: Stamp): number {
  if (Number.isFinite(a) && Number.isFinite(b)) return (a as number) - (b as number);
  const both = new Stamps();
  both.push(a);
  both.push(b);
  return both.compare(0, 1);
}

/** The exact sum of two stamps, a decimal; numbers count as the decimals that they are printed as. */
export function addStamps(a: Stamp, b: Stamp): Stamp {
  const sum = Number(a) + Number(b);
  if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(sum)) return sum;
  const [one, other] = [parse(a), parse(b)];
  if (one.digits === 0n) return b;
  if (other.digits === 0n) return a;
  if (Math.abs(one.scale - other.scale) > 2 * MOST_DIGITS) throw tooLong();
  const scale = Math.max(one.scale, other.scale);
  const units = ({ digits, scale: own }: Decimal): bigint => digits * 10n ** BigInt(scale - own);
  const exact = `${units(one) + units(other)}e${-scale}`;
  parse(exact);
  return exact;
}

/** `digits / 10^scale`, in one way: the digits do not end in 0. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

function parse(stamp: Stamp): Decimal {
  const found = DECIMAL.exec(String(stamp));
  if (!found) throw new RangeError(`${JSON.stringify(String(stamp))} is no time`);
  const [, sign, whole, fraction = '', exponent = '0'] = found;
  const written = (whole + fraction).replace(/^0+/, '');
  const digits = written.replace(/0+$/, '');
  if (digits.length > MOST_DIGITS) throw tooLong();
  const scale = digits === '' ? 0 : fraction.length - Number(exponent) - (written.length - digits.length);
  return { digits: BigInt(sign + (digits || '0')), scale };
}

const tooLong = (): RangeError => new RangeError(`a time of more than ${MOST_DIGITS} digits`);

function split(stamp: bigint | string): [high: number, low: number] {
  const { digits, scale } = parse(stamp);
  const high = finite(Number(stamp), stamp);

  // low = the exact value - high, a fraction of two integers, to 60 binary digits at least
  if (Math.abs(scale) > 400) return [high, 0];
  const units = digits * 10n ** BigInt(Math.max(0, -scale));
  const denominator = 10n ** BigInt(Math.max(0, scale));
  const [mantissa, shift] = binary(high);
  const missing = (units << shift) - mantissa * denominator;
  const precision = Math.max(0, bits(denominator << shift) - bits(missing) + 64);
  return [high, Number((missing << BigInt(precision)) / (denominator << shift)) * 2 ** -precision];
}

/** How many binary digits an integer has, to within three. */
const bits = (integer: bigint): number => 4 * integer.toString(16).length;

/** A number as `mantissa / 2^shift`, exactly. */
function binary(number: number): [mantissa: bigint, shift: bigint] {
  let shift = 0;
  let mantissa = number;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    shift++;
  }
  return [BigInt(mantissa), BigInt(shift)];
}

function finite(time: number, shown: unknown): number {
  if (!Number.isFinite(time)) throw new RangeError(`${shown} is no finite time`);
  return time;
}
