/** Usage errors, exit codes, and the parsers of flags and settings. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError, thrownText } from '../base/errors.js';
import { isDevice, isFolder, isNamedPipe, systemFault } from '../base/system-files.js';
import { printable } from '../base/values/show.js';
import {
  parseSize as readSize,
  parseTime as readTime,
  SIZE_EXAMPLE,
  TIME_EXAMPLE,
} from '../check/model/budget.js';

/** The exit codes of the command line. `internal` is `EX_SOFTWARE` of sysexits.h. */
export const EXIT = {
  holds: 0,
  violation: 1,
  badInput: 2,
  undecided: 3,
  internal: 70,
  interrupted: 130,
} as const;

/** A command or setting that cannot be carried out as written; its message says what to write instead. */
export class UsageError extends InputError {
  override readonly name = 'UsageError';
}

/** An unexpected error as one line, which is enough to report it. */
export const unexpectedText = (message: string): string =>
  `unexpected error: ${printable(message.split('\n', 1)[0])}; please report this line and the command (--debug adds the stack)`;

/** A file beside the verdict that is not written. It never changes the verdict. */
export interface LostFile {
  readonly message: string;
  /** Whether the cause is probably a bug of ours, not the system. */
  readonly isUnexpected: boolean;
}

/** Calls `write`; returns why it failed. */
export function tryToWrite(path: string, write: () => void): LostFile | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    const fault = error instanceof InputError ? error.message : systemFault(error);
    const why = fault ?? unexpectedText(thrownText(error));
    return { message: `cannot write ${path}: ${why}`, isUnexpected: fault === undefined };
  }
}

/**
 * The exit code of a command that could not write all of its files. Without a violation it is an error: of the input, or
 * unexpected if one of the causes is.
 */
export function withLostFiles(code: number, lost: readonly LostFile[]): number {
  if (code !== EXIT.holds || lost.length === 0) return code;
  return lost.some(({ isUnexpected }) => isUnexpected) ? EXIT.internal : EXIT.badInput;
}

/** Throws if `path` is a folder; the error of the operating system would not name it. */
export function expectFile(path: string): void {
  if (path !== '-' && isFolder(path)) throw new UsageError(`${path} is a folder; expected a file`);
}

/** The same for a file that is read at once: a named pipe could block, and a device may have no end. */
export function expectWholeFile(path: string): void {
  expectFile(path);
  if (isNamedPipe(path)) throw new UsageError(`${path} is a named pipe; expected a file`);
  if (isDevice(path)) throw new UsageError(`${path} is a device; expected a file`);
}

/** Throws unless there is a file at `path` that can be read at once. `what` it should be. */
export function expectExisting(path: string, what: string): void {
  const fault = faultAt(path);
  if (fault !== undefined) throw new UsageError(`${path}: ${fault}; expected a ${what}`);
  expectWholeFile(path);
}

/** Why nothing can be found at a path; undefined if something is there. */
function faultAt(path: string): string | undefined {
  try {
    statSync(path);
    return undefined;
  } catch (error) {
    return systemFault(error) ?? 'no such file';
  }
}

/** Throws if no file can be written to `path`. `example`: what to write instead. */
export function expectWritable(path: string, example?: string): void {
  const fault = path === '' ? 'no such file' : faultAt(dirname(path));
  if (fault !== undefined)
    throw new UsageError(
      `cannot write ${JSON.stringify(path)}: its folder ${fault === 'no such file' ? 'does not exist' : `cannot be used: ${fault}`}`,
    );
  if (isFolder(path))
    throw new UsageError(
      `cannot write ${JSON.stringify(path)}: it is a folder; expected a file${example === undefined ? '' : ` such as ${example}`}`,
    );
}

/** Calls `read`; a usage error gets the names of the configuration file and the setting. */
export function readSetting<T>(file: string, name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${file}: ${name}: ${error.message}`) : error;
  }
}

/** Converts `500ms`, `60s` or `5m` to milliseconds. */
export const parseTime = (text: string): number => parseQuantity(text, readTime, TIME_EXAMPLE);

/** Converts `512mb` or `4gb` to bytes. */
export const parseSize = (text: string): number => parseQuantity(text, readSize, SIZE_EXAMPLE);

function parseQuantity(text: string, read: (text: string) => number | undefined, expected: string): number {
  const amount = read(text);
  if (amount !== undefined) return amount;
  throw new UsageError(`invalid ${expected.split(' ')[1]} ${JSON.stringify(text)}; expected ${expected}`);
}

/** A whole number. */
export function parseCount(text: string): number {
  if (!/^\d+$/.test(text))
    throw new UsageError(`invalid number ${JSON.stringify(text)}; expected a whole number`);
  return Number(text);
}

/** A whole number of at least 1. */
export function parsePositive(text: string): number {
  const count = parseCount(text);
  if (count === 0) throw new UsageError('invalid number 0; expected a whole number of at least 1');
  return count;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      `invalid JSON ${text}; a string needs double quotes inside the quotes of the shell: '"EMPTY"'`,
    );
  }
}

/** Splits `a=x,b=y` into pairs. */
export function parsePairs(text: string): [string, string][] {
  return text.split(',').map((pair) => {
    const found = /^([^=]+)=([^=]+)$/.exec(pair.trim());
    if (!found) throw new UsageError(`invalid pair ${JSON.stringify(pair)}; expected name=value`);
    return [found[1], found[2]];
  });
}

/** Splits `enqueue=add,dequeue=poll`. A method may have several names in the history, but a name means one method. */
export function parseRenames(text: string): [string, string][] {
  const pairs = parsePairs(text);
  const names = pairs.map(([, name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return pairs;
  throw new UsageError(
    `${JSON.stringify(twice)} is mapped to two methods of the spec; expected each name once after "="`,
  );
}
