/** Histories from texts and files. A file is read as it comes; one that is gzipped is unpacked on the way. */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { History } from '../history/history.js';
import { FormatError } from './common/format-error.js';
import type { ReadOptions } from './common/reader.js';
import { DetectingReader } from './detect.js';

/** Method names of a file to those of a spec; notes which were met, so that reports can show the names of the file. */
export class NotedRenames extends Map<string, string> {
  /** Method of the spec to its name in the file; undefined: it has several. */
  readonly #met = new Map<string, string | undefined>();
  /** Names that the file has not had. */
  readonly #idle = new Set(this.keys());

  override get(name: string): string {
    const method = super.get(name) ?? name;
    this.#idle.delete(name);
    this.#met.set(method, this.#met.has(method) && this.#met.get(method) !== name ? undefined : name);
    return method;
  }

  /** The pairs whose names the file has not had, as they are typed: the method, then its name in the file. */
  get idle(): string[] {
    return Array.from(this.#idle, (name) => `${super.get(name)}=${name}`);
  }

  /** The name of a method in the file; where that has several for it, its own. */
  toldAs(method: string): string {
    return this.#met.get(method) ?? method;
  }
}

const CHUNK = 1 << 20;
const NEWLINE = 0x0a;

/** A history from a text that is at hand. */
export function parseHistory(text: string | Uint8Array, options: ReadOptions = {}): History {
  const rename = noted(options);
  const reader = new DetectingReader({ ...options, rename });
  reader.write(typeof text === 'string' ? new TextEncoder().encode(text) : text);
  return rename ? reader.end().withRecordedMethods((method) => rename.toldAs(method)) : reader.end();
}

/** A history from a file; `-` is standard input. */
export async function readHistory(path: string, options: ReadOptions = {}): Promise<History> {
  const rename = noted(options);
  const reader = new DetectingReader({ ...options, rename });
  for await (const bytes of unpacked(
    createReadStream(path, { highWaterMark: CHUNK, ...(path === '-' && { fd: 0 }) }),
  )) {
    reader.write(bytes);
    options.watch?.(reader.bytesToEnd);
  }
  return rename ? reader.end().withRecordedMethods((method) => rename.toldAs(method)) : reader.end();
}

/** Who notes by himself may ask afterwards. */
function noted({ rename }: ReadOptions): NotedRenames | undefined {
  if (!rename?.size) return undefined;
  return rename instanceof NotedRenames ? rename : new NotedRenames(rename);
}

/** The bytes of a stream, unpacked if they start as gzip does. */
export async function* unpacked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const whole = chain(first.value, chunks);
  if (first.value[0] === 0x1f && first.value[1] === 0x8b) yield* gunzipped(whole);
  else yield* whole;
}

async function* chain(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    // whoever stops early closes the file
    await rest.return?.();
  }
}

async function* gunzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let line = 1;
  try {
    // an error of either side comes out of the loop; the callback has nothing to add
    for await (const bytes of pipeline(packed, createGunzip(), () => {})) {
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) line++;
      yield bytes;
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && /^Z_/.test(String(error.code)))) throw error;
    throw new FormatError(`the gzip file is damaged or cut short here (${error.message})`, line);
  }
}
