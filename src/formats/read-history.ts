/** Reads histories from texts and files. Files are streamed, and decompressed if they are gzipped. */
import { Buffer } from 'node:buffer';
import { constants, createReadStream, fstatSync, type Stats, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty, ReadStream } from 'node:tty';
import { createGunzip } from 'node:zlib';
import { isNamedPipe } from '../base/system-files.js';
import { type History, withRecordedMethods } from '../history/history.js';
import { FormatError, type ReadOptions } from './common/reader.js';
import { DetectingReader } from './detect.js';
import { Records } from './json-lines/records.js';

/**
 * Maps method names of a file to those of a spec, and remembers which occurred, so that reports
 * print the names of the file.
 */
export class MethodRenames extends Map<string, string> {
  /** Method of the spec to its name in the file; undefined if it has several. */
  readonly #recordedNames = new Map<string, string | undefined>();
  /** Names that have not occurred. */
  readonly #unused = new Set(this.keys());

  override get(name: string): string {
    const method = super.get(name) ?? name;
    this.#unused.delete(name);
    this.#recordedNames.set(
      method,
      this.#recordedNames.has(method) && this.#recordedNames.get(method) !== name ? undefined : name,
    );
    return method;
  }

  /** The renames that have not occurred, as typed: the method, then its name in the file. */
  get unused(): string[] {
    return Array.from(this.#unused, (name) => `${super.get(name)}=${name}`);
  }

  /** The name of a method in the file, or its own if the file has several. */
  recordedName(method: string): string {
    return this.#recordedNames.get(method) ?? method;
  }
}

const CHUNK = 1 << 20;
const NEWLINE = 0x0a;

/**
 * Reads a history from a text or bytes, in any supported format.
 *
 * @example
 * const history = parseHistory('{"process":"A","method":"enqueue","args":[1],"call":1,"return":2}');
 * assert.equal(history.length, 1);
 */
export function parseHistory(text: string | Uint8Array, options: ReadOptions = {}): History {
  const rename = trackRenames(options);
  const reader = new DetectingReader({ ...options, rename });
  reader.write(typeof text === 'string' ? new TextEncoder().encode(text) : text);
  return asRecorded(reader.end(), rename);
}

/**
 * Reads a history from a file, or from standard input if the path is `-`.
 *
 * @example
 * const load = (path: string) => readHistory(path, { rename: new Map([['add', 'enqueue']]) });
 */
export async function readHistory(path: string, options: ReadOptions = {}): Promise<History> {
  const rename = trackRenames(options);
  const reader = new DetectingReader({ ...options, rename });
  for await (const bytes of decompress(chunksOf(path, () => options.watch?.(0)))) {
    reader.write(bytes);
    options.watch?.(reader.bytesToEnd);
  }
  return asRecorded(reader.end(), rename);
}

/**
 * Reads several files as one history: logs of operations with times, of machines whose clocks agree. With `clockError`, each
 * file has a clock of its own. Processes of different files are different, even if they have the same name.
 *
 * @example
 * const load = () => readTogether(['eu.jsonl', 'us.jsonl'], { clockError: '5ms' });
 */
export async function readTogether(paths: readonly string[], options: ReadOptions = {}): Promise<History> {
  const rename = trackRenames(options);
  const joined = new Records({ ...options, rename }, START, true);
  for (const path of paths) {
    joined.startFile(path);
    const onCut = (line: number) => options.onCut?.(line, path, false);
    const reader = new DetectingReader({ ...options, rename, onCut }, joined);
    try {
      for await (const bytes of decompress(chunksOf(path, () => options.watch?.(0)))) {
        reader.write(bytes);
        options.watch?.(joined.bytesToFinish);
      }
      reader.endFile();
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      throw new FormatError(error.detail, error.line, error.column, path);
    }
  }
  const history = joined.finish();
  return asRecorded(history, rename);
}

const asRecorded = (history: History, rename: MethodRenames | undefined): History =>
  rename ? withRecordedMethods(history, (method) => rename.recordedName(method)) : history;

/** The position before the first record. */
const START = {
  line: 1,
  positionAt: () => ({ line: 1, column: 1 }),
  positionOf: () => ({ line: 1, column: 1 }),
};

/** A buffer of the size of a small file, and the byte that shows its end. */
const chunkSize = (found: Stats): number => (found.isFile() ? Math.min(CHUNK, found.size + 1) : CHUNK);

/** The content of a file or of standard input. A chunk is valid until the next one. */
function chunksOf(path: string, whileIdle: () => void): AsyncIterable<Uint8Array> {
  const found = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? fileChunks(path, chunkSize(found)) : openSource(path, whileIdle);
}

/** Opens a file, or standard input for `-`, so that no system thread waits for data. `whileIdle` may throw to stop. */
export function openSource(
  path: string,
  whileIdle: () => void,
): AsyncIterable<Uint8Array> & { readonly destroy?: () => unknown } {
  if (path !== '-') {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFIFO() && isNamedPipe(path)) return pipeChunks(path, whileIdle);
    return createReadStream(path, { highWaterMark: found ? chunkSize(found) : CHUNK });
  }
  if (isatty(0)) return new ReadStream(0);
  const stdin = fstatSync(0);
  if (stdin.isFIFO() || stdin.isSocket()) return new Socket({ fd: 0, readable: true, writable: false });
  return createReadStream(path, { fd: 0, highWaterMark: CHUNK });
}

/** The content of a file in one buffer: a stream would take new memory for each chunk. */
async function* fileChunks(path: string, size: number): AsyncGenerator<Uint8Array> {
  const handle = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(size);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, size, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Milliseconds between two looks at a pipe without data. */
const PIPE_INTERVAL = 20;

/**
 * The content of a named pipe. To open it would block until a process writes to it, and a blocked thread keeps the process
 * alive. So it is opened without blocking, and ends when the first writer has closed it. `whileIdle` may throw to stop.
 */
async function* pipeChunks(path: string, whileIdle: () => void): AsyncGenerator<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const buffer = new Uint8Array(CHUNK);
    for (let hasWriter = false; ; ) {
      const count = await handle.read(buffer, 0, CHUNK, null).then(
        ({ bytesRead }) => bytesRead,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EAGAIN') throw error;
          return -1;
        },
      );
      if (count === 0 && hasWriter) return;
      hasWriter ||= count !== 0;
      if (count > 0) yield buffer.slice(0, count);
      else {
        whileIdle();
        await sleep(PIPE_INTERVAL);
      }
    }
  } finally {
    await handle.close();
  }
}

/** The caller may pass its own MethodRenames and query it afterwards. */
function trackRenames({ rename }: ReadOptions): MethodRenames | undefined {
  if (!rename?.size) return undefined;
  return rename instanceof MethodRenames ? rename : new MethodRenames(rename);
}

/** Decompresses a stream if it starts like a gzip file. */
export async function* decompress(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const whole = chain(first.value, chunks);
  if (first.value[0] === 0x1f && first.value[1] === 0x8b) yield* gunzip(copies(whole));
  else yield* whole;
}

async function* chain(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    // close the file if the consumer stops early
    await rest.return?.();
  }
}

/** The consumer may keep these chunks. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of chunks) yield Buffer.from(bytes);
}

async function* gunzip(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let line = 1;
  try {
    // errors of both sides are thrown by the loop, so the callback is empty
    for await (const bytes of pipeline(packed, createGunzip(), () => {})) {
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) line++;
      yield bytes;
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && /^Z_/.test(String(error.code)))) throw error;
    throw new FormatError(`the gzip file is damaged or cut short here (${error.message})`, line);
  }
}
