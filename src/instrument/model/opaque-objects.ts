/**
 * Opaque objects: those that may have state which cannot be read from outside. They are instances of classes that are not
 * instrumented, which may have private fields; functions that are not instrumented, which may capture variables; and built-in objects
 * such as a WeakMap or a generator.
 */
import { TYPED_ARRAYS } from '../../base/values/json-values.js';
import { coroutineOf, isInstrumentedClass } from './coroutine-versions.js';

/** Objects with these prototypes show all of their state; errors are taken as immutable. */
const TRANSPARENT: ReadonlySet<object> = new Set([
  Object.prototype,
  Function.prototype,
  Array.prototype,
  Map.prototype,
  Set.prototype,
  Date.prototype,
  RegExp.prototype,
  ArrayBuffer.prototype,
  SharedArrayBuffer.prototype,
  Object.getPrototypeOf(Int8Array.prototype) as object,
  ...TYPED_ARRAYS.map(({ prototype }) => prototype as object),
  ...[Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError].map(
    ({ prototype }) => prototype as object,
  ),
]);

export function isOpaqueObject(object: object): boolean {
  // instrumented functions do not get here: what they capture is known
  if (typeof object === 'function') return true;
  for (let at: object | null = Object.getPrototypeOf(object); at !== null; at = Object.getPrototypeOf(at))
    if (!TRANSPARENT.has(at) && !hasCoroutines(at)) return true;
  return false;
}

/** Have objects with this prototype all their state in fields, and only instrumented methods? */
export function isInstrumentedPrototype(prototype: object): boolean {
  for (let at = prototype; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    if (!hasCoroutines(at)) return false;
  return true;
}

/** Is it the prototype of an instrumented class, or of a constructor function with instrumented methods? */
function hasCoroutines(prototype: object): boolean {
  if (isInstrumentedClass(prototype)) return true;
  return Reflect.ownKeys(prototype).every((key) => {
    const { value, get } = Object.getOwnPropertyDescriptor(prototype, key)!;
    return typeof (value ?? get) !== 'function' || coroutineOf(value ?? get) !== undefined;
  });
}
