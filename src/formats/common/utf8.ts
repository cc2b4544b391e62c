/** UTF-8 decoding with the position of the first invalid byte. */
import { Buffer, isAscii, isUtf8 } from 'node:buffer';

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
