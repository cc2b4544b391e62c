/**
 * A copy that equals its original, as canonical.ts compares them.
 *
 * Plain data, Map, Set, typed arrays and instances of classes are copied all the
 * way down, each with its class. What is equal only to itself stays itself, and
 * so does what nobody changes: patterns, boxed primitives, immutable.js values.
 */
import { hidesItsContent, isBoxed, isSelfComparing } from './canonical.js';
import { isPrimitive } from './interner.js';

export function copyOf(value: unknown): unknown {
  return copied(value, new Map());
}

/** `copies`: original to copy, so that what is shared or contains itself does so in the copy. */
function copied(value: unknown, copies: Map<unknown, unknown>): unknown {
  if (isPrimitive(value) || typeof value === 'function') return value;
  if (copies.has(value)) return copies.get(value);
  const original = value as object;
  if (isSelfComparing(original) || hidesItsContent(original)) return original;
  const copy = shell(original);
  copies.set(original, copy);
  if (copy === original || ArrayBuffer.isView(copy)) return copy;

  const prototype: object | null = Object.getPrototypeOf(original);
  if (Object.getPrototypeOf(copy) !== prototype) Object.setPrototypeOf(copy, prototype);
  for (const name of Reflect.ownKeys(original)) {
    const field = Object.getOwnPropertyDescriptor(original, name);
    if (!field?.enumerable) continue;
    const inside = copied((original as Record<string | symbol, unknown>)[name], copies);
    Object.defineProperty(copy, name, { ...PLAIN_FIELD, value: inside });
  }
  if (original instanceof Map)
    for (const [k, v] of original) Map.prototype.set.call(copy, copied(k, copies), copied(v, copies));
  if (original instanceof Set)
    for (const member of original) Set.prototype.add.call(copy, copied(member, copies));
  return copy;
}

const PLAIN_FIELD = { writable: true, enumerable: true, configurable: true };

/** A fresh object of the same kind, without fields and members yet. */
function shell(original: object): object {
  if (Array.isArray(original)) return new Array(original.length);
  if (original instanceof Map) return new Map();
  if (original instanceof Set) return new Set();
  if (original instanceof Date) return new Date(original);
  // not `original.slice`, which for a Buffer shares memory
  if (ArrayBuffer.isView(original)) return Uint8Array.prototype.slice.call(original as Uint8Array);
  return original instanceof RegExp || isBoxed(original) ? original : {};
}
