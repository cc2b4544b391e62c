/** A limit that is met while a history is read: its bytes come one chunk after another, and each is a time to look. */
import type { Exhausted } from '../../check/model/verdict.js';
import type { ReadJob } from './job.js';

export class RanOut extends Error {
  readonly because: Exhausted;
  constructor(because: Exhausted) {
    super(because);
    this.because = because;
  }
}

/** To be called between chunks; throws where a limit is met, or would be at the end. */
export function watchLimits({ limits, stop }: ReadJob): (bytesToEnd: number) => void {
  const deadline = performance.now() + (limits.milliseconds ?? Number.POSITIVE_INFINITY);
  return (bytesToEnd) => {
    if (Atomics.load(stop, 0) !== 0) throw new RanOut('interrupted');
    if (process.memoryUsage.rss() + bytesToEnd > limits.bytes) throw new RanOut('memory');
    if (performance.now() > deadline) throw new RanOut('time');
  };
}
