/**
 * Bytes that come while they are written: from a pipe, a terminal, or a file that grows.
 *
 * A pipe is read without a thread of the system's waiting in it, so that whoever has seen enough
 * can leave while it is open.
 */
import { createReadStream, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty, ReadStream } from 'node:tty';
import { UsageError } from '../../config/usage-error.js';

const CHUNK = 1 << 18;
/** How often a file that grows is looked at. */
const LOOK_EVERY = 100;

/** `-` is standard input. `follow`: a file goes on after its end, until `isOver`. */
export function eventSource(file: string, follow: boolean, isOver: () => boolean): Readable {
  if (file !== '-')
    return follow ? Readable.from(growing(file, isOver)) : createReadStream(file, { highWaterMark: CHUNK });
  if (isatty(0)) return new ReadStream(0);
  const stdin = fstatSync(0);
  if (stdin.isFIFO() || stdin.isSocket()) return new Socket({ fd: 0, readable: true, writable: false });
  return createReadStream(file, { fd: 0, highWaterMark: CHUNK });
}

/** All of a file, and whatever is added to it. */
async function* growing(file: string, isOver: () => boolean): AsyncGenerator<Uint8Array> {
  const handle: FileHandle = await open(file);
  try {
    const buffer = new Uint8Array(CHUNK);
    for (let position = 0; !isOver(); ) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
      position += bytesRead;
      if (bytesRead > 0) yield buffer.slice(0, bytesRead);
      else {
        if ((await handle.stat()).size < position)
          throw new UsageError(`${file} has become shorter; --follow is for a file that only grows`);
        await sleep(LOOK_EVERY);
      }
    }
  } finally {
    await handle.close();
  }
}
