/** A limit that is met while a history is read: its bytes come one chunk after another, and each is a time to look. */

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

/* Where an error of the user's code was thrown: without the lines of ours that called it. What we throw is told whole. */

const OURS = resolve(dirname(packageFile('straightedge/package.json')), 'dist');

export function theirStack({ stack, message }: Error): string {
  const lines = (stack ?? message).split('\n');
  const isPlace = (line: string) => /^\s+at /.test(line);
  const isTheirs = (line: string) =>
    !line.includes(`${OURS}/`) && !line.includes(`${pathToFileURL(OURS).href}/`) && !line.includes('node:');
  const first = lines.find(isPlace);
  if (first === undefined || !isTheirs(first)) return lines.join('\n');
  return lines.filter((line) => !isPlace(line) || isTheirs(line)).join('\n');
}

export class RanOut extends Error {
  readonly reason: LimitReason;
  constructor(reason: LimitReason) {
    super(reason);
    this.reason = reason;
  }
}

/** To be called between chunks; throws where a limit is met, or would be at the end. */
export function watchLimits({ limits, stop }: ReadJob): (bytesToEnd: number) => void {
  const deadline = performance.now() + (limits.timeout ?? Number.POSITIVE_INFINITY);
  return (bytesToEnd) => {
    if (Atomics.load(stop, 0) !== 0) throw new RanOut('interrupted');
    if (process.memoryUsage.rss() + bytesToEnd > limits.maxMemory) throw new RanOut('memory');
    if (performance.now() > deadline) throw new RanOut('time');
  };
}
