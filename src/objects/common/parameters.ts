/** What a method or an option takes: as a test, and in words for who gives something else. */
import { Canonical } from '../../base/values/canonical.js';
import { isPrimitive } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import type { PartKey, Spec } from '../../spec/spec.js';

/* Equality of values, as everywhere in the house: 0 is -0, NaN is NaN, objects and arrays by content. */

export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (isPrimitive(a) || isPrimitive(b)) return false;
  const canonical = new Canonical();
  return canonical.key(a) === canonical.key(b);
}

/** The same, or null and undefined: a history from a file does not tell those two apart. */
export const sameInFiles = (a: unknown, b: unknown): boolean => sameValue(a ?? null, b ?? null);

/*
 * Keys of sets and maps, equal by content.
 *
 * A JavaScript Map finds primitives as we compare them, but objects by identity.
 * So an object is first looked for among the keys; parts keep those few.
 */

/** The key that stands for an equal one in a collection; the key itself where none does. */
export function standIn<K>(collection: ReadonlySet<K> | ReadonlyMap<K, unknown>, key: K): K {
  if (isPrimitive(key) || collection.has(key)) return key;
  for (const other of collection.keys()) if (sameValue(other, key)) return other;
  return key;
}

/** A map with one entry put in, or replaced. */
export function withEntry<K, V>(entries: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(entries).set(standIn(entries, key), value);
}

/** A map with one entry taken out. */
export function withoutEntry<K, V>(entries: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const rest = new Map(entries);
  rest.delete(standIn(entries, key));
  return rest;
}

/** Each key, the first argument, is a part of its own. */
export function partByKey(): NonNullable<Spec['part']> {
  const nameOf = partNames();
  return (_method, [key]) => nameOf(key);
}

/**
 * Key to the name of its part.
 *
 * Numbers and strings name their parts as they are, since people read these
 * names. All else is told by its canonical key behind a `#`, and so is a string
 * that begins with one: no two keys have the same name.
 */
export function partNames(): (key: unknown) => PartKey {
  const canonical = new Canonical();
  return (key) => {
    if (typeof key === 'number' || (typeof key === 'string' && !key.startsWith('#'))) return key;
    return `#${canonical.key(key)}`;
  };
}

export interface Demand {
  /** Ends the sentence "the initial of a queue is …". */
  readonly words: string;
  readonly fits: (value: unknown) => boolean;
}

export const anything: Demand = { words: 'any value', fits: () => true };
export const list: Demand = { words: 'a list', fits: Array.isArray };
export const text: Demand = { words: 'a string', fits: (value) => typeof value === 'string' };
export const truth: Demand = { words: 'true or false', fits: (value) => typeof value === 'boolean' };
export const finite: Demand = {
  words: 'a finite number or a bigint',
  fits: (value) => Number.isFinite(value) || typeof value === 'bigint',
};
export const count: Demand = {
  words: 'a whole number, 0 or more',
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};

export const atLeastOne: Demand = {
  words: 'a whole number, 1 or more',
  fits: (value) => count.fits(value) && value !== 0,
};

/** The value, if it is what is wanted. */
export function demand<V>(what: string, value: V, wanted: Demand): V {
  if (!wanted.fits(value)) throw new TypeError(`${what} is ${wanted.words}, not ${show(value)}`);
  return value;
}

/** An option that may be any value, `undefined` too; null when it is not given. */
export function given<V>(options: object, name: string): V {
  return (Object.hasOwn(options, name) ? (options as Record<string, unknown>)[name] : null) as V;
}
