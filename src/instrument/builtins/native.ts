/**
 * Built-in functions, and those that were not transformed: done in one step, once they
 * were announced where their object is shared.
 */
import type { AnyFunction } from '../model/twins.js';

/** A call that was announced and is to be done. */
export interface Pending {
  readonly kind: number;
  readonly called: AnyFunction;
  readonly self: unknown;
  readonly args: readonly unknown[];
  readonly location: number;
}

/** Does a call that may change a container, and tells whether it did. */
export function change(
  called: AnyFunction,
  self: object,
  args: readonly unknown[],
): { result: unknown; hasChanged: boolean } {
  const before = glance(called, self, args);
  const result: unknown = Reflect.apply(called, self, args);
  const hasChanged =
    before === undefined || before.length !== sizeOf(self) || !isSame(before, glance(called, self, args));
  return { result, hasChanged };
}

interface Glance {
  readonly length: number;
  readonly value: unknown;
}

/** As much of a container as such a call can change; undefined: who knows. */
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
