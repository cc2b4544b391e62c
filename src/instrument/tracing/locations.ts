/**
 * What counts as one location: an array, a map or a set, whatever is done with it; typed arrays are one with their memory. Of
 * other objects each field is one.
 */
import { types } from 'node:util';

/** The name by which recorded code knows what it tells its accesses to; a function whose text has it is recorded. */
export const TRACER = '$straightedge$r';

/** All fields at once; the same to whoever loads this. */
export const WHOLE: unique symbol = Symbol.for('straightedge.whole') as never;

export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The one location that an object is, if it is one. */
export function wholeOf(object: object): object | undefined {
  if (Array.isArray(object) || types.isMap(object) || types.isSet(object)) return object;
  if (ArrayBuffer.isView(object)) return object.buffer;
  return types.isAnyArrayBuffer(object) ? object : undefined;
}

/** The getter or setter that a member is. */
export function accessorOf(object: object, key: PropertyKey): PropertyDescriptor | undefined {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    // its traps are code of the user's
    if (types.isProxy(at)) return undefined;
    const descriptor = Object.getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return 'value' in descriptor ? undefined : descriptor;
  }
  return undefined;
}
