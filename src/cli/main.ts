#!/usr/bin/env node
/**
 * The executable: `run` with the arguments and streams of this process.
 *
 * Standard output is for reports. What user code prints goes to standard error: a configuration in this thread, and specs,
 * maps and scenarios in theirs, whose output passes through the stream of this one.
 */
import { thrownText } from '../base/errors.js';
import { divertStandardOutput, systemFault } from '../base/system-files.js';
import { EXIT, unexpectedText, withLostFiles } from '../config/usage-error.js';

const { stdout, stderr } = process;
const writeOut = stdout.write.bind(stdout);

let fault: string | undefined;
stdout.on('error', (error: NodeJS.ErrnoException) => {
  // a reader such as `head` may close the pipe early: drop the rest and keep the exit code
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED')
    fault ??= systemFault(error) ?? error.message;
});
// nothing is left to report it to
stderr.on('error', () => {});

/** Ends with the last piece that was written; its error arrives by then. */
let written: Promise<unknown> = Promise.resolve();
const write = (text: string): void => {
  written = new Promise((resolve) => writeOut(text, resolve));
};

stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
divertStandardOutput();
const argv = process.argv.slice(2);

/** An error that nothing catches, such as one in an event of a package. Node would end with the code of a violation. */
process.on('uncaughtException', (error: unknown) => {
  if (argv.includes('--debug')) stderr.write(`${thrownText(error, 'stack')}\n`);
  stderr.write(`error: ${unexpectedText(thrownText(error))}\n`);
  const code = process.exitCode === EXIT.violation ? EXIT.violation : EXIT.internal;
  void written.then(() => process.exit(code));
});
// a package that is not installed is such an error, too
const { run } = await import('./run.js');
const code = await run(argv, {
  stdout: {
    write,
    isTTY: stdout.isTTY,
    get columns() {
      return stdout.columns;
    },
  },
  stderr,
});
await written;
if (fault !== undefined) stderr.write(`error: cannot write standard output: ${fault}\n`);
process.exitCode =
  fault === undefined ? code : withLostFiles(code, [{ message: fault, isUnexpected: false }]);
