/**
 * What can be reached from an object: a thread that has the object can get this too.
 *
 * It is what the object holds (execution/memory/heap-walk.ts), private fields (through a function that their class registers), captured
 * variables, and the prototype.
 *
 * Here is also which objects cannot be read, and which no program changes.
 *
 * *Opaque* objects may have state that cannot be read from outside: instances of classes that are not instrumented, which may have
 * private fields; functions that are not instrumented, which may capture variables; a Proxy, a WeakMap, a generator, a handle of Node.
 * *Intrinsic* objects belong to the platform: built-in functions and prototypes.
 */
import { types } from 'node:util';
import { TYPED_ARRAYS } from '../../base/values/json-values.js';
import {
  type HasContents,
  setFunctionContents,
  visitContents,
  visitKeys,
} from '../../execution/memory/heap-walk.js';
import {
  closureOf,
  coroutineOf,
  hiddenField,
  isInstrumentedClass,
  type VariableReader,
} from './coroutine-versions.js';

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

type Visit = (value: unknown) => void;
/** Gets a private field, a function that assigns it, and its name. */
type VisitPrivate = (value: unknown, assign: Visit, name: string) => void;
/** Visits each private field. */
type Look = (object: object, visit: VisitPrivate) => void;

/** Prototype and constructor to the functions that visit private fields and captured variables. */
const lookers = hiddenField<{ readonly look: Look; readonly held: VariableReader | undefined }>();

export function registerPrivateFields(
  owner: { readonly prototype: object },
  look: Look,
  held: VariableReader | undefined,
): void {
  Object.defineProperty(owner.prototype, 'contents$', { value: contents, configurable: true });
  lookers.set(owner.prototype, { look, held });
  lookers.set(owner, { look, held });
}

/** The `contents$` that an object defines itself. `in` is tested first, because some objects throw on reads of unknown members, such as `expect` of vitest. */
export function ownContentsOf(object: object): HasContents['contents$'] | undefined {
  if (!('contents$' in object)) return undefined;
  const { contents$ } = object as HasContents;
  return contents$ === contents ? undefined : contents$;
}

/** Visits what an object holds (execution/memory/heap-walk.ts), and its prototype. */
export function reach(object: object, visit: Visit): void {
  const tell = ownContentsOf(object);
  if (tell !== undefined) {
    tell.call(object, visit);
    return;
  }
  visit(Object.getPrototypeOf(object));
  if (typeof object === 'function') visitFunctionContents(object, visit);
  else visitAll(object, visit);
}

/** Slots, own keys and private fields. */
function visitAll(object: object, visit: Visit): void {
  visitContents(object, visit);
  visitHidden(object, visit);
}

/** Private fields, and the variables that their classes capture. */
function visitHidden(object: object, visit: Visit): void {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at)) {
    const looker = lookers.get(at);
    if (looker === undefined) continue;
    looker.look(object, visit);
    readAll(looker.held, visit);
  }
}

/** An instrumented function is distinguished by its site and name. False if nothing is known of the function. */
function visitFunctionContents(called: object, visit: Visit): boolean {
  const closure = closureOf(called);
  const isKnown = closure !== undefined || lookers.get(called) !== undefined || isClass(called);
  if (!isKnown) {
    // its properties can still be shared
    for (const key of Object.keys(called)) visit(Object.getOwnPropertyDescriptor(called, key)?.value);
    return false;
  }
  visit(closure?.site);
  visit((called as { readonly name: string }).name);
  visitKeys(called, (part) => {
    if (part !== 'length' && part !== 'name') visit(part);
  });
  readAll(closure?.captured, visit);
  visitHidden(called, visit);
  return true;
}

/** Can all that values reach be copied: no private fields, no opaque objects? Functions stay as they are. */
export function canBeCopied(values: readonly unknown[]): boolean {
  const seen = new Set<object>();
  const visit = (part: unknown): void => {
    if (part !== null && typeof part === 'object') seen.add(part);
  };
  for (const value of values) visit(value);
  for (const object of seen) {
    let hasPrivate = false;
    visitPrivateFields(object, () => {
      hasPrivate = true;
    });
    // the result of a function may share the memory of a buffer
    const isBuffer = object instanceof ArrayBuffer || object instanceof SharedArrayBuffer;
    if (hasPrivate || isBuffer || isOpaqueObject(object) || ownContentsOf(object) !== undefined) return false;
    visitContents(object, visit);
  }
  return true;
}

/** An object of one thread as it was. */
class Snapshot implements HasContents {
  readonly parts: unknown[] = [];

  contents$(visit: Visit): void {
    for (const part of this.parts) visit(part);
  }
}

/** A value as it is now. Shared objects stay themselves; of all others a snapshot is taken, with all that they hold. */
export function snapshotOf(value: unknown, isShared: (object: object) => boolean): unknown {
  const taken = new Map<object, unknown>();
  const take = (part: unknown): unknown => {
    if (part === null || (typeof part !== 'object' && typeof part !== 'function') || isShared(part))
      return part;
    const known = taken.get(part);
    if (known !== undefined) return known;
    const snapshot = new Snapshot();
    taken.set(part, snapshot);
    const visit = (held: unknown): void => {
      snapshot.parts.push(take(held));
    };
    // of a function that is not instrumented, and of an opaque object, nothing is known: it stands for itself
    if (typeof part === 'function' ? !visitFunctionContents(part, visit) : isOpaqueObject(part)) {
      taken.set(part, part);
      return part;
    }
    if (typeof part === 'object') reach(part, visit);
    return snapshot;
  };
  return take(value);
}

/** The private fields of an object, and how to assign them. */
export function visitPrivateFields(object: object, visit: VisitPrivate): void {
  for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at))
    lookers.get(at)?.look(object, visit);
}

/** The result of a `VariableReader` after its last variable. */
export const NO_MORE: object = Object.freeze({ toString: () => 'nothing' });

/** Visits variables. One that is not initialised yet throws, and is skipped. */
export function readAll(reader: VariableReader | undefined, visit: Visit): void {
  if (reader === undefined) return;
  for (let i = 0; ; i++) {
    let value: unknown;
    try {
      value = reader(i);
    } catch {
      continue;
    }
    if (value === NO_MORE) return;
    visit(value);
  }
}

setFunctionContents(visitFunctionContents);

/** An instrumented class holds only its static fields, beside private ones. */
function isClass(called: object): boolean {
  // some objects throw on reads of unknown members
  const prototype: unknown = Object.getOwnPropertyDescriptor(called, 'prototype')?.value;
  return Object(prototype) === prototype && isInstrumentedClass(prototype as object);
}

/** The `contents$` of classes with private fields, for fingerprints of states (execution/memory/heap-walk.ts). */
function contents(this: object, visit: Visit): void {
  visitAll(this, visit);
}
