/**
 * Locations of traced code. An array, Map or Set is one location; typed arrays are one with their buffer. Of other objects each field
 * is a location.
 */
import { types } from 'node:util';

/** The global name of the tracer. A function whose text contains it is traced. */
export const TRACER = '$straightedge$r';

/** The key for all fields of an object. The same in all copies of this module. */
export const WHOLE: unique symbol = Symbol.for('straightedge.whole') as never;

export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The location that a whole object is; undefined if each field is one. */
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

/** Prototypes of the platform that most objects have. A write of one counts as unknown, so reads need not be reported. */
const PLATFORM: ReadonlySet<object> = new Set(
  [Object, Function, Array, Map, Set, Promise].map(({ prototype }) => prototype as object),
);
export const isPlatformPrototype = (object: object): boolean => PLATFORM.has(object);

/** The prototypes in which a field is looked up, because the object does not have it; without a field, all prototypes. */
export function* prototypesFor(object: object, key?: PropertyKey): Generator<object> {
  let at: object | null = object;
  // the traps of a proxy are code of the user's
  while (!types.isProxy(at) && (key === undefined || !Object.hasOwn(at, key))) {
    at = Object.getPrototypeOf(at) as object | null;
    if (at === null || PLATFORM.has(at)) return;
    yield at;
  }
}
