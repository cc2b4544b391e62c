/** What the ready-made specs share: equality, keys and parts, and checks of arguments and options. */
import { Canonical, isPrimitive } from '../../base/values/canonical.js';

import { show } from '../../base/values/show.js';
import type { PartKey, Spec } from '../../spec/spec.js';

/** Equality of values: 0 equals -0, NaN equals NaN, objects and arrays are compared by content. */

export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (isPrimitive(a) || isPrimitive(b)) return false;
  const canonical = new Canonical();
  return canonical.key(a) === canonical.key(b);
}

/** Equality that also identifies null and undefined, because files do not distinguish them. */
export const isEqualOrNullish = (a: unknown, b: unknown): boolean => isEqual(a ?? null, b ?? null);

/**
 * The key of a collection that is equal by content, or the key itself if there is none.
 *
 * A JavaScript Map compares primitives by value but objects by identity. Objects are therefore
 * searched for among the keys; splitting into parts keeps these few.
 */
export function findEqualKey<K>(collection: ReadonlySet<K> | ReadonlyMap<K, unknown>, key: K): K {
  if (isPrimitive(key) || collection.has(key)) return key;
  for (const other of collection.keys()) if (isEqual(other, key)) return other;
  return key;
}

/** A copy of a map with one entry added or replaced. */
export function withEntry<K, V>(entries: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  const own = findEqualKey(entries, key);
  // parts hold one key: an empty map is made faster than a copy
  const isAlone = entries.size === (entries.has(own) ? 1 : 0);
  return (isAlone ? new Map<K, V>() : new Map(entries)).set(own, value);
}

/** A copy of a map without one entry. */
export function withoutEntry<K, V>(entries: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const rest = new Map(entries);
  rest.delete(findEqualKey(entries, key));
  return rest;
}

/** Makes each key, the first argument, a part of its own. */
export function partByKey(): NonNullable<Spec['part']> {
  const partName = createPartNames();
  return (_method, [key]) => partName(key);
}

/**
 * Maps keys to names of parts. No two keys have the same name.
 *
 * Numbers and strings are their own names, because reports print them. Other keys, and strings that
 * start with `#`, are named by `#` and their canonical key.
 */
export function createPartNames(): (key: unknown) => PartKey {
  const canonical = new Canonical();
  return (key) => {
    if (typeof key === 'number' || (typeof key === 'string' && !key.startsWith('#'))) return key;
    return `#${canonical.key(key)}`;
  };
}

/** A condition on an argument or option. */
export interface Requirement {
  /** Completes "expected …". */
  readonly description: string;
  readonly isMetBy: (value: unknown) => boolean;
}

export const anyValue: Requirement = { description: 'any value', isMetBy: () => true };
export const list: Requirement = { description: 'a list', isMetBy: Array.isArray };
export const string: Requirement = { description: 'a string', isMetBy: (value) => typeof value === 'string' };
export const trueOrFalse: Requirement = {
  description: 'true or false',
  isMetBy: (value) => typeof value === 'boolean',
};
export const finiteNumber: Requirement = {
  description: 'a finite number or a bigint',
  isMetBy: (value) => Number.isFinite(value) || typeof value === 'bigint',
};
export const wholeNumber: Requirement = {
  description: 'a whole number, 0 or more',
  isMetBy: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};

export const positiveNumber: Requirement = {
  description: 'a whole number, 1 or more',
  isMetBy: (value) => wholeNumber.isMetBy(value) && value !== 0,
};

/** Returns the value, or throws a TypeError if it does not meet the requirement. */
export function ensure<V>(subject: string, value: V, requirement: Requirement): V {
  if (!requirement.isMetBy(value))
    throw new TypeError(`${subject}: expected ${requirement.description}; got ${show(value)}`);
  return value;
}

/** An option that may be any value, including undefined; null if it is absent. */
export function optionOrNull<V>(options: object, name: string): V {
  return (Object.hasOwn(options, name) ? (options as Record<string, unknown>)[name] : null) as V;
}
