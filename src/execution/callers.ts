/** The call stack of user code: frames that belong neither to Node nor to this package, and their positions in the source. */
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { packageFile } from '../base/package-file.js';
import type { SourcePosition } from '../base/source-position.js';

/** The folders of this package's code: built, as source, and compiled for benchmarks and papers. */
const OURS: readonly string[] = ['dist/', 'src/', '.bench/src/'].map((folder) =>
  join(dirname(packageFile('straightedge/package.json')), folder),
);

/** Enough frames for the functions of this package and of Node, and for all functions that await. */
const DEPTH = 200;
/** Enough frames for most calls, up to our code that called them. */
const SHORT = 16;

/** A frame of the stack: a function that called, or that awaits one that called, and its position. */
export interface Caller extends SourcePosition {
  readonly name: string;
  /** Does it await the function that called? */
  readonly isAwaiting: boolean;
}

/** The position of the caller, as `file:line`; empty if there is none. */
export function callerPlace(stack: readonly Caller[] = callers()): string {
  return stack.length === 0 ? '' : `${relative('.', stack[0].file)}:${stack[0].line}`;
}

/** The position of the caller; an empty file if there is none. */
export function callerAt(isSynchronous = false): SourcePosition {
  const { file, line, column } = callers(isSynchronous)[0] ?? { file: '', line: 0, column: 0 };
  return { file, line, column };
}

/**
 * The callers in user code, the innermost first, up to our code that called them; then the functions that await them.
 * `isSynchronous`: no function awaits them, since no reaction of a promise runs. Then a short stack usually suffices.
 */
export function callers(isSynchronous = false): Caller[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  try {
    Error.prepareStackTrace = (_error, sites) => sites;
    if (isSynchronous) {
      Error.stackTraceLimit = SHORT;
      const found = callersUpToOurs(new Error().stack as unknown as CallSite[]);
      if (found !== undefined) return found;
    }
    Error.stackTraceLimit = DEPTH;
    const sites = new Error().stack as unknown as CallSite[];
    const found = callersIn(sites, cachedFrame);
    if (found !== undefined) return found;
    Error.prepareStackTrace = prepareStackTrace;
    const read = (new Error().stack ?? '').split('\n').slice(1).map(frameIn);
    if (read.length === sites.length)
      sites.forEach((site, i) => {
        const script = site.getFileName() ?? '';
        if (!known.has(script)) known.set(script, new Map());
        known.get(script)!.set(positionOf(site), read[i]);
      });
    return callersIn(read, (frame) => frame)!;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}

/** A frame of the stack: of this package, of user code, or of Node. */
interface Frame {
  readonly kind: 'ours' | 'user' | 'node';
  readonly caller: Caller;
  isAsync(): boolean;
}

type CallSite = NodeJS.CallSite & { isAsync(): boolean; getPosition(): number };

/**
 * Script, then position in it, to its frame; negative for functions that await. Positions in the text of a stack are mapped to the
 * source, but the text takes several times as long as its call sites. So the text is read once for each call site.
 */
const known = new Map<string, Map<number, Frame>>();

/** The callers in a stack; undefined if a frame is not known. Beyond our code that called them, only functions that await count. */
function callersIn<T extends { isAsync(): boolean }>(
  stack: readonly T[],
  frameOf: (item: T) => Frame | undefined,
): Caller[] | undefined {
  const found: Caller[] = [];
  let isOver = false;
  for (const item of stack) {
    if (isOver && !item.isAsync()) continue;
    const frame = frameOf(item);
    if (frame === undefined) return undefined;
    if (frame.kind === 'ours') isOver ||= found.length > 0;
    else if (frame.kind === 'user') found.push(frame.caller);
  }
  return found;
}

/** The callers in the upper part of a stack; undefined if it ends before our code that called them, or has an unknown frame. */
function callersUpToOurs(stack: readonly CallSite[]): Caller[] | undefined {
  const found: Caller[] = [];
  // the first frame is that of `callers`
  for (const site of stack.slice(1)) {
    const frame = cachedFrame(site);
    if (frame === undefined) return undefined;
    if (frame.kind === 'user') found.push(frame.caller);
    else if (frame.kind === 'ours' && found.length > 0) return found;
  }
  return undefined;
}

const cachedFrame = (site: CallSite): Frame | undefined =>
  site.isEval() ? EVALUATED : known.get(site.getFileName() ?? '')?.get(positionOf(site));

const positionOf = (site: CallSite): number => (site.isAsync() ? -1 : 1) * (1 + site.getPosition());

const NOWHERE: Caller = { name: '', file: '', line: 0, column: 0, isAwaiting: false };
/** Only this package evaluates text. */
const EVALUATED: Frame = { kind: 'ours', caller: NOWHERE, isAsync: () => false };
const OF_NODE: Frame = { kind: 'node', caller: NOWHERE, isAsync: () => false };

function frameIn(text: string): Frame {
  if (text.includes('eval at')) return EVALUATED;
  const parts = FRAME.exec(text);
  if (parts === null) return OF_NODE;
  const [, awaits, name = '', where, line, column] = parts;
  const file = where.startsWith('file:') ? fileURLToPath(where) : where;
  const isAwaiting = awaits !== undefined;
  const isOurs = OURS.some((folder) => file.startsWith(folder));
  return {
    kind: isOurs ? 'ours' : isAbsolute(file) ? 'user' : 'node',
    caller: { name, file, line: Number(line), column: Number(column), isAwaiting },
    isAsync: () => isAwaiting,
  };
}

/** A stack without the frames of Node and of this package. */
export const userStack = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => !/^\s+at /.test(line) || frameIn(line).kind === 'user')
    .join('\n');

const FRAME = /^\s+at (async )?(?:(.*) \()?((?:file:\/\/)?[^()\s]+):(\d+):(\d+)\)?$/;

/** A caller with the number of its frame, to recognise it in a later stack. */
export interface TrackedCaller extends Caller {
  readonly frame: number;
}

/**
 * Numbers the frames of an operation. `callers` has the innermost first; the result has the outermost first.
 *
 * A function keeps its frame number if the function at its depth was the same before, and no frame around it has changed or moved.
 * A stack lacks the outer functions of a call that they do not await. Then the outermost frame of `before` is kept.
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

/*
 * Loaded code was instrumented and compiled. Both keep the lines of the source, but not the columns, which stacks report. The maps
 * are made when a position is asked for, because that takes as long as compiling.
 */

/** File to the maps from its loaded code to its source, the last step first. */
const mapsOf = new Map<string, () => readonly string[]>();
const traced = new Map<string, readonly TraceMap[]>();

export function rememberMaps(file: string, maps: () => readonly string[]): void {
  mapsOf.set(file, maps);
  traced.delete(file);
}

/** The map at the end of compiled code. */
export function inlineMapOf(code: string): string {
  const [, text = ''] = /\/\/# sourceMappingURL=data:[^,]*;base64,(\S+)\s*$/.exec(code) ?? [];
  return Buffer.from(text, 'base64').toString();
}

/** The position with its column in the source. Columns of code without maps are those of its source. */
export function inSource<P extends SourcePosition>(position: P): P {
  const { file, line } = position;
  if (!traced.has(file))
    traced.set(
      file,
      (mapsOf.get(file)?.() ?? []).map((map) => new TraceMap(map)),
    );
  let { column } = position;
  for (const map of traced.get(file)!) {
    const found = originalPositionFor(map, { line, column: column - 1 });
    if (found.line === line) column = found.column + 1;
  }
  return { ...position, column };
}
