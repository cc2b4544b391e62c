import { Buffer, isAscii, isUtf8 } from 'node:buffer';

/* Bytes as text, or the first byte that is none. */

/** The text of some bytes; undefined where they are not UTF-8. */
export function textOf(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** Of bytes that are not UTF-8: what to say of the first that is not, and the text before it. */
export function strayByte(bytes: Buffer): { complaint: string; before: string } {
  const text = bytes.toString('utf8');
  // what can not be decoded becomes U+FFFD, which may also stand there in its own right
  for (let at = 0, offset = 0; ; at++, offset += 3) {
    const next = text.indexOf('\ufffd', at);
    offset += Buffer.byteLength(text.slice(at, next));
    at = next;
    if (bytes.indexOf('\ufffd', offset) === offset) continue;
    const shown = bytes[offset].toString(16).padStart(2, '0');
    return { complaint: `the byte 0x${shown} is not UTF-8; expected text`, before: text.slice(0, at) };
  }
}

/** Where in a file something stands, told by line and column, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place of a position, in characters from 0, of a text that itself starts at a place. */
export function placeIn(text: string, position: number, start: Place): Place {
  let { line, column } = start;
  let from = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', from)) {
    line++;
    column = 1;
    from = at + 1;
  }
  return { line, column: column + position - from };
}
