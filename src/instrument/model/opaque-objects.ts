/**
 * Objects whose state cannot be read, and objects that no program changes.
 *
 * *Opaque* objects may have state that cannot be read from outside: instances of classes that are not instrumented, which may have
 * private fields; functions that are not instrumented, which may capture variables; a Proxy, a WeakMap, a generator, a handle of Node.
 * *Intrinsic* objects belong to the platform: built-in functions and prototypes.
 */
import { types } from 'node:util';
import { TYPED_ARRAYS } from '../../base/values/json-values.js';
import { coroutineOf, isInstrumentedClass } from './coroutine-versions.js';

const ERRORS = [
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  AggregateError,
];

/** Objects with these prototypes show all of their state (execution/memory/heap-walk.ts). */
const TRANSPARENT: ReadonlySet<object> = new Set(
  [
    ...[Object, Function, Array, Map, Set, Date, RegExp, ArrayBuffer, SharedArrayBuffer, DataView, Buffer],
    ...[Number, String, Boolean, BigInt, Symbol],
    Object.getPrototypeOf(Int8Array) as { prototype: object },
    ...TYPED_ARRAYS,
    ...ERRORS,
  ].map(({ prototype }) => prototype as object),
);

export function isOpaqueObject(object: object): boolean {
  // instrumented functions do not get here: what they capture is known
  if (typeof object === 'function' || types.isProxy(object)) return true;
  for (let at: object | null = Object.getPrototypeOf(object); at !== null; at = Object.getPrototypeOf(at))
    if (!TRANSPARENT.has(at) && !hasCoroutines(at)) return true;
  return false;
}

/** Have objects with this prototype all their state in fields, and only instrumented methods? */
export function isInstrumentedPrototype(prototype: object): boolean {
  for (let at = prototype; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    if (!ERROR_PROTOTYPES.has(at) && !hasCoroutines(at)) return false;
  return true;
}

const ERROR_PROTOTYPES: ReadonlySet<object> = new Set(ERRORS.map(({ prototype }) => prototype as object));

/** Is it the prototype of an instrumented class, or of a constructor function with instrumented methods? */
function hasCoroutines(prototype: object): boolean {
  if (isInstrumentedClass(prototype)) return true;
  return Reflect.ownKeys(prototype).every((key) => {
    const { value, get } = Object.getOwnPropertyDescriptor(prototype, key)!;
    return typeof (value ?? get) !== 'function' || coroutineOf(value ?? get) !== undefined;
  });
}

const intrinsics = new Set<object>();
const NAMESPACES = new Set(['Math', 'JSON', 'Reflect', 'Atomics', 'Intl']);

/** Adds an object of the platform, and what stands in its properties. */
function addIntrinsic(value: unknown): void {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return;
  if (intrinsics.has(value) || value === globalThis) return;
  intrinsics.add(value);
  addIntrinsic(Object.getPrototypeOf(value));
  for (const property of Object.values(Object.getOwnPropertyDescriptors(value)))
    for (const part of [property.value, property.get, property.set] as unknown[]) addIntrinsic(part);
}

for (const name of Object.getOwnPropertyNames(globalThis)) {
  const { value, enumerable } = Object.getOwnPropertyDescriptor(globalThis, name)!;
  // classes and namespaces of the platform are not enumerable
  if (typeof value === 'function' ? !enumerable : NAMESPACES.has(name)) addIntrinsic(value);
}
for (const value of [
  [].values(),
  new Map().keys(),
  new Set().keys(),
  ''.matchAll(/x/g),
  ''[Symbol.iterator](),
])
  addIntrinsic(Object.getPrototypeOf(value));
addIntrinsic(Object.getPrototypeOf(function* () {}));
addIntrinsic(Object.getPrototypeOf(async () => {}));

export function isIntrinsic(object: object): boolean {
  return intrinsics.has(object);
}

/** A function that stands in for one of the platform is one of the platform. */
export function addIntrinsicStandIn(standIn: object, original: object): void {
  if (intrinsics.has(original)) intrinsics.add(standIn);
}
