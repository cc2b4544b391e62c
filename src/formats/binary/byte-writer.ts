/** Bytes that are written piece by piece, with the sum of all of them at the end. */
import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { stringify } from '../../base/values/json-values.js';
import {
  FALSE,
  JSON_TEXT,
  NATURAL,
  NEGATIVE,
  NULL,
  NUMBER,
  SUM_BYTES,
  TEXT,
  TRUE,
  UNDEFINED,
} from './layout.js';

const FIRST_ROOM = 1 << 16;
/** The longest integer takes 8 bytes, and so does a number. */
const LONGEST = 8;
const WORDS = new Map<unknown, number>([
  [null, NULL],
  [true, TRUE],
  [false, FALSE],
  [undefined, UNDEFINED],
]);

export class ByteWriter {
  #bytes = Buffer.alloc(FIRST_ROOM);
  #length = 0;
  #sum = 0;

  /** What has been written since the last time. */
  take(): Uint8Array {
    const taken = Uint8Array.from(this.#bytes.subarray(0, this.#length));
    this.#sum = crc32(taken, this.#sum);
    this.#length = 0;
    return taken;
  }

  /** The sum of all that was taken. */
  sum(): Uint8Array {
    const bytes = Buffer.alloc(SUM_BYTES);
    bytes.writeUInt32LE(this.#sum);
    return bytes;
  }

  bytes(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** An integer from 0 to 2^53 - 1: seven bits a byte, the lowest first; all but the last have the eighth bit set. */
  integer(integer: number): void {
    this.#room(LONGEST);
    let rest = integer;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  /** A text of UTF-8 behind its length in bytes. */
  text(text: string): void {
    const bytes = Buffer.from(text);
    this.integer(bytes.length);
    this.bytes(bytes);
  }

  value(value: unknown): void {
    const word = WORDS.get(value);
    if (word !== undefined) this.integer(word);
    else if (typeof value === 'number') this.#number(value);
    // UTF-8 has no half of a pair of surrogates; JSON has
    else if (typeof value === 'string' && !/\p{Surrogate}/u.test(value)) {
      this.integer(TEXT);
      this.text(value);
    } else {
      this.integer(JSON_TEXT);
      this.text(stringify(value));
    }
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
      this.integer(value < 0 ? NEGATIVE : NATURAL);
      this.integer(value < 0 ? -1 - value : value);
      return;
    }
    this.integer(NUMBER);
    this.#room(LONGEST);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(2 * this.#bytes.length, this.#length + bytes));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
