/**
 * Functions of Node's that others stand in for (event-loop/control.ts), so that threads, which call what stands
 * there, are known to have called the original.
 */
type AnyFunction = (...args: never[]) => unknown;

const originals = new Map<unknown, AnyFunction>();

export function standsFor(instead: AnyFunction, original: AnyFunction): void {
  originals.set(instead, originals.get(original) ?? original);
}

/** What a function stands for: itself, unless it is a stand-in. */
export function originalOf<F>(called: F): F {
  return (originals.get(called) ?? called) as F;
}
