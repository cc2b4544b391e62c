/** Limits of a job in its own thread, and the errors that its user code throws. */

import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type InputError, isReadableError, thrownText } from '../../base/errors.js';
import { packageFile } from '../../base/package-file.js';
import { systemFault } from '../../base/system-files.js';
import { printable } from '../../base/values/show.js';
import type { ProcessMemory } from '../../check/model/budget.js';
import type { LimitReason } from '../../check/model/verdict.js';
import { InstrumentError, problemText } from '../../instrument/syntax/source.js';
import type { Failure, ReadJob, Refusal } from './job.js';

let gc: (() => void) | undefined;

/**
 * Collects garbage, which counts as memory until then.
 *
 * The flag is set on the first call: V8 rejects the code cache of Node for threads that start after a flag has changed.
 */
export function collectGarbage(): void {
  if (gc === undefined) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as () => void;
  }
  gc();
  measured.at = Number.NEGATIVE_INFINITY;
}

/** Milliseconds for which a measurement counts: one takes longer than the check of a small history. */
const MEASUREMENT = 5;
const measured = { at: Number.NEGATIVE_INFINITY, bytes: 0 };

/** The memory of the process. Buffers count as soon as they are allocated, before the system provides their pages. */
export function memoryInUse(): number {
  const now = performance.now();
  if (now - measured.at < MEASUREMENT) return measured.bytes;
  const { rss, heapTotal, external } = process.memoryUsage();
  measured.bytes = Math.max(rss, heapTotal + external);
  measured.at = performance.now();
  return measured.bytes;
}

const OWN_FOLDER = resolve(dirname(packageFile('straightedge/package.json')), 'dist');

const isPlace = (line: string): boolean => /^\s+at /.test(line);
const isOfNode = (line: string): boolean => line.includes('node:') || /[ (]<anonymous>\)?$/.test(line);
const isOwn = (line: string): boolean =>
  line.includes(`${OWN_FOLDER}/`) || line.includes(`${pathToFileURL(OWN_FOLDER).href}/`);

const linesOf = ({ stack, message }: Error): string[] => (stack ?? message).split('\n').map(printable);

/** Did we throw it, or Node on our behalf, rather than the user's code? */
function isOurs(error: Error): boolean {
  const first = linesOf(error).find((line) => isPlace(line) && !isOfNode(line));
  return first === undefined || isOwn(first);
}

/** The stack of an error in user code, without our frames. */
const userStack = (error: Error): string =>
  linesOf(error)
    .filter((line) => !isPlace(line) || !(isOwn(line) || isOfNode(line)))
    .join('\n');

/** An error of the input on one line; a file that cannot be instrumented has a line for each problem. */
export const inputErrorText = (error: InputError): string =>
  error instanceof InstrumentError
    ? error.problems.map((problem) => printable(problemText(problem))).join('\n')
    : printable(error.message);

/** What a thread replies to an error that no input explains: the user's code threw it, the system did, or we. */
export function replyTo(error: unknown): Refusal | Failure {
  if (!isReadableError(error)) return { kind: 'refused', message: printable(thrownText(error)) };
  if (!isOurs(error)) return { kind: 'refused', message: userStack(error) };
  const fault = systemFault(error);
  if (fault !== undefined) return { kind: 'refused', message: fault };
  return { kind: 'failed', message: printable(error.message), stack: linesOf(error).join('\n') };
}

/** After a garbage collection, a search continues if the process uses at most this share of the limit. */
const ROOM_AFTER_COLLECTION = 0.9;
/** A garbage collection is followed by this many times its duration without one. */
const COLLECTION_PAUSE = 20;

/** The memory of this process, in which unused memory is freed now and then when the limit is near. */
export function processMemory(): ProcessMemory {
  let nextCollectionAt = 0;
  const isFull = (limit: number): boolean => {
    if (memoryInUse() <= limit) return false;
    const start = performance.now();
    if (start < nextCollectionAt) return true;
    collectGarbage();
    const end = performance.now();
    nextCollectionAt = end + COLLECTION_PAUSE * (end - start);
    return memoryInUse() > ROOM_AFTER_COLLECTION * limit;
  };
  return { resident: memoryInUse, isFull };
}

/** A limit was reached while a history was read. */
export class LimitExceeded extends Error {
  readonly limit: LimitReason;

  constructor(limit: LimitReason) {
    super(limit);
    this.limit = limit;
  }
}

/** A function to call between two chunks of a file. It throws if a limit is reached, or would be at the end. */
export function watchLimits({ limits, stop }: ReadJob): (bytesToEnd: number) => void {
  const deadline = performance.now() + (limits.timeout ?? Number.POSITIVE_INFINITY);
  const fits = (bytes: number) => memoryInUse() + bytes <= limits.maxMemory;
  return (bytesToEnd) => {
    if (Atomics.load(stop, 0) !== 0) throw new LimitExceeded('interrupted');
    if (!fits(bytesToEnd)) {
      // a thread that has read other files has their garbage
      collectGarbage();
      if (!fits(bytesToEnd)) throw new LimitExceeded('memory');
    }
    if (performance.now() > deadline) throw new LimitExceeded('time');
  };
}
