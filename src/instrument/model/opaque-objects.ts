/**
 * Objects that may hold what nobody can see from outside: instances of classes that were not transformed, which may have private
 * fields, functions that were not, which may hold variables, and built-in objects that say nothing of their state, as a WeakMap
 * or a generator.
 */
import { TYPED_ARRAYS } from '../../base/values/json-values.js';
import { coroutineOf, isInstrumentedClass } from './coroutine-versions.js';

/** What objects with these prototypes hold can be seen, and errors are not changed. */
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
  // of one that was transformed it is known what it holds
  if (typeof object === 'function') return true;
  for (let at: object | null = Object.getPrototypeOf(object); at !== null; at = Object.getPrototypeOf(at))
    if (!TRANSPARENT.has(at) && !hasCoroutines(at)) return true;
  return false;
}

/** Is it the prototype of objects whose fields tell all about them, and whose methods are transformed? */
export function isInstrumentedPrototype(prototype: object): boolean {
  for (let at = prototype; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    if (!hasCoroutines(at)) return false;
  return true;
}

/** A class that was transformed, or, as old code has them, a constructor with methods that were. */
function hasCoroutines(prototype: object): boolean {
  if (isInstrumentedClass(prototype)) return true;
  return Reflect.ownKeys(prototype).every((key) => {
    const { value, get } = Object.getOwnPropertyDescriptor(prototype, key)!;
    return typeof (value ?? get) !== 'function' || coroutineOf(value ?? get) !== undefined;
  });
}
