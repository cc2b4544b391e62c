/** The files that a command means: files as they are, there or not, folders by what is in them, in order. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { printable } from '../../base/values/show.js';
import { UsageError } from '../../config/usage-error.js';
import { EXIT } from '../../jobs/model/command-result.js';

/* The page that a command is asked to write: can it be? */

/** `files`: what it would tell of. */
export function checkReport(path: string, files: readonly string[]): void {
  if (files.length > 1)
    throw new UsageError(`--report is for one history, but there are ${files.length}; name one of them`);
  if (files.includes(path))
    throw new UsageError(`${path} is the history itself; name another file for the page`);
  if (!existsSync(dirname(path))) throw new UsageError(`${path} can not be written: there is no such folder`);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${path} is a folder; expected a file to write, such as out.html`);
}

/** Was it written? `speaks`: there is text for people. */
export function tellReport(
  { code, isWritten = false }: { readonly code: number; readonly isWritten?: boolean },
  report: string | undefined,
  speaks: boolean,
): void {
  if (report === undefined || code === EXIT.badInput) return;
  if (!isWritten) process.stderr.write(`${report}: not written, for lack of time or memory\n`);
  else if (speaks) process.stdout.write(`\n  Written: ${printable(report)}\n`);
}

const HISTORY = /\.(jsonl|ndjson|json|edn|log|txt)(\.gz)?$/;
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
        `no history in ${path}; expected files that end in .jsonl, .ndjson, .json, .edn, .log or .txt, or in that and .gz`,
      );
    return inside.map((name) => join(path, name));
  });
}
