/** Histories from texts and files. A file is read as it comes; one that is gzipped is unpacked on the way. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { History } from '../history/index.js';
import { DetectingReader } from './detect.js';
import type { ReadOptions } from './reader.js';

/** A history from a text that is at hand. */
export function parseHistory(text: string | Uint8Array, options: ReadOptions = {}): History {
  const reader = new DetectingReader(options);
  reader.write(typeof text === 'string' ? new TextEncoder().encode(text) : text);
  return reader.end();
}

/** A history from a file; `-` is standard input. */
export async function readHistory(path: string, options: ReadOptions = {}): Promise<History> {
  const reader = new DetectingReader(options);
  for await (const bytes of unpacked(
    path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 1 << 18 }),
  ))
    reader.write(bytes);
  return reader.end();
}

/** The bytes of a stream, unpacked if they start as gzip does. */
async function* unpacked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  async function* all(): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  if (first.value[0] === 0x1f && first.value[1] === 0x8b) {
    const { pipeline } = await import('node:stream/promises');
    const gunzip = createGunzip();
    const done = pipeline(all(), gunzip);
    yield* gunzip as AsyncIterable<Uint8Array>;
    await done;
  } else yield* all();
}
