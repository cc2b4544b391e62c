/**
 * Splits bytes into lines without holding the text.
 *
 * Bytes are split at newlines before decoding, so characters are never cut, and only the bytes
 * after the last newline are kept. A byte order mark and carriage returns before newlines are
 * dropped. Blank lines are counted but not delivered. A fast path may read a line from its bytes
 * first.
 */
import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { FormatError, type OnCut } from '../common/reader.js';

/** Bytes processed at once. */
const PIECE = 1024 * 1024;
const BYTE_ORDER_MARK = /^\ufeff/;

/**
 * Reads lines from `from` on, each completely or not at all, until one is left to `take`, and adds
 * them to the number. Returns where that line starts, or the end.
 */
type TakeBytes = (bytes: Uint8Array, from: number) => number;

export class Lines {
  /** Number of the last line that was read, from 1. */
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
    if (this.#restLength + (newline < 0 ? piece.length : newline) > MAX_LINE_BYTES)
      throw new FormatError('the line is longer than 64 MB; expected one record per line', this.number + 1);
    const start = this.#restLength > 0 ? newline + 1 : 0;
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (start > 0) this.#deliverRest(piece.subarray(0, start));
    if (end > start) this.#deliver(piece.subarray(start, end));
    if (end === piece.length) return;
    // the caller may reuse its bytes, so keep a copy
    this.#rest.push(Buffer.from(piece.subarray(end)));
    this.#restLength += piece.length - end;
  }

  /** Delivers the last line, which has no newline. With `onCut`, it is left out unless it is whole. */
  end(onCut?: OnCut, isWhole: (line: string) => boolean = () => false): void {
    if (this.#restLength === 0) return;
    if (!onCut || isWhole(Buffer.concat(this.#rest).toString())) this.#deliverRest(Buffer.of(NEWLINE));
    else onCut(this.number + 1);
  }

  /** Delivers the line that was started by the kept bytes and ends here. */
  #deliverRest(last: Buffer): void {
    const line = Buffer.concat([...this.#rest, last]);
    this.#rest = [];
    this.#restLength = 0;
    this.#deliver(line);
  }

  /** Delivers complete lines, each with its newline. */
  #deliver(block: Buffer): void {
    let isPlain: boolean | undefined;
    for (let start = 0; ; ) {
      if (this.#takeBytes) start = this.#takeBytes(block, start);
      if (start >= block.length) return;
      this.number++;
      isPlain ??= isAscii(block);
      start = this.#deliverText(block, start, isPlain);
    }
  }

  /** Delivers one line as text and returns the start of the next one. */
  #deliverText(block: Buffer, start: number, isPlain: boolean): number {
    const newline = block.indexOf(NEWLINE, start);
    const end = newline > start && block[newline - 1] === CARRIAGE_RETURN ? newline - 1 : newline;
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

/** Decodes bytes; undefined if they are not UTF-8. */
export function decodeUtf8(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** Describes the first invalid byte, and returns the text before it. */
export function findInvalidByte(bytes: Buffer): { complaint: string; before: string } {
  const text = bytes.toString('utf8');
  // invalid bytes become U+FFFD, which may also occur in the text itself
  for (let at = 0, offset = 0; ; at++, offset += 3) {
    const next = text.indexOf('\ufffd', at);
    offset += Buffer.byteLength(text.slice(at, next));
    at = next;
    if (bytes.indexOf('\ufffd', offset) === offset) continue;
    const shown = bytes[offset].toString(16).padStart(2, '0');
    return { complaint: `the byte 0x${shown} is not UTF-8; expected text`, before: text.slice(0, at) };
  }
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MAX_LINE_BYTES = 64 * 1024 * 1024;
