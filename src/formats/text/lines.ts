/**
 * Bytes in, lines out, without holding the text.
 *
 * Bytes are split at newlines before they are decoded, so a character is never
 * cut in two, and only what follows the last newline is kept. A byte order mark
 * and carriage returns before newlines are dropped; blank lines are counted but
 * not handed on. Whoever can read some lines by their bytes is asked first.
 */
import { Buffer, isAscii } from 'node:buffer';
import { FormatError } from '../common/format-error.js';
import { decodeUtf8, findInvalidByte } from '../common/utf8.js';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const LONGEST_LINE = 64 * 1024 * 1024;
/** No more is looked at at once. */
const PIECE = 1024 * 1024;
const BYTE_ORDER_MARK = /^\ufeff/;

/** Takes the line that starts at `from`, all of it or nothing. Gives where the next line starts, or -1. */
export type TakeBytes = (bytes: Uint8Array, from: number) => number;

export class Lines {
  /** The number of the line handed on last, from 1. */
  number = 0;
  readonly #take: (line: string) => void;
  readonly #takeBytes: TakeBytes | undefined;
  #rest: Buffer[] = [];
  #restLength = 0;

  constructor(take: (line: string) => void, takeBytes?: TakeBytes) {
    this.#take = take;
    this.#takeBytes = takeBytes;
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
    const start = this.#restLength > 0 ? newline + 1 : 0;
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (start > 0) this.#handRest(piece.subarray(0, start));
    if (end > start) this.#hand(piece.subarray(start, end));
    if (end === piece.length) return;
    // the caller may use its bytes again: keep a copy
    this.#rest.push(Buffer.from(piece.subarray(end)));
    this.#restLength += piece.length - end;
  }

  end(): void {
    if (this.#restLength > 0) this.#handRest(Buffer.of(NEWLINE));
  }

  /** Hands on the line of which some is kept, and this is the end. */
  #handRest(last: Buffer): void {
    const line = Buffer.concat([...this.#rest, last]);
    this.#rest = [];
    this.#restLength = 0;
    this.#hand(line);
  }

  /** Hands on some lines, each with its newline. */
  #hand(block: Buffer): void {
    const isPlain = isAscii(block);
    for (let start = 0; start < block.length; ) {
      this.number++;
      const next = this.#takeBytes?.(block, start) ?? -1;
      start = next < 0 ? this.#handText(block, start, isPlain) : next;
    }
  }

  /** Hands on one line as text; gives where the next one starts. */
  #handText(block: Buffer, start: number, isPlain: boolean): number {
    const newline = block.indexOf(NEWLINE, start);
    const end = newline > start && block[newline - 1] === RETURN ? newline - 1 : newline;
    let line = isPlain ? block.toString('latin1', start, end) : this.#text(block.subarray(start, end));
    if (this.number === 1) line = line.replace(BYTE_ORDER_MARK, '');
    if (line.trim() !== '') this.#take(line);
    return newline + 1;
  }

  #text(line: Buffer): string {
    const text = decodeUtf8(line);
    if (text !== undefined) return text;
    const { complaint, before } = findInvalidByte(line);
    throw new FormatError(complaint, this.number, before.length + 1);
  }
}
