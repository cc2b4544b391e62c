/** Bytes of the binary form, read one thing after another; what can not be read is an error that names the byte. */
import { type Buffer, isUtf8 } from 'node:buffer';
import { JsonError, JsonReader } from '../../base/values/json-reader.js';
import { untag } from '../../base/values/json-values.js';
import { FormatError } from '../common/format-error.js';
import { FALSE, JSON_TEXT, NATURAL, NEGATIVE, NULL, NUMBER, TEXT, TRUE, UNDEFINED } from './layout.js';

const NUMBER_BYTES = 8;

export class ByteReader {
  readonly #bytes: Buffer;
  position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.position;
  }

  /** An integer from 0 to 2^53 - 1, as `ByteWriter.integer` writes it. */
  integer(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    const start = this.position - 1;
    let integer = first & 0x7f;
    for (let unit = 0x80; ; unit *= 0x80) {
      const byte = this.byte();
      integer += (byte & 0x7f) * unit;
      if (integer > Number.MAX_SAFE_INTEGER) this.fail('an integer above 2^53', start);
      if (byte < 0x80) return integer;
    }
  }

  /** An integer below a limit, or an error that says what it should have been. */
  below(limit: number, what: string): number {
    const start = this.position;
    const integer = this.integer();
    if (integer >= limit) this.fail(`${integer} as ${what}; expected a number below ${limit}`, start);
    return integer;
  }

  /** How many things follow, each of one byte at least. */
  count(what: string): number {
    const start = this.position;
    const count = this.integer();
    if (count > this.left) this.fail(`${count} ${what}, but the file ends before that`, start);
    return count;
  }

  value(): unknown {
    const start = this.position;
    const kind = this.integer();
    switch (kind) {
      case NULL:
        return null;
      case TRUE:
        return true;
      case FALSE:
        return false;
      case UNDEFINED:
        return undefined;
      case NATURAL:
        return this.integer();
      case NEGATIVE:
        return -1 - this.integer();
      case NUMBER:
        this.#need(NUMBER_BYTES);
        return this.#bytes.readDoubleLE(this.#pass(NUMBER_BYTES));
      case TEXT:
        return this.#text();
      case JSON_TEXT:
        return this.#json();
      default:
        return this.fail(`${kind} as the kind of a value; expected 0 to ${JSON_TEXT}`, start);
    }
  }

  fail(detail: string, at: number = this.position): never {
    throw new FormatError(`byte ${at}: ${detail}`);
  }

  byte(): number {
    if (this.position === this.#bytes.length) this.#need(1);
    return this.#bytes[this.position++];
  }

  #text(): string {
    const length = this.integer();
    this.#need(length);
    const start = this.#pass(length);
    const bytes = this.#bytes.subarray(start, this.position);
    if (!isUtf8(bytes)) this.fail('a text that is not UTF-8', start);
    return bytes.toString();
  }

  #json(): unknown {
    const start = this.position;
    try {
      return untag(new JsonReader(this.#text()).document());
    } catch (error) {
      if (!(error instanceof JsonError || error instanceof RangeError)) throw error;
      return this.fail(`a value that is no JSON with tags: ${error.message}`, start);
    }
  }

  #need(bytes: number): void {
    if (bytes > this.left) this.fail(`the file ends here, and ${bytes} more bytes were expected`);
  }

  #pass(bytes: number): number {
    this.position += bytes;
    return this.position - bytes;
  }
}
