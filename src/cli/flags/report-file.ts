/** The page that a command is asked to write: can it be? */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { printable } from '../../base/values/show.js';
import { UsageError } from '../../config/usage-error.js';
import { EXIT } from '../../jobs/model/exit-code.js';

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
