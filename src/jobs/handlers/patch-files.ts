/**
 * Patches on disk: one is written to its file, and several are tried by a command on a copy of the project.
 *
 * A source file is replaced as a whole: the new text is written to a file beside it, which is then renamed. An interrupted write
 * leaves the source as it was. A symbolic link stays a link; the file that it leads to is replaced.
 *
 * The command runs in a process group of its own, with a time limit. The whole group is killed when the command ends, when its
 * time is up, and when the user interrupts. Then the copy is removed.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { systemFault } from '../../base/system-files.js';
import { printable, printableText } from '../../base/values/show.js';
import { UsageError } from '../../config/usage-error.js';
import type { Patch, PatchSearch, RejectedPatch } from '../../root-cause/patches/patches.js';
import { refusalOf } from '../model/code-mismatch.js';
import { MOST_SAVED } from '../model/job.js';

/* Applying */

/** A text of a file, before or after a patch. */
type Change = Pick<Patch, 'path' | 'file' | 'before' | 'after'>;

/** Writes a patch to a file of the working folder that is as it was explored. */
export function applyPatch({ path, file, before, after }: Change): void {
  const name = printable(file);
  const refusal = refusalOf(path);
  if (refusal !== undefined) throw new UsageError(`${name} ${refusal}; apply the saved diff by hand`);
  const target = realpathSync(path);
  if (!readFileSync(target).equals(Buffer.from(before)))
    throw new UsageError(
      before.includes('\uFFFD')
        ? `${name} is not UTF-8 text; apply the saved diff by hand`
        : `${name} has changed since it was explored; run explain again`,
    );
  // to rename a file over a read-only one is possible, and not what its owner wants
  if ((statSync(target).mode & WRITABLE) === 0)
    throw new UsageError(`${name} is read-only; make it writable, or apply the saved diff by hand`);
  try {
    replaceWhole(target, after);
  } catch (error) {
    const fault = systemFault(error);
    if (fault === undefined) throw error;
    throw new UsageError(`cannot write ${name}: ${fault}; the file is as it was`);
  }
}

const WRITABLE = 0o222;

/** Puts back the original, unless the file was changed again. Is it the original now? */
export function revertPatch({ path, before, after }: Change): boolean {
  const target = realpathSync(path);
  if (!readFileSync(target).equals(Buffer.from(after))) return false;
  replaceWhole(target, before);
  return true;
}

/** Replaces a file, with its mode and owner, so that no moment shows a part of the text. */
function replaceWhole(path: string, text: string): void {
  const { mode, uid, gid } = statSync(path);
  const draft = join(dirname(path), `.${basename(path)}.straightedge-${process.pid}`);
  const handle = openSync(draft, 'wx', mode);
  try {
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    chmodSync(draft, mode);
    const made = statSync(draft);
    if (made.uid !== uid || made.gid !== gid) chownSync(draft, uid, gid);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/* The test command */

export interface TestCommand {
  readonly command: string;
  /** Milliseconds for one run. */
  readonly timeout: number;
  readonly isInterrupted: () => boolean;
  readonly onProgress: (text: string) => void;
}

/** Rejects patches with which a command fails on a copy of the project, if it passes without them. */
export async function withCommand(search: PatchSearch, command: TestCommand): Promise<PatchSearch> {
  if (search.patches.length === 0) return search;
  const copy = mkdtempSync(join(tmpdir(), 'straightedge-'));
  try {
    copyProject(copy);
    command.onProgress('running the test command without a patch');
    const first = await runCommand(command, copy);
    if (first.fault !== undefined)
      throw new UsageError(
        `--test-command: ${printable(command.command)} ${first.fault} without a patch too${shown(first.output)}`,
      );
    const kept: Patch[] = [];
    const failed: RejectedPatch[] = [];
    for (const [i, patch] of search.patches.slice(0, MOST_SAVED).entries()) {
      command.onProgress(`running the test command with patch ${i + 1}`);
      const { fault, output } = await patched(copy, patch, () => runCommand(command, copy));
      if (fault === undefined) kept.push(patch);
      else failed.push(rejectedBy(patch, `the test command ${fault}${shown(output)}`));
    }
    return { ...search, patches: kept, rejected: [...search.rejected, ...failed] };
  } finally {
    rmSync(copy, { recursive: true, force: true, maxRetries: 3 });
  }
}

const rejectedBy = ({ family, title, file, warnings }: Patch, text: string): RejectedPatch => ({
  family,
  title,
  file,
  warnings,
  because: 'command',
  text,
});

/** Runs something while the copy has the patch. */
async function patched<R>(copy: string, { file, before, after }: Patch, run: () => Promise<R>): Promise<R> {
  const target = join(copy, file);
  // neither `..` nor an absolute link may lead from the copy to the project
  const inside = existsSync(target) ? relative(realpathSync(copy), realpathSync(target)) : '..';
  if (inside.startsWith('..') || isAbsolute(inside))
    throw new UsageError(
      `--test-command: ${printable(file)} is not part of the copy of this folder; leave out --test-command`,
    );
  writeFileSync(target, after);
  try {
    return await run();
  } finally {
    writeFileSync(target, before);
  }
}

interface CommandResult {
  /** Undefined if the command passes. */
  readonly fault: string | undefined;
  /** The end of what it printed. */
  readonly output: string;
}

const MOST_OUTPUT = 64 * 1024;
const POLLING = 50;

async function runCommand(
  { command, timeout, isInterrupted }: TestCommand,
  folder: string,
): Promise<CommandResult> {
  const child = spawn(command, {
    shell: true,
    cwd: folder,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (piece: string) => {
      output = (output + piece).slice(-MOST_OUTPUT);
    });
  }
  const begin = performance.now();
  const fault = await new Promise<string | undefined>((done) => {
    const timer = setInterval(() => {
      const isLate = performance.now() - begin > timeout;
      if (isLate || isInterrupted())
        end(isLate ? `takes longer than ${timeout / 1_000} s` : 'was interrupted');
    }, POLLING);
    const end = (result: string | undefined): void => {
      clearInterval(timer);
      killGroup(child.pid);
      done(result);
    };
    child.on('error', () => end('cannot be started'));
    // the streams may stay open, in processes that it has left behind
    child.on('exit', (code, signal) => {
      if (code === 0) end(undefined);
      else end(signal ? `ends by ${signal}` : `fails with exit code ${code}`);
    });
  });
  // what was written before the end
  await new Promise((next) => setImmediate(next));
  child.stdout.destroy();
  child.stderr.destroy();
  return { fault, output };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // all of its processes have ended
  }
}

const MOST_LINES = 20;

/** The last lines of an output, for a message. */
function shown(output: string): string {
  const lines = printableText(output).trimEnd().split('\n');
  if (output.trim() === '') return ', and prints nothing';
  return `. Its last lines:\n${lines
    .slice(-MOST_LINES)
    .map((line) => `    ${line}`)
    .join('\n')}`;
}

/** Copies the files of the working folder that git knows, or all but `node_modules`, which is linked. */
function copyProject(target: string): void {
  // relative links stay relative: they lead to files of the copy
  const options = { recursive: true, verbatimSymlinks: true } as const;
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (listed.status === 0)
    for (const file of new Set(listed.stdout.split('\0'))) {
      if (file === '' || !existsSync(file)) continue;
      mkdirSync(dirname(join(target, file)), { recursive: true });
      cpSync(file, join(target, file), options);
    }
  else
    cpSync('.', target, {
      ...options,
      filter: (source) => !/^(node_modules|\.git)(\/|$)/.test(relative('.', source).replaceAll('\\', '/')),
    });
  if (existsSync('node_modules')) symlinkSync(resolve('node_modules'), join(target, 'node_modules'), 'dir');
}
