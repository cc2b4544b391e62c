/** The page that a command is asked to write: can it be? */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './usage-error.js';

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
