/**
 * Threads that make the same calls: if the object can not tell them apart, what one of two does first the other could have
 * done. So of all schedules those are enough in which they begin in the order of their numbers; any other
 * is one of these with other names.
 */
import { Interner } from '../base/index.js';

/** Thread to the last one before it that makes the same calls, or -1. Objects among arguments tell calls apart. */
export function alikeThreads(threads: readonly (readonly (readonly unknown[])[])[]): number[] {
  const columns = new Interner();
  const numbers = threads.map((calls, thread) =>
    columns.intern(calls.flat().some((value) => Object(value) === value) ? [thread] : calls),
  );
  return numbers.map((number, thread) => numbers.slice(0, thread).lastIndexOf(number));
}
