/** Who reads one file says so before it begins: what the system says of a folder names none. */
import { statSync } from 'node:fs';
import { UsageError } from './usage-error.js';

export function expectFile(path: string): void {
  if (path !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${path} is a folder; expected a file`);
}
