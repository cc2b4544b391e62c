/**
 * Random changes of files of every format: no file crashes the readers, and the division into pieces does not matter.
 *
 * Every case comes from a seed, which a failure names.
 */
import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { FILES, mutated } from '../../test/support/generators/broken-files.js';
import { share } from '../../test/support/share.js';
import { Random } from '../base/random.js';
import { FormatError, READ_PARTIAL } from './common/reader.js';
import { DetectingReader } from './detect.js';
import { writeJsonLines } from './json-lines/writer.js';
import { parseHistory } from './read-history.js';

const CASES = share(1_000, 100);

const COMPLAINT = 'complaint: ';

/** The history as text, or the message of a FormatError; any other error is a bug. */
function outcome(read: () => ReturnType<typeof parseHistory>): string {
  try {
    return [...writeJsonLines(read())].join('');
  } catch (error) {
    if (error instanceof FormatError) return COMPLAINT + error.message;
    throw error;
  }
}

function inChunks(bytes: Buffer, most: number, random: Random): ReturnType<typeof parseHistory> {
  const reader = new DetectingReader();
  // the chunk is reused, as a stream may do
  const chunk = Buffer.alloc(most);
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.copy(chunk, 0, at, at + 1 + random.below(most));
    reader.write(chunk.subarray(0, length));
    chunk.fill(0x21);
    at += length;
  }
  return reader.end();
}

/** Formats whose values may span lines. */
const ELEMENTS = /array|EDN|vector|JSON/;

describe.each(Object.entries(FILES))('a file of %s', (name, lines) => {
  test('is read unchanged', () => {
    expect(outcome(() => parseHistory(lines.join('\n')))).not.toContain(COMPLAINT);
  });

  test('that ends anywhere advises --partial only if that reads it', () => {
    const bytes = Buffer.from(lines.join('\n'));
    for (let length = 1; length < bytes.length; length++) {
      const piece = bytes.subarray(0, length);
      const whole = outcome(() => parseHistory(piece));
      if (!whole.startsWith(COMPLAINT)) continue;
      const partial = outcome(() => parseHistory(piece, { partial: true }));
      const shown = `${JSON.stringify(piece.toString())}: ${whole}; with --partial: ${partial}`;
      const [isAdvised, isRead] = [whole.includes(READ_PARTIAL), !partial.startsWith(COMPLAINT)];
      if (isAdvised || ELEMENTS.test(name)) expect(isAdvised, shown).toBe(isRead);
    }
  });

  test('that is cut off before a line break does not advise --partial: its end is there', () => {
    const last = lines.length - 1;
    for (let cut = 0; cut < last; cut++)
      for (let length = 1; length < lines[cut].length; length += 5) {
        const text = lines.map((line, i) => (i === cut ? line.slice(0, length) : line)).join('\n');
        const whole = outcome(() => parseHistory(text));
        const partial = outcome(() => parseHistory(text, { partial: true }));
        if (whole.includes(READ_PARTIAL)) expect(partial, text).not.toContain(COMPLAINT);
      }
  });

  test('gives a history or a FormatError after any change, for any division into pieces', () => {
    let histories = 0;
    for (let seed = 1; seed <= CASES; seed++) {
      const random = new Random(seed);
      const bytes = mutated(lines, random);
      const shown = `seed ${seed}: ${JSON.stringify(bytes.toString())}`;
      try {
        const whole = outcome(() => parseHistory(bytes));
        for (const most of [1, 7, 300]) {
          const chunked = outcome(() => inChunks(bytes, most, random));
          if (chunked !== whole) expect(chunked).toBe(whole);
        }
        // without calls, an annotation has no moment
        if (whole.startsWith(COMPLAINT) || !whole.includes('"process"')) continue;
        histories++;
        const again = outcome(() => parseHistory(whole));
        if (again !== whole) expect(again).toBe(whole);
      } catch (error) {
        throw new Error(shown, { cause: error });
      }
    }
    // enough changed files are valid
    expect(histories).toBeGreaterThan(CASES / 50);
    expect(histories).toBeLessThan((CASES * 3) / 4);
  });
});
