/**
 * Built-in functions: what each does to the object that it is called on. One table for both kinds of instrumented code.
 *
 * The column `object` is for coroutines. Before such a function runs, the thread announces:
 *
 *   reads            a read of the object
 *   writes           an update of the object
 *   iterates         nothing; the result is an iterator, each step of which reads the object
 *   pure             nothing: it uses no object that a program made
 *
 * Functions that call back, or read their arguments, have no effect in this column; they are coroutines of our own, all in the table of
 * builtins/higher-order.ts.
 *
 * The column `tracing` is for traced code. It has an entry only where tracing needs more than `object`, or something else:
 *
 *   reads arguments  reads its arguments
 *   none             has no effect that is not traced elsewhere: promises and timers are traced where they are created
 *   advances         is a step of a built-in iterator
 *   signals          concerns events, of whichever target
 *   applies          calls its object, which is a function
 *
 * A function in neither column is unknown. Functions are looked up by identity, not by name.
 */
import nodeCrypto from 'node:crypto';
import { createRequire } from 'node:module';
import timerPromises from 'node:timers/promises';
import { types } from 'node:util';
import type { AnyFunction } from '../../base/any-function.js';
import { TYPED_ARRAYS } from '../../base/values/json-values.js';
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import {
  $yieldNow,
  currentThread,
  Monitor,
  Mutex,
  Semaphore,
  yieldNow,
} from '../../execution/primitives/locks.js';
import { type CoroutineFunction, NOWHERE, pair } from './coroutine-versions.js';

type ObjectEffect = 'reads' | 'writes' | 'iterates' | 'pure';
export type TracingEffect =
  | Exclude<ObjectEffect, 'pure'>
  | 'reads arguments'
  | 'none'
  | 'advances'
  | 'signals'
  | 'applies';

/** Function that stands in for one of Node (event-loop/control.ts) to the one that it replaces. */
const originals = new Map<unknown, AnyFunction>();

export function registerStandIn(standIn: AnyFunction, original: AnyFunction): void {
  originals.set(standIn, originals.get(original) ?? original);
}

/** The function that a stand-in replaces; all others themselves. */
export function originalOf<F>(called: F): F {
  return (originals.get(called) ?? called) as F;
}

interface Effects {
  readonly object?: ObjectEffect;
  readonly tracing?: TracingEffect;
}

const EFFECTS = new Map<unknown, Effects>();

function set(called: unknown, effects: Effects): void {
  EFFECTS.set(called, { ...EFFECTS.get(called), ...effects });
}

/** Functions of an object, by their names. Those that this version of Node does not have are left out. */
function define(object: object, names: string, effects: Effects): void {
  for (const name of names.split(' ')) {
    const member = (object as Record<string, unknown>)[name];
    if (typeof member === 'function') set(originalOf(member), effects);
  }
}

/** All functions of an object that have no effect in the column `object` yet. */
function defineOthersPure(object: object): void {
  for (const key of Reflect.ownKeys(object)) {
    const { value } = Object.getOwnPropertyDescriptor(object, key)!;
    if (typeof value === 'function' && EFFECTS.get(value)?.object === undefined)
      set(value, { object: 'pure' });
  }
}

/** All functions and getters of an object, in the column `tracing`. */
function traceAll(object: object, tracing: TracingEffect): void {
  for (const key of Reflect.ownKeys(object)) {
    const { value, get } = Object.getOwnPropertyDescriptor(object, key)!;
    if (typeof value === 'function') set(originalOf(value), { tracing });
    if (get) set(get, { tracing });
  }
}

const READS: Effects = { object: 'reads' };
const WRITES: Effects = { object: 'writes' };
const ITERATES: Effects = { object: 'iterates' };
const READS_ARGUMENTS: Effects = { tracing: 'reads arguments' };
const PURE: Effects = { object: 'pure' };
const UNTRACED: Effects = { tracing: 'none' };

// ── containers ──
define(
  Array.prototype,
  'at includes indexOf lastIndexOf join slice toReversed toSpliced with toString',
  READS,
);
define(Array.prototype, 'push pop shift unshift splice reverse fill copyWithin', WRITES);
define(Array.prototype, 'concat', READS_ARGUMENTS);
define(Array.prototype, 'map filter forEach some every find findIndex findLast findLastIndex', {
  tracing: 'reads',
});
define(Array.prototype, 'reduce reduceRight flatMap toSorted', { tracing: 'reads' });
define(Array.prototype, 'sort', { tracing: 'writes' });
define(Map.prototype, 'get has', READS);
define(Map.prototype, 'set delete clear', WRITES);
define(Set.prototype, 'has', READS);
define(Set.prototype, 'add delete clear', WRITES);
define(WeakMap.prototype, 'get has', READS);
define(WeakMap.prototype, 'set delete', WRITES);
define(WeakSet.prototype, 'has', READS);
define(WeakSet.prototype, 'add delete', WRITES);
for (const { prototype } of [Map, Set]) define(prototype, 'forEach', { tracing: 'reads' });
for (const iterable of [[], new Map(), new Set()]) {
  define(Object.getPrototypeOf(iterable) as object, 'entries keys values', ITERATES);
  define(Object.getPrototypeOf(iterable[Symbol.iterator]()) as object, 'next', { tracing: 'advances' });
}
const TypedArray = Object.getPrototypeOf(Int8Array.prototype) as object;
define(
  TypedArray,
  'at includes indexOf lastIndexOf join slice toReversed toSorted with toString toLocaleString',
  READS,
);
define(TypedArray, 'fill set reverse sort copyWithin', WRITES);
define(TypedArray, 'entries keys values', ITERATES);
define(TypedArray, 'subarray', PURE);
traceAll(Atomics, 'reads arguments');

// ── objects and values ──
define(Object, 'keys values entries fromEntries', READS_ARGUMENTS);
define(Object, 'assign freeze defineProperty', { tracing: 'reads arguments' });
define(Object, 'is getPrototypeOf create', PURE);
define(Object.prototype, 'toString', UNTRACED);
define(Object.prototype, 'toString valueOf isPrototypeOf', PURE);
define(Function.prototype, 'toString', PURE);
define(WeakRef.prototype, 'deref', READS);
set(Object.getOwnPropertyDescriptor(Object.prototype, '__proto__')!.get, UNTRACED);
define(Array, 'from', READS_ARGUMENTS);
define(Array, 'isArray of', PURE);
define(JSON, 'stringify', READS_ARGUMENTS);
define(JSON, 'parse', PURE);
define(Function.prototype, 'call apply bind', { tracing: 'applies' });
for (const name of Object.getOwnPropertyNames(Date.prototype))
  if (name !== 'constructor') define(Date.prototype, name, name.startsWith('set') ? WRITES : READS);
set(Date.prototype[Symbol.toPrimitive], READS);
for (const object of [Math, Number, String, BigInt, Symbol]) defineOthersPure(object);
for (const { prototype } of [String, Number, Boolean, BigInt, Symbol, RegExp, Date])
  defineOthersPure(prototype);
for (const called of [Number, String, Boolean, BigInt, Symbol, Object, parseInt, parseFloat, currentThread])
  set(called, PURE);
traceAll(RegExp.prototype, 'writes');
traceAll(Symbol.prototype, 'none');

// ── generators, promises, timers, events ──
const generator = Object.getPrototypeOf((function* () {})()) as object;
traceAll(generator, 'none');
define(Object.getPrototypeOf(generator) as object, 'next return throw', UNTRACED);
define(Promise.prototype, 'then catch finally', UNTRACED);
define(Promise, 'resolve reject', UNTRACED);
define(Promise, 'all race any allSettled', { tracing: 'reads arguments' });
define(globalThis, 'setTimeout setInterval setImmediate queueMicrotask', UNTRACED);
define(globalThis, 'clearTimeout clearInterval clearImmediate', UNTRACED);
define(timerPromises, 'setTimeout setImmediate', UNTRACED);
define(timerPromises.scheduler, 'wait yield', UNTRACED);
for (const { prototype } of [AbortController, AbortSignal, EventTarget, Event])
  traceAll(prototype, 'signals');
define(AbortSignal, 'timeout', UNTRACED);
define(AbortSignal, 'any abort', { tracing: 'signals' });

// ── time, randomness, output ──
define(process, 'nextTick hrtime', UNTRACED);
define(process.hrtime, 'bigint', UNTRACED);
define(performance, 'now', UNTRACED);
define(Math, 'random', UNTRACED);
define(globalThis.crypto, 'randomUUID', UNTRACED);
define(nodeCrypto, 'randomUUID', UNTRACED);
define(Error, 'captureStackTrace', UNTRACED);
traceAll(console, 'none');

/** For coroutines: the effect on the object, or undefined if it is unknown. */
export function effectOf(called: AnyFunction): ObjectEffect | undefined {
  return EFFECTS.get(called)?.object;
}

/** For traced code: the effect of a call on `self`, or undefined if it is unknown. */
export function tracingEffectOf(called: AnyFunction, self?: unknown): TracingEffect | undefined {
  const { object, tracing } = EFFECTS.get(originalOf(called)) ?? {};
  if (tracing !== undefined) return tracing;
  // the virtual clock replaces `Date`, so its functions have no identity to look up
  if (self === globalThis.Date || SAFE_CLASSES.has(called)) return 'none';
  return object === 'pure' ? 'none' : object;
}

export const getterEffectOf = (getter: AnyFunction): TracingEffect | undefined =>
  EFFECTS.get(getter)?.tracing;

/** For traced code: functions of our own that stand in for functions of Node have no effect. */
export function traceAsOwn(object: object): void {
  traceAll(object, 'none');
}

/** Constructors that only create an object. */
const SAFE_CLASSES = new Set<unknown>([
  ...[Object, Array, Map, Set, WeakMap, WeakSet, Promise, RegExp, ArrayBuffer, SharedArrayBuffer, DataView],
  ...[Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError],
  ...TYPED_ARRAYS,
  ...[AbortController, EventTarget, Event, DOMException],
]);

/** Built-in constructors that read their arguments. */
export const CONTAINERS: ReadonlySet<unknown> = new Set<unknown>([
  Array,
  Map,
  Set,
  WeakMap,
  WeakSet,
  WeakRef,
  ...TYPED_ARRAYS,
  ArrayBuffer,
  SharedArrayBuffer,
  Date,
  RegExp,
  Object,
  ...[Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError],
]);

export const isSafeClass = (constructed: unknown): boolean =>
  SAFE_CLASSES.has(constructed) || constructed === globalThis.Date;

/** Does a regular expression keep `lastIndex`, so that using it changes it? */
export function keepsLastIndex(self: unknown): boolean {
  return types.isRegExp(self) && (self.global || self.sticky);
}

/** Functions that call back when no thread runs. */
const LATER = new Set<unknown>([
  setTimeout,
  setInterval,
  setImmediate,
  queueMicrotask,
  process.nextTick,
  Promise.prototype.then,
]);

export const runsLater = (called: AnyFunction): boolean => LATER.has(originalOf(called));

// ── primitives ──

const PRIMITIVES: ReadonlySet<unknown> = new Set([AtomicRef, Monitor, Mutex, Semaphore]);
const primitiveCoroutines = new Set<unknown>([$yieldNow]);

// they announce by themselves, in coroutines under the names of their methods with a `$` before (execution/program.ts)
for (const { prototype } of [AtomicRef, Monitor, Mutex, Semaphore]) {
  const members = prototype as unknown as Record<string, AnyFunction | undefined>;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const coroutine = members[`$${name}`];
    if (coroutine === undefined) continue;
    primitiveCoroutines.add(coroutine);
    pair(members[name]!, coroutine as CoroutineFunction, { site: NOWHERE });
  }
}
pair(yieldNow, $yieldNow as CoroutineFunction, { site: NOWHERE });

export function isPrimitiveClass(constructed: unknown): boolean {
  return PRIMITIVES.has(constructed);
}

/** Is it the coroutine of a method of a primitive, or of `yieldNow`? */
export function isPrimitiveCoroutine(coroutine: CoroutineFunction): boolean {
  return primitiveCoroutines.has(coroutine);
}

// ── the platform ──

/** Modules of Node whose functions access nothing but their arguments. */
const MODULES = [
  'assert',
  'buffer',
  'crypto',
  'os',
  'path',
  'querystring',
  'string_decoder',
  'url',
  'util',
  'zlib',
];
let ofNode: Set<unknown> | undefined;

/** Is it a function of the language or of Node? All others may keep state of their own. */
export function isOfPlatform(called: AnyFunction): boolean {
  if (typeof called !== 'function') return false;
  if (/\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(called))) return !isBound(called);
  ofNode ??= functionsOfNode();
  return ofNode.has(originalOf(called));
}

/** A bound function looks like one of the language. */
const isBound = (called: AnyFunction): boolean => called.name.startsWith('bound ');

function functionsOfNode(): Set<unknown> {
  const require = createRequire(import.meta.url);
  const found = new Set<unknown>([structuredClone, atob, btoa]);
  const add = (holder: unknown, depth: number, isOwn: (field: PropertyDescriptor) => boolean): void => {
    for (const field of Object.values(Object.getOwnPropertyDescriptors(holder as object))) {
      const value: unknown = field.value;
      if (typeof value !== 'function' || found.has(value) || !isOwn(field)) continue;
      found.add(value);
      if (depth > 0)
        for (const inner of [value, value.prototype as unknown]) if (inner) add(inner, depth - 1, () => true);
    }
  };
  for (const name of MODULES) add(require(`node:${name}`), 1, () => true);
  add(console, 0, () => true);
  // globals that a program defines are enumerable, those of the language are not
  add(globalThis, 1, ({ enumerable }) => enumerable === false);
  return found;
}
