/**
 * Built-in functions that make primitives of their arguments: `Math.max`, `at`, `setTime`, `Reflect.get`. An argument that is an object is
 * converted first, step by step: the conversion may be code of the user's, and may read what is shared.
 */
import type { AnyFunction } from '../../base/any-function.js';
import type { Coroutine } from '../../execution/program.js';
import { coroutineOf } from '../model/coroutine-versions.js';
import { type Host, invoke } from '../model/host.js';
import { toPrimitive } from './argument-readers.js';

/** Calls a function that converts its arguments to numbers or strings; those that are objects are converted first. */
export function* callWithPrimitives(
  host: Host,
  called: AnyFunction,
  self: unknown,
  args: unknown[],
  site: number,
): Coroutine {
  const hint = self === Math || called === (Number as AnyFunction) ? 'number' : 'string';
  const converted: unknown[] = [];
  for (const arg of args)
    converted.push(
      arg instanceof RegExp || typeof arg === 'function' ? arg : yield* toPrimitive(host, arg, hint, site),
    );
  return Reflect.apply(called, self, converted);
}

/** Is an argument an object whose conversion reads what is shared, or runs code of the user's? */
export function isConverted(host: Host, arg: unknown): boolean {
  if (arg === null || typeof arg !== 'object' || arg instanceof RegExp) return false;
  const members = arg as Record<string, unknown>;
  const isOfUser = ['toString', 'valueOf'].some((name) => coroutineOf(members[name]) !== undefined);
  return isOfUser || host.sharing.isReachable([arg]);
}

type Places = (place: number) => boolean;

/** Function to the places of the arguments that it converts, and to what. */
const CONVERTS = new Map<unknown, { readonly hint: 'number' | 'string'; readonly isAt: Places }>();

function converts(owner: object, names: string, isAt: Places, hint: 'number' | 'string' = 'number'): void {
  for (const name of names.split(' ')) {
    const called: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value;
    if (typeof called === 'function') CONVERTS.set(called, { hint, isAt });
  }
}

const namesOf = (owner: object): string => Object.getOwnPropertyNames(owner).join(' ');

const TypedArray = Object.getPrototypeOf(Int8Array.prototype) as object;
for (const list of [Array.prototype, TypedArray]) {
  converts(list, 'at slice splice toSpliced flat subarray', (place) => place < 2);
  converts(list, 'indexOf lastIndexOf includes fill set', (place) => place > 0);
  converts(list, 'copyWithin', () => true);
  converts(list, 'with', (place) => place === 0 || list === TypedArray);
  converts(list, 'join', () => true, 'string');
}
converts(TypedArray, 'fill', () => true);
converts(Atomics, namesOf(Atomics), (place) => place > 0);
for (const { prototype } of [Date, DataView]) converts(prototype, namesOf(prototype), () => true);
for (const owner of [Object, Reflect])
  converts(
    owner,
    'hasOwn defineProperty getOwnPropertyDescriptor deleteProperty get set has',
    (place) => place === 1,
    'string',
  );
converts(Object.prototype, 'hasOwnProperty propertyIsEnumerable', () => true, 'string');

/** A call of a function that converts some of its arguments; undefined if there is nothing to convert. */
export function convertingFirst(
  host: Host,
  called: AnyFunction,
  self: unknown,
  args: readonly unknown[],
  site: number,
): Coroutine | undefined {
  const { isAt, hint } = CONVERTS.get(called) ?? {};
  if (isAt === undefined || !args.some((arg, place) => isAt(place) && isConverted(host, arg)))
    return undefined;
  const convert = function* (): Coroutine {
    const given: unknown[] = [];
    for (const [place, arg] of args.entries())
      given.push(isAt(place) ? yield* toPrimitive(host, arg, hint!, site) : arg);
    return yield* invoke(host, called, self, given, site);
  };
  return convert();
}
