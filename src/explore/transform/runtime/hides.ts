/**
 * Objects that may hold what nobody can see from outside: instances of classes that were not transformed, which may have private
 * fields, and built-in ones that say nothing of their state, as a WeakMap or a generator.
 */
import { isTransformed } from './twins.js';

/** What objects with these prototypes hold can be seen, and errors are not changed. */
const SEEN: ReadonlySet<object> = new Set([
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
  ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array].map(
    ({ prototype }) => prototype,
  ),
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array].map(({ prototype }) => prototype),
  ...[Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError].map(
    ({ prototype }) => prototype as object,
  ),
]);

export function hides(prototype: object): boolean {
  for (let at: object | null = prototype; at !== null; at = Object.getPrototypeOf(at))
    if (!SEEN.has(at) && !isTransformed(at)) return true;
  return false;
}
