/**
 * A program to explore: threads that call methods of one fresh object.
 *
 * A call is a coroutine. It *announces* its next shared access by yielding it and
 * does it when it is resumed, so that the next access of every thread is known
 * before it happens:
 *
 *     *pop(memory) {
 *       const mark = memory.mark();                        // before a loop
 *       for (;;) {
 *         yield this.head.read;                            // announce …
 *         const first = this.head.load();                  // … and do it
 *         if (first === null) return null;
 *         yield first.next.read;
 *         const next = first.next.load();
 *         yield this.head.update;
 *         if (this.head.compareAndSet(first, next)) return first.value;
 *         memory.again(mark, 1);                           // a back edge, and the locals that outlive it
 *       }
 *     }
 *
 * Between two announcements a coroutine touches only what no other thread can
 * reach. It is deterministic: it depends only on its arguments, the values that it
 * reads, and the alternatives chosen. It reports what it reads (`memory.observe`).
 * An error that it throws is its outcome.
 *
 * A class with plain methods has their coroutine versions under the same names with
 * a `$` before: `$pop` for `pop`. The primitives have both. A coroutine version
 * announces the access, then calls the plain method.
 */
import type { Access } from './memory/access.js';
import type { Memory } from './memory/memory.js';
import { ProgramError } from './memory/program-error.js';

/** The message for a method that the object does not have, with those that it has. */
export function noMethod(object: object, method: string): string {
  const has = methodsOf(object);
  return `has no method ${method}${has.length === 0 ? '' : `; it has ${has.join(', ')}`}`;
}

/** Own methods, and those of its classes. Getters are not called. */
function methodsOf(object: object): string[] {
  const names = new Set<string>();
  for (let at: object = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function' && name !== 'constructor') names.add(name);
  return [...names];
}

/** Yields accesses. It is resumed with the alternative chosen where it announced CHOOSE, else with 0. */
export type Coroutine<R = unknown> = Generator<Access, R, number>;

export interface Call<O = unknown> {
  readonly method: string;
  readonly args: readonly unknown[];
  /** `args`: instead of its own. */
  run(object: O, memory: Memory, args?: readonly unknown[]): Coroutine;
}

export interface Program<O = unknown> {
  /** A fresh object for each execution. Thread `memory.main` makes it, and announces nothing. */
  readonly create: (memory: Memory) => O;
  readonly threads: readonly (readonly Call<O>[])[];
  /** Calls that finish before any thread starts, and calls that start when all threads have finished. */
  readonly before?: readonly Call<O>[];
  readonly after?: readonly Call<O>[];
  /** Thread to one before it that makes the same calls, or -1. Default: no two threads do. */
  readonly symmetricThreads?: readonly number[];
  /** Do the method and the arguments of a call determine what it does, whichever thread makes it? Default: they may not. */
  readonly hasNamedCalls?: boolean;
  /** Values that the program only moves, and compares with each other: if they are renamed in all calls, they are renamed in all results. */
  readonly values?: readonly unknown[];
  /** May a thread that waits in a monitor wake up without a notification, once per call? */
  readonly spuriousWakeups?: boolean;
  /** The object under test, for results that contain it. Default: what `create` made. */
  objectOf?(made: O): unknown;
  /** Visits the state of a thread that is not in what `create` made. */
  visitThread?(thread: number, visit: (value: unknown) => void): void;
  /** Are errors compared by name alone, as a spec does? */
  readonly hasErrorsByName?: boolean;
  /** Have its threads state that cannot be read? Then no two states are known to be equal. */
  readonly hasHiddenState?: boolean;
  /** May an object without `contents$` have state that cannot be read? Default: no object; functions are refused. */
  readonly isOpaqueObject?: (object: object) => boolean;
  /** Does an object stay as it is, and the same, in all executions? Default: none does, and prototypes do not change. */
  readonly isFixed?: (object: object) => boolean;
}

/** Gets the steps of executions: the thread or the alternative that is taken, then where the step begins and ends, and what it read last. */
export interface StepRecorder {
  /** An execution starts. */
  reset(): void;
  take(choice: number): void;
  step(from: number, to: number, value: unknown): void;
  /** The start of a call of an object, in the place of a site. Its end is -1. */
  siteOf(call: Call, object: unknown): number;
}

/** Sets of threads and of operations are bits of one integer. */
const MOST_THREADS = 16;
export const MOST_OPERATIONS = 30;

export function checkSize(threads: number, calls: number): void {
  if (threads > MOST_THREADS || calls > MOST_OPERATIONS)
    throw new ProgramError(
      `${threads} threads and ${calls} calls; at most ${MOST_THREADS} and ${MOST_OPERATIONS} can be explored`,
    );
}
