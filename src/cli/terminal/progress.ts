import { readFileSync } from 'node:fs';
import { packageFile } from '../../base/package-file.js';
import type { CheckJob } from '../../jobs/model/job.js';

/* The version of this package. */

const { version } = JSON.parse(readFileSync(packageFile('straightedge/package.json'), 'utf8')) as {
  version: string;
};

export const VERSION: string = version;

/* How a report may look where it is printed. */

export const terminalStyle = (ascii: boolean): CheckJob['style'] => ({
  colour: (process.stdout.isTTY && !process.env.NO_COLOR) || process.env.FORCE_COLOR === '1',
  ascii,
  width: process.stdout.columns ?? (Number(process.env.COLUMNS) || 100),
});

/** Runs something that Ctrl-C should end in good order: it sets one integer of shared memory that others look at. */
export async function interruptible<R>(run: (stop: Int32Array<SharedArrayBuffer>) => Promise<R>): Promise<R> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const interrupt = () => Atomics.store(stop, 0, 1);
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await run(stop);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** One line on the terminal's error output that is written over; nothing where that is no terminal. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #shown: boolean;

  constructor(stream: NodeJS.WriteStream, quiet: boolean) {
    this.#stream = stream;
    this.#shown = stream.isTTY && !quiet;
  }

  show(text: string): void {
    if (this.#shown) this.#stream.write(`\r\x1b[K${text.slice(0, (this.#stream.columns ?? 80) - 1)}`);
  }

  clear(): void {
    if (this.#shown) this.#stream.write('\r\x1b[K');
  }
}
