/**
 * The bytes of one element as they come in pieces, its text, and where it stands.
 *
 * Lines are counted between elements as the scan meets them, and inside an
 * element when its text is at hand. Columns count characters; since all that is
 * not ASCII stands in elements and in comments, which end lines, each element
 * corrects the start of its line by the bytes that its characters took in excess.
 */

import { Buffer, isAscii } from 'node:buffer';
import { type LinePosition, positionIn } from '../../base/source-position.js';
import { FormatError } from '../common/format-error.js';
import { decodeUtf8, findInvalidByte } from '../common/utf8.js';

/*
 * What stands around the elements of a file: nothing, or one pair of brackets,
 * and inside it, in JSON, commas between them. Each question is about a byte;
 * the answer is undefined, or what is wrong with it.
 */

export class Enclosure {
  /** Brackets that may stand around all elements, to those that end them. */
  readonly #brackets: ReadonlyMap<number, number>;
  readonly #needsCommas: boolean;
  #closing: { readonly byte: number; readonly opened: LinePosition } | undefined;
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
  opens(byte: number, place: () => LinePosition): boolean {
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

export class ElementText {
  piece: Buffer = Buffer.alloc(0);
  #isAscii = true;
  /** How many bytes came before this piece. */
  #offset = 0;
  #line = 1;
  /** An offset minus this is the position in the line, in characters, between elements. */
  #lineStart = 0;

  /** Where the element starts in the file. */
  startPlace: LinePosition = { line: 1, column: 1 };
  /** Where it starts, or goes on, in this piece. */
  #start = 0;
  /** Its bytes of earlier pieces. */
  #rest: Buffer[] = [];
  #restLength = 0;

  nextPiece(piece: Buffer): void {
    this.#offset += this.piece.length;
    this.piece = piece;
    this.#isAscii = isAscii(piece);
    this.#start = 0;
  }

  /** Keeps what this piece has of the element. Gives how many bytes of it there are. */
  keep(): number {
    // the caller may use its bytes again: a copy
    this.#rest.push(Buffer.from(this.piece.subarray(this.#start)));
    this.#restLength += this.piece.length - this.#start;
    this.#start = this.piece.length;
    return this.#restLength;
  }

  begin(at: number): void {
    this.#start = at;
    this.startPlace = this.placeOf(at);
  }

  /** The text of the element, which ends before `end`. */
  finish(end: number): string {
    const length = this.#restLength + end - this.#start;
    const text = this.#text(end);
    const newline = text.lastIndexOf('\n');
    if (newline < 0) this.#lineStart += length - text.length;
    else {
      this.#line = positionIn(text, text.length, this.startPlace).line;
      this.#lineStart = this.#offset + end - (text.length - newline - 1);
    }
    this.#rest = [];
    this.#restLength = 0;
    return text;
  }

  #text(end: number): string {
    if (this.#isAscii && this.#restLength === 0) return this.piece.toString('latin1', this.#start, end);
    const bytes = Buffer.concat([...this.#rest, this.piece.subarray(this.#start, end)]);
    const text = decodeUtf8(bytes);
    if (text !== undefined) return text;
    const { complaint, before } = findInvalidByte(bytes);
    const { line, column } = positionIn(before, before.length, this.startPlace);
    throw new FormatError(complaint, line, column);
  }

  /** A line that ends between elements. */
  newline(at: number): void {
    this.#line++;
    this.#lineStart = this.#offset + at + 1;
  }

  /** Is this a byte of the mark that may stand at the start of a file? Such are not counted. */
  isByteOrderMark(at: number): boolean {
    const offset = this.#offset + at;
    const isMark =
      this.#line === 1 && offset === this.#lineStart && this.piece[at] === [0xef, 0xbb, 0xbf][offset];
    if (isMark) this.#lineStart++;
    return isMark;
  }

  /** Where a byte between elements stands. */
  placeOf(at: number): LinePosition {
    return { line: this.#line, column: this.#offset + at - this.#lineStart + 1 };
  }
}
