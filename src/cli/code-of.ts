/**
 * Which code runs, as a hash: two machines with the same one explore the same.
 *
 * It covers the files that a module was loaded from, by their paths relative to its folder; the lock file of its packages; and
 * straightedge as it was built, whose first file names all others by their content.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ownFile } from '../base/index.js';
import { hashOf } from './fleet/task.js';

const LOCKS = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];

/** `folder`: what paths are relative to. */
export function codeOf(folder: string, files: Iterable<string>): string {
  const from = resolve(folder);
  const hashes = Array.from(
    new Set([...files, ...lockFiles(from)]),
    (file) => `${relative(from, file).replaceAll('\\', '/')} ${hashOf(readFileSync(file))}`,
  );
  return hashOf([hashOf(readFileSync(ownFile('#worker'))), ...hashes.sort()].join('\n')).slice(0, 16);
}

/** In the nearest folder that has one. */
function lockFiles(folder: string): string[] {
  const found = LOCKS.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (found.length > 0 || dirname(folder) === folder) return found;
  return lockFiles(dirname(folder));
}
