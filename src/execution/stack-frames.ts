/** Which frames the functions of a stack are: the same as before, as far as its places tell. */
import type { Caller } from './caller-place.js';

/** A function that runs, and where it stands. */
export interface Standing extends Caller {
  readonly frame: number;
}

/**
 * `callers` of one operation, the innermost first; gives them the outermost first. A function is the same frame as before if it has
 * its name and its depth, and all around it stand where they stood. Functions that a stack has lost, since nobody awaits, stand where
 * they stood.
 */
export function standingOf(
  callers: readonly Caller[],
  before: readonly Standing[],
  newFrame: () => number,
): Standing[] {
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

/** Who awaits a call stands at the await, on the line of the call. */
const isSamePlace = (a: Caller, b: Caller): boolean =>
  a.line === b.line && (a.column === b.column || a.isAwaiting !== b.isAwaiting);
