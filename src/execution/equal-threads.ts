/** Threads that make the same calls. What that is good for: explore/classes/thread-symmetry.ts. */
import { Interner } from '../base/values/interner.js';

/** Thread to the last one before it that makes the same calls, or -1. Objects among arguments tell calls apart. */
export function alikeThreads(threads: readonly (readonly (readonly unknown[])[])[]): number[] {
  const columns = new Interner();
  const numbers = threads.map((calls, thread) =>
    columns.intern(calls.flat().some((value) => Object(value) === value) ? [thread] : calls),
  );
  return numbers.map((number, thread) => numbers.slice(0, thread).lastIndexOf(number));
}
