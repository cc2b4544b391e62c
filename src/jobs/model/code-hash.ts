/**
 * Which code runs, as a hash: two machines with the same one come to the same. No code is run to tell.
 *
 * It covers modules and what they import by relative paths, by their paths from here; the lock file of the packages; and
 * straightedge as it was built, whose first file names all others by their content.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ownFile } from '../../base/package-file.js';

const LOCKS = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];
const IMPORTED = /\b(?:from|import|require)\s*\(?\s*['"](\.[^'"]+)['"]/g;
const ENDINGS = ['ts', 'mts', 'cts', 'tsx', 'js', 'mjs', 'cjs', 'jsx', 'json'];

export const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

export function codeOf(modules: readonly string[]): string {
  const hashes = [...withImports(modules), ...lockFiles(resolve('.'))].map(
    (file) => `${relative('.', file).replaceAll('\\', '/')} ${hashOf(readFileSync(file))}`,
  );
  return hashOf([hashOf(readFileSync(ownFile('#worker'))), ...hashes.sort()].join('\n')).slice(0, 16);
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
