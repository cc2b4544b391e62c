/** The files that a command means: files as they are, there or not, folders by what is in them, in order. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../config/usage-error.js';

const HISTORY = /\.(jsonl|ndjson|sedge|json|edn|log|txt)(\.gz)?$/;
/** Failures that were found are JSON, and code is neither. */
const FAILURE = /\.json$/;

/** A scenario, or a failure that was found: a history is for another command. */
export function expectNoHistory(path: string): void {
  if (HISTORY.test(path) && !FAILURE.test(path))
    throw new UsageError(`${path} is a history: straightedge check ${path} --spec <spec>`);
}

export function filesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (path === '-') return [path];
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isDirectory()) return [path];
    const inside = readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => HISTORY.test(name))
      .sort();
    if (inside.length === 0)
      throw new UsageError(
        `no history in ${path}; expected files that end in .jsonl, .ndjson, .sedge, .json, .edn, .log or .txt, or in that and .gz`,
      );
    return inside.map((name) => join(path, name));
  });
}
