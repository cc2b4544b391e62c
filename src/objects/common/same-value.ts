/** Equality of values, as everywhere in the house: 0 is -0, NaN is NaN, objects and arrays by content. */
import { Canonical } from '../../base/values/canonical.js';
import { isPrimitive } from '../../base/values/interner.js';

export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (isPrimitive(a) || isPrimitive(b)) return false;
  const canonical = new Canonical();
  return canonical.key(a) === canonical.key(b);
}

/** The same, or null and undefined: a history from a file does not tell those two apart. */
export const sameInFiles = (a: unknown, b: unknown): boolean => sameValue(a ?? null, b ?? null);
