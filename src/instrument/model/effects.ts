/**
 * What functions that come with JavaScript do to the object that they belong to.
 *
 *   looks     reads it                        live    gives an iterator, which reads it with each step
 *   changes   changes it                      pure    touches no object that was made by a program
 *   calls     calls a function back: such functions are written anew as coroutines (instrument/builtins/higher-order.ts)
 *   takes     reads its arguments: they are copied first, look by look
 *
 * Functions are told by themselves, not by their names.
 */
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import { Monitor } from '../../execution/primitives/monitor.js';
import { Mutex } from '../../execution/primitives/mutex.js';
import { Semaphore } from '../../execution/primitives/semaphore.js';
import { $yieldNow, currentThread, yieldNow } from '../../execution/primitives/yield-now.js';
import { type AnyFunction, NOWHERE, pair, type Twin } from './twins.js';

/*
 * The primitives as transformed code uses them. They announce by themselves, in twins under their methods'
 * names with a `$` before (execution/program.ts).
 */

const classes: ReadonlySet<unknown> = new Set([AtomicRef, Monitor, Mutex, Semaphore]);
const twins = new Set<unknown>();

for (const { prototype } of [AtomicRef, Monitor, Mutex, Semaphore]) {
  const members = prototype as unknown as Record<string, AnyFunction | undefined>;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const twin = members[`$${name}`];
    if (twin === undefined) continue;
    twins.add(twin);
    pair(members[name]!, twin as Twin, { site: NOWHERE });
  }
}

twins.add($yieldNow);
pair(yieldNow, $yieldNow as Twin, { site: NOWHERE });

export function isPrimitiveClass(made: unknown): boolean {
  return classes.has(made);
}

/** Is it a method of a primitive, or one itself? */
export function isPrimitiveTwin(twin: Twin): boolean {
  return twins.has(twin);
}

type Effect = 'looks' | 'changes' | 'live' | 'pure' | 'takes';

const effects = new Map<AnyFunction, Effect>();
const TypedArray = Object.getPrototypeOf(Int8Array.prototype) as object;

function are(effect: Effect, object: object, names: string): void {
  for (const name of names.split(' ')) {
    const member = (object as Record<string, unknown>)[name];
    if (typeof member === 'function') effects.set(member as AnyFunction, effect);
  }
}

/** All functions of an object, but for those that have an effect already. */
function others(effect: Effect, object: object): void {
  for (const key of Reflect.ownKeys(object)) {
    const { value } = Object.getOwnPropertyDescriptor(object, key)!;
    if (typeof value === 'function' && !effects.has(value)) effects.set(value, effect);
  }
}

are(
  'looks',
  Array.prototype,
  'at includes indexOf lastIndexOf join slice toReversed toSpliced with toString',
);
are('changes', Array.prototype, 'push pop shift unshift splice reverse fill copyWithin');
are('live', Array.prototype, 'entries keys values');
are('takes', Array.prototype, 'concat');
are('looks', Map.prototype, 'get has');
are('changes', Map.prototype, 'set delete clear');
are('live', Map.prototype, 'entries keys values');
are('looks', Set.prototype, 'has');
are('changes', Set.prototype, 'add delete clear');
are('live', Set.prototype, 'entries keys values');
are('looks', WeakMap.prototype, 'get has');
are('changes', WeakMap.prototype, 'set delete');
are('looks', WeakSet.prototype, 'has');
are('changes', WeakSet.prototype, 'add delete');
// what is not pure of dates: all but what makes a string of one that nobody else has
for (const name of Object.getOwnPropertyNames(Date.prototype))
  are(/^set/.test(name) ? 'changes' : 'looks', Date.prototype, name === 'constructor' ? '' : name);
are(
  'looks',
  TypedArray,
  'at includes indexOf lastIndexOf join slice toReversed toSorted with toString toLocaleString',
);
are('changes', TypedArray, 'fill set reverse sort copyWithin');
are('live', TypedArray, 'entries keys values');
are('pure', TypedArray, 'subarray');
are('takes', Object, 'keys values entries fromEntries');
are('takes', Array, 'from');
are('takes', JSON, 'stringify');
are('pure', Object, 'is getPrototypeOf create');
are('pure', Array, 'isArray of');
are('pure', JSON, 'parse');
for (const object of [Math, Number, String, BigInt, Symbol]) others('pure', object);
for (const { prototype } of [String, Number, Boolean, BigInt, Symbol, RegExp, Date])
  others('pure', prototype);
for (const called of [Number, String, Boolean, BigInt, Symbol, Object, parseInt, parseFloat, currentThread])
  effects.set(called as AnyFunction, 'pure');

export function effectOf(called: AnyFunction): Effect | undefined {
  return effects.get(called);
}

/** Does a regular expression remember where it was, so that to use it is to change it? */
export function remembers(self: unknown): boolean {
  return self instanceof RegExp && (self.global || self.sticky);
}
