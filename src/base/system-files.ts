/**
 * Files of the operating system, which may fail or block: faults in words, named pipes, and reports.
 *
 * To open a named pipe blocks until a process opens its other end, and a blocked thread keeps the whole process alive. So
 * pipes are recognised, and never opened in this way.
 */
import childProcess from 'node:child_process';
import fs, {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** A path relative to the working folder. */
export const relativePath = (file: string): string => relative('.', file).replaceAll('\\', '/');

/** System errors that the user can fix, in words. */
const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'no space is left for this user',
  EFBIG: 'the file would be too large',
  EIO: 'the device reports an error',
  EBUSY: 'it is in use',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENXIO: 'no process reads this pipe',
  EPIPE: 'its reader has closed the pipe',
  EBADF: 'it is closed',
};

/** What the operating system refused, in words; undefined for errors of other kinds. */
export function systemFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || (syscall === undefined && !Object.hasOwn(FAULTS, code))) return undefined;
  return FAULTS[code] ?? code;
}

/** The nearest file of this name, in the folder of `file` or in one above it. */
export function nearestAbove(file: string, name: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

/** False if nothing can be found out about the path. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Is it a pipe with a name? Pipes of a shell, as in `<(command)`, have none and do not block. */
export function isNamedPipe(path: string): boolean {
  try {
    return lstatSync(realpathSync(path)).isFIFO();
  } catch {
    return false;
  }
}

/** Is it a device, which may have no end or no content? */
export function isDevice(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isCharacterDevice() === true || stat?.isBlockDevice() === true;
}

/** Writes a whole file. A named pipe needs a reader. */
export function writeWhole(path: string, text: string): void {
  const ready = isNamedPipe(path) ? openSync(path, constants.O_WRONLY | constants.O_NONBLOCK) : undefined;
  try {
    writeFileSync(path, text);
  } finally {
    if (ready !== undefined) closeSync(ready);
  }
}

const [STANDARD_OUTPUT, STANDARD_ERROR] = [1, 2];
const WRITERS = [
  'write',
  'writeSync',
  'writev',
  'writevSync',
  'writeFile',
  'writeFileSync',
  'appendFile',
  'appendFileSync',
] as const;

/** Functions that start a process which may inherit descriptors. */
const STARTERS = ['spawn', 'spawnSync', 'fork', 'execFileSync', 'execSync'] as const;

/**
 * From now on, what this thread writes to the descriptor of standard output goes to standard error, and so does what its
 * child processes write there. Some loggers write to the descriptor, not to the stream.
 */
export function divertStandardOutput(): void {
  divert(fs, WRITERS, ([target, ...rest]) => [target === STANDARD_OUTPUT ? STANDARD_ERROR : target, ...rest]);
  divert(childProcess, STARTERS, (given, name) => {
    const k = given.findLastIndex((own) => typeof own === 'object' && own !== null && !Array.isArray(own));
    const options = given[k] ?? {};
    return given.toSpliced(k < 0 ? given.length : k, 1, { ...options, ...descriptorsOf(options, name) });
  });
  syncBuiltinESMExports();
}

type Arguments = readonly unknown[];

function divert(
  module: object,
  names: readonly string[],
  change: (given: Arguments, name: string) => Arguments,
): void {
  const functions = module as Record<string, (...given: Arguments) => unknown>;
  for (const name of names) {
    const real = functions[name];
    const diverted = (...given: Arguments) => real(...change(given, name));
    functions[name] = Object.defineProperties(diverted, Object.getOwnPropertyDescriptors(real));
  }
}

/** The descriptors of a child process, with standard error for each that is standard output here. */
function descriptorsOf(
  { stdio, silent }: { readonly stdio?: unknown; readonly silent?: boolean },
  name: string,
): { readonly stdio?: unknown } {
  const isForked = name === 'fork' && stdio === undefined && !silent;
  if (isForked) return { stdio: [0, STANDARD_ERROR, STANDARD_ERROR, 'ipc'] };
  if (stdio === 'inherit')
    return descriptorsOf({ stdio: [stdio, stdio, stdio, ...(name === 'fork' ? ['ipc'] : [])] }, name);
  if (!Array.isArray(stdio)) return {};
  const isOutput = (own: unknown, k: number) =>
    own === STANDARD_OUTPUT || own === process.stdout || (own === 'inherit' && k === STANDARD_OUTPUT);
  return { stdio: stdio.map((own, k) => (isOutput(own, k) ? STANDARD_ERROR : own)) };
}
