/** Short ways to write programs by hand. */
import type { Memory } from '../../../src/execution/memory/memory.js';
import type { Call, Coroutine, Program } from '../../../src/execution/program.js';

/** A call that does what a coroutine does. */
export function call<O>(
  method: string,
  run: (object: O, memory: Memory) => Coroutine,
  ...args: readonly unknown[]
): Call<O> {
  return { method, args, run };
}

/** A program whose object is what `create` makes. */
export function program<O>(
  create: () => O,
  threads: readonly (readonly Call<O>[])[],
  more: Partial<Program<O>> = {},
): Program<O> {
  return { create, threads, ...more };
}
