/** The call stack of user code: frames that belong neither to Node nor to this package. */
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../base/package-file.js';
import type { SourcePosition } from '../base/source-position.js';

/** The folders of this package's code: built, as source, and compiled for benchmarks and papers. */
const OURS: readonly string[] = ['dist/', 'src/', '.bench/src/'].map((folder) =>
  join(dirname(packageFile('straightedge/package.json')), folder),
);

/** Enough frames for Node's own functions between ours and the user's. */
const DEPTH = 40;

/** A frame of the stack: a function that called, or that awaits one that called, and its position. */
export interface Caller extends SourcePosition {
  readonly name: string;
  /** Does it await the function that called? */
  readonly isAwaiting: boolean;
}

/** The position of the caller, as `file:line`; empty if there is none. */
export function callerPlace(): string {
  const { file, line } = callerAt();
  return file === '' ? '' : `${relative('.', file)}:${line}`;
}

/** The position of the caller; an empty file if there is none. */
export function callerAt(): SourcePosition {
  const { file, line, column } = callers()[0] ?? { file: '', line: 0, column: 0 };
  return { file, line, column };
}

/** The callers in user code, the innermost first, up to our code that called them; then the functions that await them. */
export function callers(): Caller[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = DEPTH;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const found: Caller[] = [];
  let isOver = false;
  for (const text of stack.split('\n').slice(1)) {
    const frame = FRAME.exec(text);
    if (frame === null) continue;
    const [, awaits, name = '', where, line, column] = frame;
    const file = where.startsWith('file:') ? fileURLToPath(where) : where;
    if (!isAbsolute(file) && !text.includes('eval at')) continue;
    const isOurs = text.includes('eval at') || OURS.some((folder) => file.startsWith(folder));
    if (isOurs) isOver ||= found.length > 0;
    else if (!isOver || awaits)
      found.push({
        name,
        file,
        line: Number(line),
        column: Number(column),
        isAwaiting: awaits !== undefined,
      });
  }
  return found;
}

const FRAME = /^\s+at (async )?(?:(.*) \()?((?:file:\/\/)?[^()\s]+):(\d+):(\d+)\)?$/;

/** A caller with the number of its frame, to recognise it in a later stack. */
export interface TrackedCaller extends Caller {
  readonly frame: number;
}

/**
 * `callers` of one operation, the innermost first; gives them the outermost first. A function is the same frame as before if it has
 * its name and its depth, and all around it stand where they stood. Functions that a stack has lost, since nobody awaits, stand where
 * they stood.
 */
export function trackCallers(
  callers: readonly Caller[],
  before: readonly TrackedCaller[],
  newFrame: () => number,
): TrackedCaller[] {
  const [root] = before;
  const outer = callers.toReversed();
  const isCut = root !== undefined && !isSameFunction(root, outer[0]);
  let isSame = true;
  return (isCut ? [root, ...outer] : outer).map((caller, depth) => {
    const old = before.at(depth);
    isSame &&= old !== undefined && isSameFunction(old, caller);
    const frame = isSame ? old!.frame : newFrame();
    isSame &&= isSamePlace(old!, caller);
    return { ...caller, frame };
  });
}

const isSameFunction = (a: Caller, b: Caller): boolean => a.name === b.name && a.file === b.file;

/** A function that awaits a call is at the await, on the line of the call. */
const isSamePlace = (a: Caller, b: Caller): boolean =>
  a.line === b.line && (a.column === b.column || a.isAwaiting !== b.isAwaiting);
