/**
 * Files of the operating system, which may fail or block: faults in words, named pipes, and reports.
 *
 * To open a named pipe blocks until a process opens its other end, and a blocked thread keeps the whole process alive. So
 * pipes are recognised, and never opened in this way.
 */
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

/**
 * From now on, what this thread writes to the descriptor of standard output goes to standard error. Some loggers write to
 * the descriptor, not to the stream.
 */
export function divertStandardOutput(): void {
  const writers = fs as unknown as Record<string, (target: unknown, ...rest: unknown[]) => unknown>;
  for (const name of WRITERS) {
    const real = writers[name];
    const diverted: typeof real = (target, ...rest) =>
      real(target === STANDARD_OUTPUT ? STANDARD_ERROR : target, ...rest);
    writers[name] = Object.defineProperties(diverted, Object.getOwnPropertyDescriptors(real));
  }
  syncBuiltinESMExports();
}
