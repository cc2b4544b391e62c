/**
 * Noise: a thread that stress runs now and then sleeps for a moment at a call of `Atomics`, as if it had been descheduled there.
 *
 *   O. Edelstein, E. Farchi, E. Goldin, Y. Nir, G. Ratsaby, S. Ur. Framework for testing multi-threaded Java programs.
 *   Concurrency and Computation: Practice and Experience 15, 2003.
 *
 * Most bugs need somebody to be away in the middle of something short, which a scheduler seldom does by itself. Whatever happens then
 * could have happened without. A short round needs more of it than a long one: about one call in each is hit.
 */
const { wait } = Atomics;

/** One of so many calls at least and at most, and milliseconds. */
const SELDOM = 250;
const OFTEN = 4;
const MOMENT = 0.1;

const CALLS = [
  'load',
  'store',
  'add',
  'sub',
  'and',
  'or',
  'xor',
  'exchange',
  'compareExchange',
  'notify',
] as const;

/** Calls in this round, and one of how many is hit. */
let calls = 0;
let oneOf = SELDOM;

/** For all that is loaded from now on in this thread. */
export function makeNoise(): void {
  const bed = new Int32Array(new SharedArrayBuffer(4));
  for (const name of CALLS) {
    const real = Atomics[name] as (...args: unknown[]) => unknown;
    Reflect.set(Atomics, name, (...args: unknown[]) => {
      calls++;
      if (Math.random() * oneOf < 1) wait(bed, 0, 0, MOMENT);
      return real(...args);
    });
  }
}

/** A round begins, which is taken to be as long as the last one. */
export function beginNoise(): void {
  if (calls > 0) oneOf = Math.max(OFTEN, Math.min(calls, SELDOM));
  calls = 0;
}
