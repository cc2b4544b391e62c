/**
 * The text and position of one element whose bytes arrive in pieces.
 *
 * Lines between elements are counted during the scan, lines inside an element when its text is
 * complete. Columns count characters. All non-ASCII bytes are in elements or in comments, which end
 * lines, so each element corrects the start of its line by the bytes that its characters need in
 * excess.
 */

import { Buffer, isAscii } from 'node:buffer';
import { type LinePosition, positionIn } from '../../base/source-position.js';
import { FormatError } from '../common/reader.js';
import { decodeUtf8, findInvalidByte } from './lines.js';

/**
 * What encloses the elements of a file: nothing, or one pair of brackets, in JSON with commas
 * between elements. Each method checks a byte and returns undefined or the problem.
 */
export class Enclosure {
  /** Brackets that may enclose all elements, to their closing brackets. */
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

  /** True if only white space has been read. */
  get isFresh(): boolean {
    return this.#count === 0 && !this.#closing && !this.#isClosed;
  }

  /** Consumes a bracket that opens the enclosure; false for one that belongs to an element. */
  opens(byte: number, place: () => LinePosition): boolean {
    const close = this.#brackets.get(byte);
    if (close === undefined || !this.isFresh) return false;
    this.#closing = { byte: close, opened: place() };
    return true;
  }

  /** A closing bracket outside all elements. */
  close(byte: number): string | undefined {
    if (byte !== this.#closing?.byte || this.#afterComma)
      return `expected a value, found "${String.fromCharCode(byte)}"`;
    this.#closing = undefined;
    this.#isClosed = true;
    return undefined;
  }

  comma(): string | undefined {
    if (!this.#closing || this.#count === 0 || this.#afterComma) return 'expected a value, found ","';
    this.#afterComma = true;
    return undefined;
  }

  /** Starts an element. */
  begin(): string | undefined {
    if (this.#isClosed) return 'expected the end of the text after the closing bracket';
    if (this.#needsCommas && this.#closing && this.#count > 0 && !this.#afterComma)
      return 'expected "," before this value';
    this.#afterComma = false;
    this.#count++;
    return undefined;
  }

  /** Ends the text. */
  end(): string | undefined {
    if (!this.#closing) return undefined;
    const { byte, opened } = this.#closing;
    return `expected "${String.fromCharCode(byte)}" for the bracket on line ${opened.line}, found the end of the text`;
  }
}

export class ElementText {
  piece: Buffer = Buffer.alloc(0);
  #isAscii = true;
  /** Offset of this piece. */
  #offset = 0;
  #line = 1;
  /** Between elements, an offset minus this is the column from 0. */
  #lineStart = 0;

  /** Start of the element in the file. */
  startPosition: LinePosition = { line: 1, column: 1 };
  /** Start of its bytes in this piece. */
  #start = 0;
  /** Its bytes in earlier pieces. */
  #rest: Buffer[] = [];
  #restLength = 0;

  nextPiece(piece: Buffer): void {
    this.#offset += this.piece.length;
    this.piece = piece;
    this.#isAscii = isAscii(piece);
    this.#start = 0;
  }

  /** Keeps the bytes of the element in this piece. Returns their total number. */
  keep(): number {
    // the caller may reuse its bytes, so keep a copy
    this.#rest.push(Buffer.from(this.piece.subarray(this.#start)));
    this.#restLength += this.piece.length - this.#start;
    this.#start = this.piece.length;
    return this.#restLength;
  }

  begin(at: number): void {
    this.#start = at;
    this.startPosition = this.positionOf(at);
  }

  /** The text of the element, which ends before `end`. */
  finish(end: number): string {
    const length = this.#restLength + end - this.#start;
    const text = this.#text(end);
    const newline = text.lastIndexOf('\n');
    if (newline < 0) this.#lineStart += length - text.length;
    else {
      this.#line = positionIn(text, text.length, this.startPosition).line;
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
    const { line, column } = positionIn(before, before.length, this.startPosition);
    throw new FormatError(complaint, line, column);
  }

  /** Counts a newline between elements. */
  newline(at: number): void {
    this.#line++;
    this.#lineStart = this.#offset + at + 1;
  }

  /** True for a byte of a byte order mark at the start of the file; such bytes are not counted. */
  isByteOrderMark(at: number): boolean {
    const offset = this.#offset + at;
    const isMark =
      this.#line === 1 && offset === this.#lineStart && this.piece[at] === [0xef, 0xbb, 0xbf][offset];
    if (isMark) this.#lineStart++;
    return isMark;
  }

  /** The position of a byte between elements. */
  positionOf(at: number): LinePosition {
    return { line: this.#line, column: this.#offset + at - this.#lineStart + 1 };
  }
}
