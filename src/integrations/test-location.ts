/** Where a test stands: what it fails with points at the line of the user's that asked for it, not at us. */
import { callerAt } from '../execution/caller-place.js';

export interface Place {
  /** No text where nobody knows. */
  readonly file: string;
  /** The lines of a stack, from the user's line on. */
  readonly frames: string;
}

/** Who has called `ours`. */
export function placeAbove(ours: (...args: never[]) => unknown): Place {
  const told: { stack?: string } = {};
  Error.captureStackTrace(told, ours);
  const { stack = '' } = told;
  const first = stack.search(/\n\s+at /);
  return { file: callerAt().file, frames: first < 0 ? '' : stack.slice(first) };
}
