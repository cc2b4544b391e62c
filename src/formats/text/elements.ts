/**
 * Splits bytes into the texts of EDN or JSON elements, holding one at a time.
 *
 * Elements follow each other, on separate lines or not, or all inside one pair of brackets: `[…]`,
 * in EDN also `(…)`. The scan considers only what determines the end of an element: brackets, which
 * are counted but not matched, strings, characters (`\{`), comments, and in EDN tags and `#_`
 * discards. Errors inside an element are left to its reader, so an unfinished element is delivered
 * too.
 *
 * One loop over bytes. Cost: O(length), and the memory of the longest element.
 */
import { Buffer } from 'node:buffer';
import type { LinePosition } from '../../base/source-position.js';
import { FormatError, type OnCut, READ_PARTIAL } from '../common/reader.js';
import { ElementText, Enclosure } from './element-text.js';

/** Classes of bytes; up to HASH, a byte inside brackets has no effect. */

const ORDINARY = 0;
const SPACE = 1;
const NEWLINE = 2;
const COMMA = 3;
const HASH = 4;
const OPEN = 5;
const CLOSE = 6;
const QUOTE = 7;
const COMMENT = 8;
const ESCAPE = 9;

export interface ElementSyntax {
  /** Byte to its class outside strings. */
  readonly kinds: Uint8Array;
  /** Brackets that may enclose all elements, to their closing brackets. */
  readonly enclosing: ReadonlyMap<number, number>;
}

function syntax(marks: Readonly<Record<string, number>>, enclosing: readonly string[]): ElementSyntax {
  const kinds = new Uint8Array(256);
  for (const [bytes, kind] of Object.entries({ ...marks, '\n': NEWLINE, '"': QUOTE }))
    for (const byte of bytes) kinds[byte.charCodeAt(0)] = kind;
  return {
    kinds,
    enclosing: new Map(enclosing.map(([open, close]) => [open.charCodeAt(0), close.charCodeAt(0)])),
  };
}

export const EDN_ELEMENTS: ElementSyntax = syntax(
  { ' \t\r\v\f,': SPACE, '([{': OPEN, ')]}': CLOSE, '#': HASH, ';': COMMENT, '\\': ESCAPE },
  ['[]', '()'],
);

export const JSON_ELEMENTS: ElementSyntax = syntax({ ' \t\r': SPACE, '[{': OPEN, ']}': CLOSE, ',': COMMA }, [
  '[]',
]);

const MAX_ELEMENT_BYTES = 64 * 1024 * 1024;
/** Bytes processed at once. */
const PIECE = 1024 * 1024;
const [QUOTE_MARK, HASH_MARK, COMMA_MARK, BACKSLASH, UNDERSCORE] = [0x22, 0x23, 0x2c, 0x5c, 0x5f];

/** State of the scan. */
const [PLAIN, STRING, STRING_ESCAPE, CHARACTER, COMMENTED] = [0, 1, 2, 3, 4];
/** State of the current token outside brackets: none, a lone `#`, a tag, a value. */
const [NO_TOKEN, HASHED, TAG, WORD] = [0, 1, 2, 3];

export class Elements {
  readonly #kinds: Uint8Array;
  readonly #enclosure: Enclosure;
  readonly #take: (text: string, start: LinePosition) => void;
  readonly #text = new ElementText();
  #mode = PLAIN;
  #token = NO_TOKEN;
  /** Nesting depth inside the element. */
  #depth = 0;
  /** Values that are missing to complete the element, more than one after a `#_`; 0 between elements. */
  #wanted = 0;

  constructor({ kinds, enclosing }: ElementSyntax, take: (text: string, start: LinePosition) => void) {
    this.#kinds = kinds;
    this.#enclosure = new Enclosure(enclosing, kinds[COMMA_MARK] === COMMA);
    this.#take = take;
  }

  write(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; start += PIECE)
      this.#scan(Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(PIECE, bytes.length - start)));
  }

  /** With `onCut`, an element without an end is left out, and the enclosing bracket may be missing. */
  end(onCut?: OnCut): void {
    this.#text.nextPiece(Buffer.alloc(0));
    const isOpen = this.#wanted > 0 && this.#token !== WORD;
    const isCut = isOpen || this.#enclosure.end() !== undefined;
    if (onCut && isCut) {
      onCut(isOpen ? this.#text.startPosition.line : this.#text.positionOf(0).line);
      return;
    }
    try {
      this.#endToken(0);
      if (this.#wanted > 0) this.#deliverUnfinished(0, 'the text ends');
      this.#failIf(this.#enclosure.end(), 0);
    } catch (error) {
      if (!isCut || !(error instanceof FormatError)) throw error;
      throw new FormatError(`${error.detail}; ${READ_PARTIAL}`, error.line, error.column);
    }
  }

  #scan(piece: Buffer): void {
    this.#text.nextPiece(piece);
    let at = 0;
    while (at < piece.length)
      at =
        this.#depth > 0 || this.#mode !== PLAIN ? this.#scanInside(piece, at) : this.#scanBetween(piece, at);
    if (this.#wanted > 0 && this.#text.keep() > MAX_ELEMENT_BYTES)
      this.#deliverUnfinished(piece.length, 'it is longer than 64 MB');
  }

  /** Scans inside brackets, a string, a comment or a character, to its end or the end of the piece. */
  #scanInside(piece: Buffer, from: number): number {
    const kinds = this.#kinds;
    let mode = this.#mode;
    let depth = this.#depth;
    let at = from;
    let isWhole = false;
    while (at < piece.length && (mode !== PLAIN || depth > 0)) {
      const byte = piece[at++];
      if (mode === PLAIN) {
        const kind = kinds[byte];
        if (kind <= HASH) continue;
        if (kind === OPEN) depth++;
        else if (kind === CLOSE) isWhole = --depth === 0;
        else mode = kind === QUOTE ? STRING : kind === COMMENT ? COMMENTED : CHARACTER;
      } else if (mode === STRING) {
        if (byte === BACKSLASH) mode = STRING_ESCAPE;
        else if (byte === QUOTE_MARK) {
          mode = PLAIN;
          isWhole = depth === 0;
        }
      } else if (mode === COMMENTED) {
        if (kinds[byte] !== NEWLINE) continue;
        mode = PLAIN;
        // outside brackets the newline must still be counted
        if (depth === 0) at--;
      } else mode = mode === STRING_ESCAPE ? STRING : PLAIN;
    }
    this.#mode = mode;
    this.#depth = depth;
    if (isWhole) this.#endValue(at);
    return at;
  }

  /** Scans one byte outside brackets. */
  #scanBetween(piece: Buffer, at: number): number {
    const byte = piece[at];
    const kind = this.#kinds[byte];
    if (kind !== ORDINARY && kind !== HASH) this.#endToken(at);
    switch (kind) {
      case SPACE:
        break;
      case NEWLINE:
        // newlines inside an element are counted at its end
        if (this.#wanted === 0) this.#text.newline(at);
        break;
      case COMMENT:
        this.#mode = COMMENTED;
        break;
      case COMMA:
        this.#failIf(this.#enclosure.comma(), at);
        break;
      case OPEN:
        if (this.#wanted === 0 && this.#enclosure.opens(byte, () => this.#text.positionOf(at))) break;
        this.#begin(at);
        this.#depth = 1;
        break;
      case CLOSE:
        if (this.#wanted > 0) this.#deliverUnfinished(at, '');
        this.#failIf(this.#enclosure.close(byte), at);
        break;
      case QUOTE:
        this.#begin(at);
        this.#mode = STRING;
        break;
      case ESCAPE:
        this.#begin(at);
        this.#token = WORD;
        this.#mode = CHARACTER;
        break;
      default:
        if (!this.#enclosure.isFresh || !this.#text.isByteOrderMark(at)) this.#continueToken(byte, at);
    }
    return at + 1;
  }

  #continueToken(byte: number, at: number): void {
    if (this.#token === NO_TOKEN) {
      this.#begin(at);
      this.#token = this.#kinds[byte] === HASH ? HASHED : WORD;
    } else if (this.#token === HASHED && byte === UNDERSCORE) {
      this.#wanted++;
      this.#token = NO_TOKEN;
    } else if (this.#token === HASHED) this.#token = byte === HASH_MARK ? WORD : TAG;
  }

  /** A tag does not complete a value. */
  #endToken(at: number): void {
    const isValue = this.#token === WORD;
    this.#token = NO_TOKEN;
    if (isValue) this.#endValue(at);
  }

  #endValue(at: number): void {
    if (--this.#wanted === 0) this.#deliver(at);
  }

  #deliver(end: number): void {
    const text = this.#text.finish(end);
    this.#wanted = 0;
    this.#take(text, this.#text.startPosition);
  }

  /**
   * Delivers an unfinished element: its reader reports what is missing, unless everything in it is
   * discarded.
   */
  #deliverUnfinished(end: number, what: string): void {
    const isOpen = this.#depth > 0 || this.#mode !== PLAIN;
    this.#deliver(end);
    const { line } = this.#text.startPosition;
    if (isOpen) this.#fail(`expected the end of the value that starts on line ${line}, but ${what}`, end);
  }

  /** Starts a value, and an element unless a tag or a discard precedes it. */
  #begin(at: number): void {
    if (this.#wanted > 0) return;
    this.#failIf(this.#enclosure.begin(), at);
    this.#text.begin(at);
    this.#wanted = 1;
  }

  #failIf(complaint: string | undefined, at: number): void {
    if (complaint !== undefined) this.#fail(complaint, at);
  }

  #fail(detail: string, at: number): never {
    const { line, column } = this.#text.positionOf(at);
    throw new FormatError(detail, line, column);
  }
}
