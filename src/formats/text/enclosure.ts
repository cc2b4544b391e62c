/**
 * What stands around the elements of a file: nothing, or one pair of brackets,
 * and inside it, in JSON, commas between them. Each question is about a byte;
 * the answer is undefined, or what is wrong with it.
 */
import type { Place } from '../common/place.js';

export class Enclosure {
  /** Brackets that may stand around all elements, to those that end them. */
  readonly #brackets: ReadonlyMap<number, number>;
  readonly #needsCommas: boolean;
  #closing: { readonly byte: number; readonly opened: Place } | undefined;
  #isClosed = false;
  #count = 0;
  #afterComma = false;

  constructor(brackets: ReadonlyMap<number, number>, needsCommas: boolean) {
    this.#brackets = brackets;
    this.#needsCommas = needsCommas;
  }

  /** Has nothing but white space come so far? */
  get isFresh(): boolean {
    return this.#count === 0 && !this.#closing && !this.#isClosed;
  }

  /** Takes a bracket that opens the enclosure; false for one that belongs to an element. */
  opens(byte: number, place: () => Place): boolean {
    const close = this.#brackets.get(byte);
    if (close === undefined || !this.isFresh) return false;
    this.#closing = { byte: close, opened: place() };
    return true;
  }

  /** A bracket outside all elements. */
  close(byte: number): string | undefined {
    if (byte !== this.#closing?.byte || this.#afterComma)
      return `"${String.fromCharCode(byte)}" stands where a value was expected`;
    this.#closing = undefined;
    this.#isClosed = true;
    return undefined;
  }

  comma(): string | undefined {
    if (!this.#closing || this.#count === 0 || this.#afterComma)
      return '"," stands where a value was expected';
    this.#afterComma = true;
    return undefined;
  }

  /** An element begins. */
  begin(): string | undefined {
    if (this.#isClosed) return 'more stands here, after the bracket that ends all; expected the end';
    if (this.#needsCommas && this.#closing && this.#count > 0 && !this.#afterComma)
      return 'a value without "," before it; expected ","';
    this.#afterComma = false;
    this.#count++;
    return undefined;
  }

  /** The text ends. */
  end(): string | undefined {
    if (!this.#closing) return undefined;
    const { byte, opened } = this.#closing;
    return `the text ends where "${String.fromCharCode(byte)}" was expected, to end what line ${opened.line} begins`;
  }
}
