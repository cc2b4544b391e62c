/** The terminal that a command writes to: its streams, report style, progress line and interrupts. */
import { readFileSync } from 'node:fs';
import { packageFile } from '../../base/package-file.js';
import { printable, printableText } from '../../base/values/show.js';
import type { CheckJob } from '../../jobs/model/job.js';

/** The version of this package. */
export const VERSION: string = (
  JSON.parse(readFileSync(packageFile('straightedge/package.json'), 'utf8')) as { version: string }
).version;

interface Output {
  /** A command writes text, in which control characters are escaped. */
  write(text: string): unknown;
  /** Writes data as it is. */
  readonly writeData?: (text: string) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** `process`, or streams that collect what a command writes. A command sets its exit code. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Print the stacks of unexpected errors? */
  isDebug?: boolean;
  exitCode?: number | string | null | undefined;
}

/** Credentials in the address of a Redis, up to the last @. */
const CREDENTIALS = /\b(rediss?:\/\/)\S*@/gi;

/**
 * The terminal of a command: whatever it prints, control characters of files, values and names are escaped. An error may repeat
 * an argument; it does not repeat credentials.
 */
export function safeTerminal({ stdout, stderr }: Terminal): Terminal {
  const safe = (output: Output, own = (text: string) => text): Output => ({
    write: (text) => output.write(printableText(own(text))),
    writeData: (text) => output.write(text),
    ...(output.isTTY !== undefined && { isTTY: output.isTTY }),
    get columns() {
      return output.columns as number;
    },
  });
  return {
    stdout: safe(stdout),
    stderr: safe(stderr, (text) => text.replace(CREDENTIALS, '$1')),
  };
}

/** Determines how a report looks on this terminal: colours, characters and width. */
export const terminalStyle = ({ stdout }: Terminal, ascii = false): CheckJob['style'] => ({
  colour: (stdout.isTTY === true && !process.env.NO_COLOR) || process.env.FORCE_COLOR === '1',
  ascii,
  width: stdout.columns ?? (Number(process.env.COLUMNS) || 100),
});

/** Calls `run` with an integer of shared memory that becomes 1 on SIGINT or SIGTERM. */
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

/** One line of standard error that is overwritten; shown only on a terminal. */
export class ProgressLine {
  readonly #output: Output;
  readonly #isShown: boolean;

  constructor({ stderr }: Terminal, quiet = false) {
    this.#output = stderr;
    this.#isShown = stderr.isTTY === true && !quiet;
  }

  show(text: string): void {
    if (this.#isShown)
      this.#output.write(`\r\x1b[K${printable(text).slice(0, (this.#output.columns ?? 80) - 1)}`);
  }

  clear(): void {
    if (this.#isShown) this.#output.write('\r\x1b[K');
  }
}
