/** The files that a command reads and the HTML report that it writes. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { printable } from '../../base/values/show.js';
import { EXIT, expectWritable, UsageError } from '../../config/usage-error.js';
import type { Terminal } from './terminal.js';

/** Throws if the HTML report of these files cannot be written. */
export function checkHtml(path: string | undefined, files: readonly string[]): void {
  if (path === undefined) return;
  if (files.length > 1)
    throw new UsageError(`--html needs one history, but there are ${files.length}; name one of them`);
  if (files.includes(path))
    throw new UsageError(`--html would overwrite the history ${path}; name another file`);
  expectWritable(path, 'report.html');
}

/** Reports whether the HTML report was written. `isText`: the command prints text. */
export function reportHtml(
  { code, isWritten = false }: { readonly code: number; readonly isWritten?: boolean },
  path: string | undefined,
  isText: boolean,
  { stdout, stderr }: Terminal,
): void {
  if (path === undefined || code === EXIT.badInput) return;
  if (!isWritten) stderr.write(`${path}: not written; the time or memory limit was reached\n`);
  else if (isText) stdout.write(`\n  Written: ${printable(path)}\n`);
}

const HISTORY = /\.(jsonl|ndjson|json|edn|log|txt)(\.gz)?$/;
/** Failures are saved as JSON. */
const FAILURE = /\.json$/;

/** Throws if a history was given where a scenario, a class or a failure is expected. */
export function expectNoHistory(path: string): void {
  if (HISTORY.test(path) && !FAILURE.test(path))
    throw new UsageError(`${path} is a history; use straightedge check ${path} --spec <spec>`);
}

/** Replaces each folder by the histories in it, in order; keeps other paths, also missing ones. */
export function findHistories(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (path === '-' || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
    const histories = readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => HISTORY.test(name))
      .sort();
    if (histories.length === 0)
      throw new UsageError(
        `no history in ${path}; expected files that end in .jsonl, .ndjson, .json, .edn, .log or .txt, also with .gz`,
      );
    return histories.map((name) => join(path, name));
  });
}
