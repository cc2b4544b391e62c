import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { share } from '../../../test/support/share.js';
import { FormatError } from '../common/reader.js';
import { Lines } from './lines.js';

/** The lines of bytes that arrive in chunks, each with its number, and the error at the end, if any. */
function split(...chunks: Uint8Array[]): string[] {
  const taken: string[] = [];
  const lines = new Lines((line) => taken.push(`${lines.number} ${line}`));
  try {
    for (const chunk of chunks) {
      // the chunk is reused, as a stream may do
      const lent = Uint8Array.from(chunk);
      lines.write(lent);
      lent.fill(0x2a);
    }
    lines.end();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    taken.push(error.message);
  }
  return taken;
}

const bytes = (text: string): Buffer => Buffer.from(text);

test('lines are numbered from 1; blank ones are counted but not delivered', () => {
  expect(split(bytes('a\n\n  \t\nb\n'))).toEqual(['1 a', '4 b']);
});

test('the last line needs no newline', () => {
  expect(split(bytes('a\nb'))).toEqual(['1 a', '2 b']);
  expect(split(bytes('a\nb\n'))).toEqual(['1 a', '2 b']);
});

test('empty input has no lines', () => {
  expect(split()).toEqual([]);
  expect(split(bytes(''), bytes('\n'), bytes(''))).toEqual([]);
});

test('one carriage return before a newline is dropped, others are kept', () => {
  expect(split(bytes('a\r\nb\r\r\nc\rd\r\n\r\ne\r'))).toEqual(['1 a', '2 b\r', '3 c\rd', '5 e']);
});

test('only a newline ends a line', () => {
  expect(split(bytes('a\u2028b\u0085c\vd\fe\n'))).toEqual(['1 a\u2028b\u0085c\vd\fe']);
});

test('a byte order mark is dropped at the start and nowhere else', () => {
  expect(split(bytes('\ufeffa\n\ufeffb\n'))).toEqual(['1 a', '2 \ufeffb']);
  expect(split(bytes('\ufeff\na'))).toEqual(['2 a']);
});

test('characters that chunks divide are complete in lines', () => {
  const text = bytes('ä€😀\n😀\r\nñ');
  const whole = ['1 ä€😀', '2 😀', '3 ñ'];
  for (let cut = 0; cut <= text.length; cut++)
    expect(split(text.subarray(0, cut), text.subarray(cut))).toEqual(whole);
  expect(split(...Array.from(text, (byte) => Uint8Array.of(byte)))).toEqual(whole);
});

test('the division of bytes into chunks does not matter', () => {
  const piece = fc.constantFrom('\n', '\r', '\r\n', 'a', ' ', 'ä', '😀', '\ufeff', '\ufffd', '\xff');
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) =>
    // one that is not UTF-8 among them
    Buffer.concat(pieces.map((own) => (own === '\xff' ? Buffer.of(0xff) : bytes(own)))),
  );
  fc.assert(
    fc.property(text, fc.array(fc.nat(20), { maxLength: 6 }), (whole, cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const chunks = at.map((start, i) => whole.subarray(start, at[i + 1] ?? whole.length));
      expect(split(...chunks)).toEqual(split(whole));
    }),
    { seed: 1, numRuns: share(2_000, 600) },
  );
});

test('a byte that is not UTF-8 is reported with its position, after the lines before it', () => {
  const stray = (before: string, ...rest: number[]) => Buffer.concat([bytes(before), Buffer.from(rest)]);
  expect(split(stray('a\nb\nä\ufffd😀', 0xff, 0x0a, 0x61))).toEqual([
    '1 a',
    '2 b',
    'line 3, column 5: the byte 0xff is not UTF-8; expected text',
  ]);
  // cut off, too long a form, a lone surrogate, a continuation of nothing
  expect(split(stray('', 0xe2, 0x82))).toEqual([
    'line 1, column 1: the byte 0xe2 is not UTF-8; expected text',
  ]);
  expect(split(stray('x', 0xc0, 0x80))).toEqual([
    'line 1, column 2: the byte 0xc0 is not UTF-8; expected text',
  ]);
  expect(split(stray('x', 0xed, 0xa0, 0x80))).toEqual([
    'line 1, column 2: the byte 0xed is not UTF-8; expected text',
  ]);
  expect(split(stray('xy', 0x0a, 0x80))).toEqual([
    '1 xy',
    'line 2, column 1: the byte 0x80 is not UTF-8; expected text',
  ]);
  // the first bytes of U+FFFD, but not the last
  expect(split(stray('', 0xef, 0xbf, 0x41))).toEqual([
    'line 1, column 1: the byte 0xef is not UTF-8; expected text',
  ]);
});

test('a line has at most 64 MB, with or without a newline, for any division into chunks', () => {
  const most = 64 * 1024 * 1024;
  const complaint = 'line 2, column 1: the line is longer than 64 MB; expected one record per line';
  const lengths: number[] = [];
  const lines = new Lines((line) => lengths.push(line.length));
  const text = Buffer.alloc(most + 4, 0x61);
  text.write('a\n');

  text[most + 2] = 0x0a;
  lines.write(text.subarray(0, 1000));
  lines.write(text.subarray(1000));
  lines.end();
  expect(lengths).toEqual([1, most, 1]);

  text[most + 2] = 0x61;
  text[most + 3] = 0x0a;
  for (const chunks of [
    [text],
    [text.subarray(0, text.length - 1)],
    [text.subarray(0, 1000), text.subarray(1000)],
    [text.subarray(0, most), text.subarray(most)],
  ]) {
    const reader = new Lines(() => {});
    expect(() => {
      for (const chunk of chunks) reader.write(chunk);
      reader.end();
    }).toThrow(complaint);
  }
});
