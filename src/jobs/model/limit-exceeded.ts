/** Limits of a job in its own thread, and the errors that its user code throws. */

import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { packageFile } from '../../base/package-file.js';
import type { LimitReason } from '../../check/model/verdict.js';
import type { ReadJob } from './job.js';

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
}

const OWN_FOLDER = resolve(dirname(packageFile('straightedge/package.json')), 'dist');

/** The stack of an error in user code, without our frames. If we threw it, the whole stack. */
export function userStack({ stack, message }: Error): string {
  const lines = (stack ?? message).split('\n');
  const isPlace = (line: string) => /^\s+at /.test(line);
  const isUsers = (line: string) =>
    !line.includes(`${OWN_FOLDER}/`) &&
    !line.includes(`${pathToFileURL(OWN_FOLDER).href}/`) &&
    !line.includes('node:') &&
    !line.includes('Generator.next (<anonymous>)');
  const first = lines.find(isPlace);
  if (first === undefined || !isUsers(first)) return lines.join('\n');
  return lines.filter((line) => !isPlace(line) || isUsers(line)).join('\n');
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
  const fits = (bytes: number) => process.memoryUsage.rss() + bytes <= limits.maxMemory;
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
