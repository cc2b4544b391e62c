/** The files that a command reads and the HTML report that it writes. */
import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isFolder, systemFault } from '../../base/system-files.js';
import { printable } from '../../base/values/show.js';
import { EXIT, expectWritable, UsageError, withLostFiles } from '../../config/usage-error.js';
import type { CommandResult } from '../../jobs/model/command-result.js';
import type { Terminal } from './terminal.js';

/** Throws if the HTML report of these files cannot be written. */
export function checkHtml(path: string | undefined, files: readonly string[], areJoined = false): void {
  if (path === undefined) return;
  if (files.length > 1 && !areJoined)
    throw new UsageError(`--html needs one file, but there are ${files.length}; name one of them`);
  if (files.includes(path)) throw new UsageError(`--html would overwrite ${path}; name another file`);
  expectWritable(path, 'report.html');
}

/** Reports whether the files beside the verdict were written, and returns the exit code. `isText`: the command prints text. */
export function reportFiles(
  { code, isWritten = false, unwritten = [] }: CommandResult,
  html: string | undefined,
  isText: boolean,
  { stdout, stderr }: Terminal,
): number {
  for (const { message } of unwritten) stderr.write(`error: ${printable(message)}\n`);
  if (unwritten.length > 0) return withLostFiles(code, unwritten);
  if (html === undefined || code === EXIT.badInput || code === EXIT.internal) return code;
  if (isWritten) {
    if (isText) stdout.write(`\n  Written: ${printable(html)}\n`);
    return code;
  }
  const message = `${printable(html)} is not written; the time or memory limit was reached`;
  stderr.write(`error: ${message}\n`);
  return withLostFiles(code, [{ message, isUnexpected: false }]);
}

const HISTORY = /\.(jsonl|ndjson|json|edn|log|txt)(\.gz)?$/;
/** Failures are saved as JSON. */
const FAILURE = /\.json$/;

/** Throws if a history was given where a scenario, a class or a failure is expected. */
export function expectNoHistory(path: string): void {
  if (HISTORY.test(path) && !FAILURE.test(path))
    throw new UsageError(`${path} is a history; use npx straightedge check ${path} --spec <spec>`);
}

/** A folder was searched for longer than the time limit. */
export class SearchTimeout extends UsageError {}

/** Limits of a search for histories. */
interface SearchLimits {
  readonly timeout: number | undefined;
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/**
 * Replaces each folder by the histories in it, in order; keeps other paths, also missing ones. Links are followed, but each
 * folder is searched once. Undefined if the search was interrupted.
 */
export async function findHistories(
  paths: readonly string[],
  { timeout = Number.POSITIVE_INFINITY, stop }: SearchLimits,
): Promise<string[] | undefined> {
  const deadline = performance.now() + timeout;
  const found: string[] = [];
  for (const path of paths) {
    if (path === '-' || !isFolder(path)) {
      found.push(path);
      continue;
    }
    const histories: string[] = [];
    for await (const file of filesIn(path, new Set())) {
      if (Atomics.load(stop, 0) !== 0) return undefined;
      if (performance.now() > deadline)
        throw new SearchTimeout(`${path}: the time limit was reached while the folder was searched`);
      if (file !== undefined && HISTORY.test(file)) histories.push(file);
    }
    if (histories.length === 0)
      throw new UsageError(
        `no history in ${path}; expected files that end in .jsonl, .ndjson, .json, .edn, .log or .txt, also with .gz`,
      );
    found.push(...histories.sort());
  }
  return found;
}

const SCENARIO = /\.scenario\.[cm]?[jt]sx?$/;
const SKIPPED = /(^|[\\/])(node_modules|\.[^./\\][^/\\]*)([\\/]|$)/;

/**
 * Replaces each folder by the scenarios in it, and each glob by the files that match it, in order; keeps other paths.
 * Folders of packages and hidden ones are not searched.
 */
export async function findScenarios(paths: readonly string[]): Promise<string[]> {
  const { globPattern } = await import('../../instrument/load.js');
  const found = new Set<string>();
  for (const path of paths) {
    const isGlob = /[*?{]/.test(path) && !existsSync(path);
    if (!isGlob && !isFolder(path)) {
      found.add(path);
      continue;
    }
    const pattern = isGlob ? globPattern(path, '.') : SCENARIO;
    // the folder before the first wildcard
    const fixed = isGlob ? path.slice(0, path.search(/[*?{]/)).replace(/[^\\/]*$/, '') : path;
    const folder = fixed === '' ? '.' : fixed;
    const matches: string[] = [];
    if (isFolder(folder))
      for await (const file of filesIn(folder, new Set(), (name) => SKIPPED.test(name)))
        if (file !== undefined && pattern.test(resolve(file).replaceAll('\\', '/'))) matches.push(file);
    if (matches.length === 0)
      throw new UsageError(
        isGlob
          ? `no file matches ${path}`
          : `no scenario in ${path}; expected files that end in .scenario.ts, .js, .mts or .mjs`,
      );
    for (const match of matches.sort()) found.add(match);
  }
  return [...found];
}

/** The files below a folder; `undefined` before each folder. Pipes and devices are no files. */
async function* filesIn(
  folder: string,
  seen: Set<string>,
  isSkipped: (name: string) => boolean = () => false,
): AsyncGenerator<string | undefined> {
  yield undefined;
  try {
    const real = await realpath(folder);
    if (seen.has(real)) return;
    seen.add(real);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (isSkipped(entry.name)) continue;
      const path = join(folder, entry.name);
      // a broken link is kept, and reported when it is read
      const target = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry;
      if (target?.isDirectory()) yield* filesIn(path, seen, isSkipped);
      else if (target === undefined || target.isFile()) yield path;
    }
  } catch (error) {
    const fault = systemFault(error);
    throw fault === undefined ? error : new UsageError(`${folder}: ${fault}`);
  }
}
