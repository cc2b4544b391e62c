/**
 * What is explored: threads that call methods of one fresh object.
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
 * see. It is deterministic: what it does depends on what it was told (arguments,
 * values read, alternatives chosen) and on nothing else. What it reads, it
 * reports (`memory.observe`); an error that it throws is its outcome.
 *
 * A class whose methods are plain functions has coroutines of them, its *twins*,
 * under their names with a `$` before: `$pop` is the twin of `pop`. The primitives
 * have both. Their plain methods do what they do at once, and are what a twin calls after it has announced.
 */
import type { Access } from './memory/access.js';
import type { Memory } from './memory/memory.js';

/** A call of a method that the object does not have: said with those that it has. */
export function noMethod(object: object, method: string): string {
  const has = methodsOf(object);
  return `has no method ${method}${has.length === 0 ? '' : `; it has ${has.join(', ')}`}`;
}

/** Its own, and those of its classes. Getters are not run. */
function methodsOf(object: object): string[] {
  const names = new Set<string>();
  for (let at: object = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function' && name !== 'constructor') names.add(name);
  return [...names];
}

/** Yields accesses. It is resumed with the alternative chosen where it announced CHOOSE, else with 0. */
export type Coroutine<R = unknown> = Generator<Access, R, number>;

/** The name of the coroutine of a method. */
export const coroutineName = (method: string): string => `$${method}`;

export interface Call<O = unknown> {
  readonly method: string;
  readonly args: readonly unknown[];
  run(object: O, memory: Memory): Coroutine;
}

export interface Program<O = unknown> {
  /** A fresh object for each execution. Thread `memory.main` makes it, and announces nothing. */
  readonly create: (memory: Memory) => O;
  readonly threads: readonly (readonly Call<O>[])[];
  /** Calls that end before any thread begins, and calls that begin when all threads have ended. */
  readonly before?: readonly Call<O>[];
  readonly after?: readonly Call<O>[];
  /** Thread to one before it that makes the same calls, or -1. If not given, no two do. */
  readonly symmetricThreads?: readonly number[];
  /** May who waits in a monitor wake up by itself, once a call? */
  readonly spuriousWakeups?: boolean;
  /** Is there more to the state of its threads than can be seen? Then two states can not be told to be the same. */
  readonly hasHiddenState?: boolean;
  /** May an object that does not tell its contents hold what can not be seen? If not given, none does; but functions are refused. */
  readonly isOpaqueObject?: (object: object) => boolean;
}
