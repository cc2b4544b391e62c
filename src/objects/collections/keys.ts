/**
 * Keys of sets and maps, equal by content.
 *
 * A JavaScript Map finds primitives as we compare them, but objects by identity.
 * So an object is first looked for among the keys; parts keep those few.
 */
import { Canonical } from '../../base/values/canonical.js';
import { isPrimitive } from '../../base/values/interner.js';
import type { PartKey, Spec } from '../../spec/spec.js';
import { sameValue } from '../common/same-value.js';

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
