import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { share } from '../../test/support/share.js';
import { FormatError } from './common/reader.js';
import { writeJsonLines } from './json-lines/writer.js';
import { parseHistory, readHistory } from './read-history.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'straightedge-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** An unhandled rejection would end a user's process. */
const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeAll(() => process.on('unhandledRejection', note));
afterAll(() => process.off('unhandledRejection', note));
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(unhandled).toEqual([]);
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** The error of reading a file. */
async function complaint(path: string): Promise<Error> {
  const error: unknown = await readHistory(path).then(
    () => new Error('accepted'),
    (reason: unknown) => reason,
  );
  return error as Error;
}

const operation = (k: number): string =>
  `{"process":${k % 8},"method":"enqueue","args":[${k}],"call":${8 * k},"return":${8 * k + 30}}\n`;
const operations = (n: number): string => [...generated(n)].join('');

/** This number of operations, a thousand at a time. */
function* generated(n: number): Generator<string> {
  for (let k = 0; k < n; k += 1000)
    yield Array.from({ length: Math.min(1000, n - k) }, (_, i) => operation(k + i)).join('');
}

test('a file gives the same history as its text', async () => {
  const text = operations(1000);
  const history = await readHistory(await file('plain.jsonl', text));
  expect([...writeJsonLines(history)]).toEqual([...writeJsonLines(parseHistory(text))]);
});

test('a gzipped file is unpacked, whatever its name', async () => {
  const text = operations(1000);
  for (const name of ['packed.jsonl.gz', 'packed.jsonl']) {
    const history = await readHistory(await file(name, gzipSync(text)));
    expect([...writeJsonLines(history)]).toEqual([...writeJsonLines(parseHistory(text))]);
  }
});

test('concatenated gzip files are read as one', async () => {
  const parts = Buffer.concat([gzipSync(operation(0)), gzipSync(operation(1))]);
  expect((await readHistory(await file('parts.gz', parts))).length).toBe(2);
});

test('an empty file is an empty history', async () => {
  expect((await readHistory(await file('empty.jsonl', ''))).length).toBe(0);
  expect((await readHistory(await file('empty.jsonl.gz', gzipSync('')))).length).toBe(0);
});

test('options apply to files too', async () => {
  const path = await file('renamed.jsonl', operation(0));
  expect((await readHistory(path, { rename: new Map([['enqueue', 'push']]) })).at(0).method).toBe('push');
});

test('a missing file and a folder are system errors that name the path', async () => {
  const missing = join(folder, 'missing.jsonl');
  expect(await complaint(missing)).toMatchObject({
    code: 'ENOENT',
    message: `ENOENT: no such file or directory, open '${missing}'`,
  });
  expect(await complaint(folder)).toMatchObject({ code: 'EISDIR' });
});

test('an invalid line of a file is reported with its position, compressed or not', async () => {
  const text = `${operations(20_000)}{"process":"A"\n${operations(20_000)}`;
  const message =
    'line 20001, column 15: expected "," or "}", found the end of the text: the line is cut off, ';
  for (const content of [text, gzipSync(text)]) {
    const error = await complaint(await file('bad.jsonl', content));
    expect(error).toBeInstanceOf(FormatError);
    expect(error.message.startsWith(message)).toBe(true);
  }
});

test('an invalid first line of a file is reported, compressed or not', async () => {
  for (const content of ['hello\n', gzipSync('hello\n')])
    expect(await complaint(await file('hello.txt', content))).toMatchObject({
      message:
        'line 1, column 1: unknown format: the text starts with "hello"; expected JSON objects ({…}, one per line or in an array) or EDN of Jepsen ({:…}) or a log of Jepsen',
    });
});

test('a gzipped file that was cut short is reported at the first missing line', async () => {
  const path = await file('cut.jsonl.gz', gzipSync(operations(3)));
  await truncate(path, 40);
  const early = await complaint(path);
  expect(early).toBeInstanceOf(FormatError);
  expect(early.message).toBe(
    'line 1, column 1: the gzip file is damaged or cut short here (unexpected end of file)',
  );

  const long = gzipSync(operations(20_000));
  const late = await complaint(await file('cut-late.jsonl.gz', long.subarray(0, long.length - 100)));
  expect(late).toBeInstanceOf(FormatError);
  expect(late.message).toMatch(
    /^line 19\d\d\d, column 1: the gzip file is damaged or cut short here \(unexpected end of file\)$/,
  );
});

test('a gzipped file that was damaged is an error', async () => {
  const bytes = gzipSync(operations(1000));
  bytes.fill(0, 20, 60);
  const error = await complaint(await file('damaged.jsonl.gz', bytes));
  expect(error).toBeInstanceOf(FormatError);
  expect(error.message).toMatch(/^line 1, column 1: the gzip file is damaged or cut short here \(/);
});

test('a file with only the first two bytes of gzip is an error', async () => {
  expect(await complaint(await file('two.gz', Uint8Array.of(0x1f, 0x8b)))).toMatchObject({
    message: 'line 1, column 1: the gzip file is damaged or cut short here (unexpected end of file)',
  });
});

test('a large file is read as a stream', async () => {
  const n = share(200_000, 30_000);
  const plain = join(folder, 'large.jsonl');
  const packed = join(folder, 'large.jsonl.gz');
  await pipeline(Readable.from(generated(n)), createWriteStream(plain));
  await pipeline(Readable.from(generated(n)), createGzip({ level: 1 }), createWriteStream(packed));
  for (const path of [plain, packed]) {
    const history = await readHistory(path);
    expect(history.length).toBe(n);
    expect(history.processes.length).toBe(8);
    expect(history.at(-1)).toMatchObject({ process: '7', args: [n - 1] });
  }
});

test('watch receives the memory that the history will need', async () => {
  const line = '{"process":"A","method":"read","result":1,"call":CALL,"return":CALL}\n';
  const lines = Array.from({ length: 30_000 }, (_, i) => line.replaceAll('CALL', String(i)));
  const reported: number[] = [];
  const history = await readHistory(await file('watched.jsonl', lines.join('')), {
    watch: (bytesToEnd) => reported.push(bytesToEnd),
  });
  expect(reported.length).toBeGreaterThan(1);
  expect(reported).toEqual([...reported].sort((a, b) => a - b));
  const { columns } = history;
  const bytes = Object.values(columns).reduce((sum, column) => sum + (column as Int32Array).byteLength, 0);
  expect(reported[reported.length - 1]).toBeGreaterThanOrEqual(bytes);
  expect(reported[reported.length - 1]).toBeLessThan(2 * bytes);
});
