/** Methods of arrays, Maps and Sets that run in one step: the part of the container that they access, and whether they change it. */
import { types } from 'node:util';
import type { AnyFunction } from '../../base/any-function.js';
import { WHOLE } from '../model/sharing.js';

/** Does a call that may change a container, and compares the container before and after. */
export function change(
  called: AnyFunction,
  self: object,
  args: readonly unknown[],
): { result: unknown; hasChanged: boolean; hasGrown: boolean } {
  const before = glance(called, self, args);
  const result: unknown = Reflect.apply(called, self, args);
  const hasGrown = before !== undefined && before.length !== sizeOf(self);
  const hasChanged = before === undefined || hasGrown || !isSame(before, glance(called, self, args));
  return { result, hasChanged, hasGrown };
}

/** The part of a container that a method reads or changes, if it does not change the size; all of it where that is unknown. */
export function partOf(called: AnyFunction, self: object, [key]: readonly unknown[]): PropertyKey {
  if (called === (Array.prototype.at as AnyFunction))
    return Number.isInteger(key) && Number(key) >= 0 ? Number(key) : WHOLE;
  if (!ENTRIES.has(called) || Object(key) === key) return WHOLE;
  return types.isMap(self) || types.isSet(self) ? (typeof key === 'symbol' ? key : String(key)) : WHOLE;
}

const ENTRIES = new Set<AnyFunction>([
  Map.prototype.get,
  Map.prototype.has,
  Map.prototype.set,
  Map.prototype.delete,
  Set.prototype.has,
  Set.prototype.add,
  Set.prototype.delete,
]);

interface Glance {
  readonly length: number;
  readonly value: unknown;
}

/** What such a call can change in a container; undefined if that is unknown. */
function glance(called: AnyFunction, self: object, [key]: readonly unknown[]): Glance | undefined {
  const length = sizeOf(self);
  if (length < 0) return undefined;
  if (self instanceof Map && called === (Map.prototype.set as AnyFunction))
    return { length, value: Map.prototype.get.call(self, key) };
  const isShort = SHORT.has(called) || self instanceof Map || self instanceof Set;
  return isShort ? { length, value: undefined } : undefined;
}

/** Methods of an array that change it only if its length changes. */
const SHORT = new Set<AnyFunction>([
  Array.prototype.push,
  Array.prototype.pop,
  Array.prototype.shift,
  Array.prototype.unshift,
]);

function isSame(before: Glance, after: Glance | undefined): boolean {
  return after !== undefined && Object.is(before.value, after.value);
}

function sizeOf(container: object): number {
  if (Array.isArray(container)) return container.length;
  if (container instanceof Map) return sizeOfMap.call(container);
  return container instanceof Set ? sizeOfSet.call(container) : -1;
}

// classes that extend them may have their own ideas
const sizeOfMap = Object.getOwnPropertyDescriptor(Map.prototype, 'size')!.get as (
  this: Map<unknown, unknown>,
) => number;
const sizeOfSet = Object.getOwnPropertyDescriptor(Set.prototype, 'size')!.get as (
  this: Set<unknown>,
) => number;

/** Methods whose result is a new list of what their object holds. */
const COPYING = new Set<AnyFunction>(
  ['slice', 'splice', 'toReversed', 'toSpliced', 'with', 'concat']
    .flatMap((name) => [
      (Array.prototype as unknown as Record<string, AnyFunction>)[name],
      (Int8Array.prototype as unknown as Record<string, AnyFunction>)[name],
    ])
    .concat(RegExp.prototype.exec, String.prototype.match as AnyFunction),
);

export const isCopying = (called: AnyFunction): boolean => COPYING.has(called);
