/**
 * Times of plain lines: up to 19 digits, with or without a point.
 *
 * Times since 1970 have many digits, and successive ones share the first. `readAgain` compares all digits but nine with
 * those of the time before, four bytes at a time, and reads nine.
 *
 * Cost: O(digits), without allocation.
 */
import { LongTime } from '../../history/model/timestamps.js';

const [ZERO, MINUS, POINT] = [0x30, 0x2d, 0x2e];
const MAX_DIGITS = 19;
/** They fit 32 bits. */
export const SHORT_DIGITS = 9;
/** With nine more digits, all integers of a smaller head are safe. */
const SAFE_HEAD = 9_007_199;
const WORD = 4;

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= ZERO + 9;

export class PlainTime {
  readonly #long = new LongTime();
  /** The number of the digits before the last nine, at least one word; 0 if none is known. */
  #headLength = 0;
  #head = 0;
  /** The first, the second and the last word of these digits. They may overlap. */
  #first = 0;
  #second = 0;
  #last = 0;
  #tail = 0;

  /** Remembers the first digits of an integer that has enough of them. */
  learn(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    const length = end - start - SHORT_DIGITS;
    if (length < WORD || end - start > MAX_DIGITS || bytes[start] === ZERO) return;
    let head = 0;
    for (let at = start; at < end; at++) {
      if (!isDigit(bytes[at])) return;
      if (at < start + length) head = 10 * head + bytes[at] - ZERO;
    }
    this.#headLength = length;
    this.#head = head;
    this.#first = view.getInt32(start, true);
    this.#second = view.getInt32(start + WORD, true);
    this.#last = view.getInt32(start + length - WORD, true);
  }

  /**
   * Reads an integer with the first digits that were learned last. Returns its end, or -1. More digits may follow.
   */
  readAgain(bytes: Uint8Array, view: DataView, start: number): number {
    const length = this.#headLength;
    const middle = start + length;
    if (length === 0 || middle + SHORT_DIGITS >= bytes.length) return -1;
    if (view.getInt32(start, true) !== this.#first) return -1;
    if (view.getInt32(start + WORD, true) !== this.#second && length >= 2 * WORD) return -1;
    if (view.getInt32(middle - WORD, true) !== this.#last) return -1;
    let tail = 0;
    for (let at = middle; at < middle + SHORT_DIGITS; at++) {
      const digit = bytes[at] - ZERO;
      if (digit < 0 || digit > 9) return -1;
      tail = 10 * tail + digit;
    }
    this.#tail = tail;
    return middle + SHORT_DIGITS;
  }

  /** The time that was read again. It is valid until the next one. */
  get again(): number | LongTime {
    if (this.#head < SAFE_HEAD) return 1e9 * this.#head + this.#tail;
    this.#long.set(this.#head, this.#tail, false);
    return this.#long;
  }

  /** The time `digits / 10^places`. Undefined if doubles cannot hold it. */
  decimal(digits: number, places: number): LongTime | undefined {
    const head = Math.floor(digits / 1e9);
    return this.#long.set(head, digits - 1e9 * head, false, places) ? this.#long : undefined;
  }

  /** The time between these bytes. Undefined if it is not a decimal of up to 19 digits. */
  read(bytes: Uint8Array, start: number, textEnd: number): number | LongTime | undefined {
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    let end = textEnd;
    let point = first;
    while (point < end && bytes[point] !== POINT) point++;
    const hasPoint = point < end;
    if (hasPoint) {
      if (point === first || point + 1 === end) return undefined;
      while (bytes[end - 1] === ZERO) end--;
      if (end === point + 1) end = point;
      // -0.0, which differs from 0
      if (isNegative && end === first + 1 && bytes[first] === ZERO) return undefined;
    }
    const places = hasPoint && end > point ? end - point - 1 : 0;
    const digits = end - first - Number(places > 0);
    if (digits <= 0 || digits > MAX_DIGITS) return undefined;
    if (bytes[first] === ZERO && (hasPoint ? point > first + 1 : end > start + 1)) return undefined;
    // the last nine digits are the tail
    let [head, tail, left] = [0, 0, digits];
    for (let at = first; at < end; at++) {
      if (at === point && places > 0) continue;
      if (!isDigit(bytes[at])) return undefined;
      if (left-- > SHORT_DIGITS) head = 10 * head + bytes[at] - ZERO;
      else tail = 10 * tail + bytes[at] - ZERO;
    }
    const long = this.#long;
    if (!long.set(head, tail, isNegative, places)) return undefined;
    return places === 0 && Number.isSafeInteger(long.high) ? long.high : long;
  }
}
