/**
 * What functions that come with JavaScript or Node do to their object, as far as who records accesses has to know.
 *
 *   none      nothing that is not told in another way: promises and timers are watched where they are made
 *   looks     reads it             live      gives an iterator, which reads it whenever it goes on
 *   changes   writes it            goes on   is a step of such an iterator
 *   takes     reads or writes its arguments, which are told where it is called by its name
 *   signals   has to do with events, of whichever target
 *   applies   calls its object, a function
 *
 * Of all others nothing is known. Functions are told by themselves, not by their names.
 */
import nodeCrypto from 'node:crypto';
import timerPromises from 'node:timers/promises';
import { originalOf } from '../../execution/stand-ins.js';
import { effectOf } from '../model/effects.js';

type AnyFunction = (...args: never[]) => unknown;
type NativeEffect = 'none' | 'looks' | 'live' | 'changes' | 'goes on' | 'takes' | 'signals' | 'applies';

const effects = new Map<unknown, NativeEffect>();

function are(effect: NativeEffect, object: object, names: string): void {
  for (const name of names.split(' ')) {
    const member = (object as Record<string, unknown>)[name];
    if (typeof member === 'function') effects.set(originalOf(member), effect);
  }
}

/** All functions of an object; its getters too. */
function all(effect: NativeEffect, object: object): void {
  for (const key of Reflect.ownKeys(object)) {
    const { value, get } = Object.getOwnPropertyDescriptor(object, key)!;
    if (typeof value === 'function') effects.set(originalOf(value), effect);
    if (get) effects.set(get, effect);
  }
}

are('looks', Array.prototype, 'map filter forEach some every find findIndex findLast findLastIndex');
are('looks', Array.prototype, 'reduce reduceRight flatMap toSorted');
are('changes', Array.prototype, 'sort');
are('looks', Map.prototype, 'forEach');
are('looks', Set.prototype, 'forEach');
for (const iterable of [[], new Map(), new Set()])
  are('goes on', Object.getPrototypeOf(iterable[Symbol.iterator]()) as object, 'next');
all('none', Object.getPrototypeOf((function* () {})()) as object);
are('none', Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())) as object, 'next return throw');
are('none', Promise.prototype, 'then catch finally');
are('none', Promise, 'resolve reject');
are('takes', Promise, 'all race any allSettled');
are('takes', Object, 'assign freeze defineProperty');
all('takes', Atomics);
are('applies', Function.prototype, 'call apply bind');
are('none', globalThis, 'setTimeout setInterval setImmediate queueMicrotask');
are('none', globalThis, 'clearTimeout clearInterval clearImmediate');
are('none', timerPromises, 'setTimeout setImmediate');
are('none', timerPromises.scheduler, 'wait yield');
are('none', process, 'nextTick hrtime');
are('none', process.hrtime, 'bigint');
are('none', performance, 'now');
are('none', Math, 'random');
are('none', globalThis.crypto, 'randomUUID');
are('none', nodeCrypto, 'randomUUID');
are('none', Error, 'captureStackTrace');
are('none', Object.prototype, 'toString');
all('none', console);
all('changes', RegExp.prototype);
all('none', Symbol.prototype);
for (const name of Object.getOwnPropertyNames(Date.prototype))
  are(name.startsWith('set') ? 'changes' : 'looks', Date.prototype, name);
for (const { prototype } of [AbortController, AbortSignal, EventTarget, Event]) all('signals', prototype);
are('none', AbortSignal, 'timeout');
are('signals', AbortSignal, 'any abort');
const { get: proto } = Object.getOwnPropertyDescriptor(Object.prototype, '__proto__')!;
effects.set(proto, 'none');

/** Constructors that do nothing but make an object. */
const CLASSES = new Set<unknown>([
  ...[Object, Array, Map, Set, WeakMap, WeakSet, Promise, RegExp, ArrayBuffer, SharedArrayBuffer, DataView],
  ...[Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError],
  ...[Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Uint8ClampedArray],
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
  ...[AbortController, EventTarget, Event, DOMException],
]);

export const isSafeClass = (made: unknown): boolean => CLASSES.has(made) || made === globalThis.Date;

/** Our own functions, which stand where Node's would. */
export function areOurs(object: object): void {
  all('none', object);
}

export function nativeEffect(called: AnyFunction, self?: unknown): NativeEffect | undefined {
  const original = originalOf(called);
  const known = effects.get(original);
  if (known !== undefined) return known;
  // the clock is another function each time
  if (self === globalThis.Date || CLASSES.has(called)) return 'none';
  const effect = effectOf(called) ?? effectOf(original);
  return effect === 'pure' ? 'none' : effect;
}

export const getterEffect = (getter: AnyFunction): NativeEffect | undefined => effects.get(getter);
