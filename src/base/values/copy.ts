/**
 * Copies values so that copy and original are equal in the sense of canonical.ts.
 *
 * Plain data, Map, Set, typed arrays and class instances are copied deeply, each with its class.
 * Values that are equal only to themselves are not copied, nor are values that are never mutated:
 * regular expressions, boxed primitives, immutable.js values.
 */
import { isBoxed, isOpaque, isSelfComparing } from './canonical.js';
import { isPrimitive } from './interner.js';

export function copyOf(value: unknown): unknown {
  return copyDeep(value, new Map());
}

/** `copies` maps originals to copies, so that shared and cyclic references are preserved. */
function copyDeep(value: unknown, copies: Map<unknown, unknown>): unknown {
  if (isPrimitive(value) || typeof value === 'function') return value;
  if (copies.has(value)) return copies.get(value);
  const original = value as object;
  if (isSelfComparing(original) || isOpaque(original)) return original;
  const copy = emptyCopy(original);
  copies.set(original, copy);
  if (copy === original || ArrayBuffer.isView(copy)) return copy;

  const prototype: object | null = Object.getPrototypeOf(original);
  if (Object.getPrototypeOf(copy) !== prototype) Object.setPrototypeOf(copy, prototype);
  for (const name of Reflect.ownKeys(original)) {
    const field = Object.getOwnPropertyDescriptor(original, name);
    if (!field?.enumerable) continue;
    const inside = copyDeep((original as Record<string | symbol, unknown>)[name], copies);
    Object.defineProperty(copy, name, { ...PLAIN_FIELD, value: inside });
  }
  if (original instanceof Map)
    for (const [k, v] of original) Map.prototype.set.call(copy, copyDeep(k, copies), copyDeep(v, copies));
  if (original instanceof Set)
    for (const member of original) Set.prototype.add.call(copy, copyDeep(member, copies));
  return copy;
}

const PLAIN_FIELD = { writable: true, enumerable: true, configurable: true };

/** A new object of the same kind, without fields and members. */
function emptyCopy(original: object): object {
  if (Array.isArray(original)) return new Array(original.length);
  if (original instanceof Map) return new Map();
  if (original instanceof Set) return new Set();
  if (original instanceof Date) return new Date(original);
  // not `original.slice`, which for a Buffer shares memory
  if (ArrayBuffer.isView(original)) return Uint8Array.prototype.slice.call(original as Uint8Array);
  return original instanceof RegExp || isBoxed(original) ? original : {};
}
