/** Where user code stands in a stack: the first place that is neither Node's nor ours. */
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFile } from '../../base/index.js';
import type { Place } from '../transform/index.js';

const HOUSE = dirname(ownFile('straightedge/package.json'));
const OURS: readonly string[] = [join(HOUSE, 'src/'), join(HOUSE, 'dist/')];

/** Node's own functions may be many. */
const DEPTH = 40;

/** Who called, as `file:line`, or nothing. */
export function callerPlace(): string {
  const { file, line } = callerAt();
  return file === '' ? '' : `${relative('.', file)}:${line}`;
}

/** Who called; no file where nobody did. */
export function callerAt(): Place {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = DEPTH;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  for (const line of stack.split('\n').slice(1)) {
    const found = /\(?((?:file:\/\/)?[^()\s]+):(\d+):(\d+)\)?$/.exec(line);
    if (!found || found[1].startsWith('node:')) continue;
    const file = found[1].startsWith('file:') ? fileURLToPath(found[1]) : found[1];
    if (!OURS.some((folder) => file.startsWith(folder)))
      return { file, line: Number(found[2]), column: Number(found[3]) };
  }
  return { file: '', line: 0, column: 0 };
}
