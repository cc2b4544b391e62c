/** The binary form: all that a history has comes back, and no bytes crash its reader. */
import { Buffer } from 'node:buffer';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FILES, mutated } from '../../../test/support/generators/broken-files.js';
import { wholeHistory } from '../../../test/support/oracles/whole-history.js';
import { Random } from '../../base/random.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { History } from '../../history/history.js';
import { FormatError, OptionError } from '../common/format-error.js';
import type { ReadOptions } from '../common/reader.js';
import { DetectingReader } from '../detect.js';
import { writeJsonLines } from '../json-lines/writer.js';
import { parseHistory, readHistory } from '../read-history.js';
import { writeSedge } from './writer.js';

const MUTATIONS = process.env.AGREE === 'all' ? 100_000 : 3_000;

const bytesOf = (history: History): Buffer => Buffer.concat([...writeSedge(history)]);

/** All but the lines, which a binary file does not have. */
const whole = ({ columns, tables: { lines: _, ...tables }, annotations, stuck }: History): unknown =>
  wholeHistory(new History(columns, tables, annotations, stuck));

const read = (name: string): History => parseHistory(FILES[name].join('\n'));
const OPERATIONS = read('operations');

/** The message that bytes get; anything but a FormatError is a bug. */
function complaint(bytes: Uint8Array, options?: ReadOptions): string {
  try {
    parseHistory(bytes, options);
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
  return 'accepted';
}

/** The same bytes with the sum that belongs to them. */
function summed(bytes: Buffer): Buffer {
  const fixed = Buffer.from(bytes);
  if (fixed.length >= 4) fixed.writeUInt32LE(crc32(fixed.subarray(0, -4)), fixed.length - 4);
  return fixed;
}

describe('what is written is read again, with the same numbers in all columns and tables', () => {
  test.each(Object.entries(FILES))('a file of %s', (_name, lines) => {
    const history = parseHistory(lines.join('\n'));
    expect(whole(parseHistory(bytesOf(history)))).toEqual(whole(history));
    for (let seed = 1; seed <= 100; seed++) {
      const bytes = mutated(lines, new Random(seed));
      if (complaint(bytes) !== 'accepted') continue;
      expect(whole(parseHistory(bytesOf(parseHistory(bytes))))).toEqual(whole(parseHistory(bytes)));
    }
  });

  test('values of every kind', () => {
    const builder = new HistoryBuilder();
    const args = [
      ...[
        0,
        -0,
        1,
        -1,
        127,
        128,
        16_384,
        -128,
        -129,
        2 ** 31,
        -(2 ** 31),
        2 ** 53 - 1,
        -(2 ** 53) + 1,
        2 ** 53,
      ],
      ...[1.5, -1e300, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MIN_VALUE],
      ...['', 'a', 'ä€😀', '\ud83d', '\0', 'x'.repeat(1000), null, undefined, true, false, 5n, 2n ** 70n],
      ...[[], [1, [2]], {}, { a: { b: 1 } }, { $: 'x' }, new Date(17), new Map([[1, new Set(['a'])]])],
      Uint8Array.of(1, 2),
    ];
    builder.operation({
      process: '\ud83d',
      method: 'ä',
      object: '',
      args,
      outcome: { kind: 'returned', value: undefined },
      call: 1,
      return: 2,
    });
    const history = builder.finish();
    const again = parseHistory(bytesOf(history));
    expect(whole(again)).toEqual(whole(history));
    expect(again.at(0)).toEqual(history.at(0));
  });

  test('an empty history', () => {
    const empty = new HistoryBuilder().finish();
    expect(whole(parseHistory(bytesOf(empty)))).toEqual(whole(empty));
  });

  test('an operation cut off before its return is pending, as in our lines', () => {
    const rows = (history: History) => [...history];
    for (let m = 0; m < OPERATIONS.columns.events.length; m++) {
      const cut = OPERATIONS.prefix(m);
      const text = [...writeJsonLines(cut)].join('');
      expect(rows(parseHistory(bytesOf(cut)))).toEqual(rows(parseHistory(text)));
    }
  });

  test('instances of classes that look the same are one value, as in our lines', () => {
    class Point {
      x = 1;
    }
    const builder = new HistoryBuilder();
    builder.operation({
      process: 'A',
      method: 'f',
      args: [new Point(), { x: 1 }, 'last'],
      outcome: { kind: 'pending' },
      call: 1,
    });
    const { columns, tables } = parseHistory(bytesOf(builder.finish()));
    expect([...columns.argument]).toEqual([0, 0, 1]);
    expect(tables.values.values).toEqual([{ x: 1 }, 'last']);
  });
});

describe('bytes in pieces and packed', () => {
  const bytes = bytesOf(OPERATIONS);

  test('are read wherever they are cut', () => {
    for (let at = 0; at <= bytes.length; at++) {
      const reader = new DetectingReader();
      const lent = Buffer.from(bytes.subarray(0, at));
      reader.write(lent);
      lent.fill(0x2a);
      reader.write(bytes.subarray(at));
      expect(whole(reader.end())).toEqual(whole(OPERATIONS));
    }
  });

  test('are read from a file, gzipped or not, whatever its name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'straightedge-sedge-'));
    try {
      writeFileSync(join(folder, 'a.jsonl'), bytes);
      writeFileSync(join(folder, 'b'), gzipSync(bytes));
      for (const name of ['a.jsonl', 'b'])
        expect(whole(await readHistory(join(folder, name)))).toEqual(whole(OPERATIONS));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('bytes that are no history', () => {
  const bytes = bytesOf(OPERATIONS);

  test('a file cut short is an error, wherever it is cut', () => {
    for (let length = 6; length < bytes.length; length++)
      expect(complaint(bytes.subarray(0, length))).toMatch(/^the (bytes do not add up|file ends before)/);
  });

  test('so is one in which a bit has changed', () => {
    for (let at = 7; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] ^= 1 << (at & 7);
      expect(complaint(changed)).toBe(
        'the bytes do not add up to the sum at the end: the file was cut short or damaged; convert or copy it again',
      );
    }
  });

  test('a newer version is refused by its number', () => {
    const newer = Buffer.from(bytes);
    newer[6] = 2;
    expect(complaint(summed(newer))).toBe(
      'version 2 of the binary form; expected 1. A newer straightedge may read it, and convert it to JSON lines',
    );
  });

  test.each(Object.keys(FILES))(
    'whatever is changed in one, with the right sum: a history that holds together, or an error (%s)',
    (name) => {
      const good = bytesOf(read(name));
      let [histories, errors] = [0, 0];
      for (let seed = 1; seed <= MUTATIONS / 10; seed++) {
        const random = new Random(seed);
        const changed = summed(changedSomewhere(good, random));
        try {
          if (complaint(changed) !== 'accepted') {
            errors++;
            continue;
          }
          const history = parseHistory(changed);
          // it holds together: all of it can be looked at, and written, and read again
          expect(whole(parseHistory(bytesOf(history)))).toEqual(whole(history));
          expect([...history]).toHaveLength(history.length);
          histories++;
        } catch (error) {
          throw new Error(`seed ${seed}: ${changed.toString('hex')}`, { cause: error });
        }
      }
      // mutations that only ever break a file, or never, would prove little
      expect(Math.min(histories, errors)).toBeGreaterThan(MUTATIONS / 1000);
    },
  );

  test('every byte may be any other', () => {
    const short = bytesOf(parseHistory(FILES.operations.slice(0, 2).join('\n')));
    for (let at = 6; at < short.length - 4; at++)
      for (let byte = 0; byte < 256; byte++) {
        const changed = Buffer.from(short);
        changed[at] = byte;
        complaint(summed(changed));
      }
  });

  /** One byte of `A.f() → 7` is changed. */
  test.each([
    [7, 4, 'byte 7: 4 as flags; expected a number below 4'],
    [8, 100, 'byte 8: 100 operations, but the file ends before that'],
    [8, 2, 'byte 25: 1 as a process; expected a number below 1'],
    [10, 9, 'byte 10: 9 as the kind of a value; expected 0 to 8'],
    [10, 0, 'byte 10: null as a name; expected a text'],
    [12, 8, 'byte 13: a value that is no JSON with tags: "A" stands where a JSON value was expected'],
    [13, 200, 'byte 15: the file ends here, and 8392 more bytes were expected'],
    [14, 0xff, 'byte 14: a text that is not UTF-8'],
    [22, 1, 'byte 22: 1 as an object; expected a number below 1'],
    [25, 0, 'byte 25: operation 0 ended in no way that there is'],
    [25, 2, 'byte 25: operation 0 ended in no way that there is'],
    [25, 4, 'byte 25: 4 as the outcome of an operation; expected a number below 4'],
    [26, 0, 'byte 25: operation 0 ended in no way that there is'],
    [26, 2, 'byte 26: 2 as a value; expected a number below 2'],
    [27, 9, 'byte 27: 9 as a number of arguments; expected a number below 6'],
    [28, 1, 'byte 28: operation 0 has a result, but never returns'],
    [28, 0, 'byte 28: operation 0 is never called'],
    [29, 1, 'byte 29: 1 as an event; expected a number below 1'],
    [30, 0, 'byte 30: a call, but all 1 operations are called'],
    [31, 2, 'byte 31: 2 as whether there is an order beside time; expected a number below 2'],
  ])('byte %i as %i', (at, byte, message) => {
    const builder = new HistoryBuilder();
    builder.operation({
      process: 'A',
      method: 'f',
      outcome: { kind: 'returned', value: 7 },
      call: 1,
      return: 2,
    });
    const changed = bytesOf(builder.finish());
    changed[at] = byte;
    expect(complaint(summed(changed))).toBe(message);
  });

  test('an order beside time that contradicts it', () => {
    const history = parseHistory(
      '{"process":1,"method":"f","id":1,"call":1,"return":2}\n{"process":1,"method":"f","id":2,"call":3,"return":4,"after":[1]}',
    );
    const bytes = bytesOf(history);
    // the list of the second operation becomes that of the first, which then comes after itself
    const lists = bytes.subarray(-8, -5);
    expect([...lists]).toEqual([0, 1, 0]);
    lists.set([1, 0]);
    expect(complaint(summed(bytes))).toBe('operation 0: an operation comes after itself, by way of "after"');
  });
});

describe('options', () => {
  const bytes = bytesOf(OPERATIONS);

  test('rename gives methods other names, and may make two of them one', () => {
    const rename = new Map([['peek', 'dequeue']]);
    const { tables } = parseHistory(bytes, { rename });
    expect(tables.methods).toEqual(['enqueue', 'dequeue']);
  });

  test('a method that the object does not have is an error', () => {
    expect(complaint(bytes, { methodsOf: () => ['enqueue', 'peek'] })).toBe(
      'operation 1: unknown method "dequeue"; expected enqueue, peek',
    );
    expect(complaint(bytes, { methodsOf: () => ['enqueue', 'dequeue', 'peek'] })).toBe('accepted');
  });

  test('there are no times that a clock error could widen', () => {
    expect(() => parseHistory(bytes, { clockError: 5 })).toThrow(OptionError);
  });
});

const INSERTED = [0, 1, 2, 7, 8, 127, 128, 255];

/** Changes one to three places: a byte, a bit, or bytes left out or put in. */
function changedSomewhere(bytes: Buffer, random: Random): Buffer {
  let changed = Buffer.from(bytes);
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = 7 + random.below(changed.length - 11);
    const kind = random.below(4);
    if (kind === 0) changed[at] = random.below(256);
    else if (kind === 1) changed[at] ^= 1 << random.below(8);
    else if (kind === 2) changed[at] = random.pick(INSERTED);
    else {
      const put = random.chance(50) ? [random.pick(INSERTED)] : [];
      changed = Buffer.concat([
        changed.subarray(0, at),
        Buffer.from(put),
        changed.subarray(at + 1 - put.length),
      ]);
    }
  }
  return changed;
}
