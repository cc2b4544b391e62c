/** What a task names is not here, or not the same: this worker does not do it, another one may. No code is run to find out. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { packageFile } from '../../base/package-file.js';
import { UsageError } from '../../config/usage-error.js';
import type { Notes } from '../../explore/explore.js';

/* Paths of what was noted: relative on their way, since the folder of a worker is another than the coordinator's. */

export function moved({ atomic, controlled }: Notes, move: (file: string) => string): Notes {
  const all = (list: Notes['atomic']) => list.map((called) => ({ ...called, file: move(called.file) }));
  return { atomic: all(atomic), controlled: all(controlled) };
}

/*
 * What a task names has to stand in the folder that a worker was started in: whoever can write to Redis has no say beyond
 * it. So the coordinator names nothing else.
 */

/** The way from here, in the manner of all systems; undefined where that leaves the folder. */
function wayTo(path: string): string | undefined {
  const way = relative('.', resolve(path)).replaceAll('\\', '/');
  return isAbsolute(way) || way === '..' || way.startsWith('../') ? undefined : way;
}

export const isInsideHere = (path: string): boolean => !isAbsolute(path) && wayTo(path) !== undefined;

export function pathFromHere(path: string): string {
  const way = wayTo(path);
  if (way !== undefined) return way;
  throw new UsageError(
    `${path} is outside of this folder; a fleet works on what is in it. Start coordinator and workers further up`,
  );
}

/*
 * Which code runs, as a hash: two machines with the same one come to the same. No code is run to tell.
 *
 * It covers modules and what they import by relative paths, by their paths from here; the lock file of the packages; and
 * straightedge as it was built, whose first file names all others by their content.
 */

const LOCKS = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];
const IMPORTED = /\b(?:from|import|require)\s*\(?\s*['"](\.[^'"]+)['"]/g;
const ENDINGS = ['ts', 'mts', 'cts', 'tsx', 'js', 'mjs', 'cjs', 'jsx', 'json'];

export const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

export function codeOf(modules: readonly string[]): string {
  const hashes = [...withImports(modules), ...lockFiles(resolve('.'))].map(
    (file) => `${relative('.', file).replaceAll('\\', '/')} ${hashOf(readFileSync(file))}`,
  );
  return hashOf([hashOf(readFileSync(packageFile('#worker'))), ...hashes.sort()].join('\n')).slice(0, 16);
}

function withImports(modules: readonly string[]): Set<string> {
  const found = new Set(modules.map((path) => resolve(path)));
  // what is added on the way is gone through too
  for (const file of found)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
      const imported = fileAt(join(dirname(file), path));
      if (imported !== undefined) found.add(imported);
    }
  return found;
}

/** The file that an import means: as it is written, or with another ending, or the index of a folder. */
function fileAt(path: string): string | undefined {
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  const names = [bare, path, join(path, 'index')].flatMap((name) => ENDINGS.map((end) => `${name}.${end}`));
  return [path, ...names].find((name) => statSync(name, { throwIfNoEntry: false })?.isFile());
}

/** In the nearest folder that has one. */
function lockFiles(folder: string): string[] {
  const found = LOCKS.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (found.length > 0 || dirname(folder) === folder) return found;
  return lockFiles(dirname(folder));
}

export class OtherCode extends Error {
  override readonly name = 'OtherCode';
}

/** Throws `OtherCode` unless the modules are here, as they are where the task comes from. */
export function checkCode(modules: readonly string[], code: string): void {
  const outside = modules.find((path) => !isInsideHere(path));
  if (outside !== undefined) throw new OtherCode(`${outside} is outside of the folder of this worker`);
  const what = modules[0] ?? 'straightedge itself';
  const here = readable(() => codeOf(modules), what);
  if (here !== code)
    throw new OtherCode(`${what} is another one here (${here}, not ${code}): bring the checkout up to date`);
}

export function readable<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch {
    throw new OtherCode(`${what} is not here`);
  }
}
