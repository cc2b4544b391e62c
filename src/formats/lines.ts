/**
 * Bytes in, lines out, without holding the text.
 *
 * Bytes are split at newlines before they are decoded, so a character is never
 * cut in two, and only what follows the last newline is kept. A byte order mark
 * and carriage returns before newlines are dropped; blank lines are counted but
 * not handed on.
 */
import { Buffer, isUtf8 } from 'node:buffer';
import { FormatError } from './format-error.js';
import { strayByte, textOf } from './utf8.js';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const LONGEST_LINE = 64 * 1024 * 1024;
/** No more is decoded at once: strings have a limit too. */
const PIECE = 1024 * 1024;
const BYTE_ORDER_MARK = /^\ufeff/;

export class Lines {
  /** The number of the line handed on last, from 1. */
  number = 0;
  readonly #take: (line: string) => void;
  #rest: Buffer[] = [];
  #restLength = 0;

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  write(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; start += PIECE)
      this.#writePiece(
        Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(PIECE, bytes.length - start)),
      );
  }

  #writePiece(piece: Buffer): void {
    const newline = piece.indexOf(NEWLINE);
    if (this.#restLength + (newline < 0 ? piece.length : newline) > LONGEST_LINE)
      throw new FormatError('a line of more than 64 MB; expected one record a line', this.number + 1);
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const lines = piece.subarray(0, end);
      this.#hand(this.#restLength > 0 ? Buffer.concat([...this.#rest, lines]) : lines);
      this.#rest = [];
      this.#restLength = 0;
    }
    if (end === piece.length) return;
    // the caller may use its bytes again: keep a copy
    this.#rest.push(Buffer.from(piece.subarray(end)));
    this.#restLength += piece.length - end;
  }

  end(): void {
    if (this.#restLength > 0) this.#hand(Buffer.concat(this.#rest));
    this.#restLength = 0;
  }

  #hand(block: Buffer): void {
    const text = textOf(block) ?? this.#fail(block);
    let start = 0;
    while (start < text.length) {
      const newline = text.indexOf('\n', start);
      const end = newline < 0 ? text.length : newline;
      this.number++;
      let line = text.slice(start, text.charCodeAt(end - 1) === RETURN ? end - 1 : end);
      if (this.number === 1) line = line.replace(BYTE_ORDER_MARK, '');
      if (line.trim() !== '') this.#take(line);
      start = end + 1;
    }
  }

  /** Hands on the lines before the one that is not UTF-8, and complains of that. */
  #fail(block: Buffer): never {
    let start = 0;
    for (;;) {
      const newline = block.indexOf(NEWLINE, start);
      const line = block.subarray(start, newline < 0 ? block.length : newline + 1);
      if (!isUtf8(line)) {
        const { complaint, before } = strayByte(line);
        throw new FormatError(complaint, this.number + 1, before.length + 1);
      }
      this.#hand(line);
      start = newline + 1;
    }
  }
}
