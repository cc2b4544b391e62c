/**
 * Conversions of objects to primitive values, by operators and templates, and by built-in functions such as `Math.max`, `at`, `setTime` and
 * `Reflect.get`. As ECMA-262 says, they read and call `Symbol.toPrimitive`, `valueOf` and `toString`, which may be code of the
 * user's, and may read what is shared. So arguments are converted first, step by step.
 */
import type { AnyFunction } from '../../base/any-function.js';
import type { Coroutine } from '../../execution/program.js';
import { coroutineOf } from '../model/coroutine-versions.js';
import { type Host, invoke, readMember } from '../model/host.js';

export type Hint = 'default' | 'number' | 'string';

export const isPrimitive = (value: unknown): boolean =>
  value === null || (typeof value !== 'object' && typeof value !== 'function');

export function* toPrimitive(host: Host, value: unknown, hint: Hint, site: number): Coroutine {
  if (isPrimitive(value)) return value;
  const exotic = yield* readMember(host, value, Symbol.toPrimitive, site);
  if (exotic !== undefined && exotic !== null) {
    const converted = yield* invoke(host, exotic, value, [hint], site);
    if (isPrimitive(converted)) return converted;
    throw new TypeError('Cannot convert object to primitive value');
  }
  for (const name of hint === 'string' ? ['toString', 'valueOf'] : ['valueOf', 'toString']) {
    const method = yield* readMember(host, value, name, site);
    if (typeof method !== 'function') continue;
    const converted = yield* invoke(host, method, value, [], site);
    if (isPrimitive(converted)) return converted;
  }
  throw new TypeError('Cannot convert object to primitive value');
}

/** An operator whose operands are values already, at least one of them an object. */
export function* operate(host: Host, operator: string, a: unknown, b: unknown, site: number): Coroutine {
  const isEquality = operator === '==' || operator === '!=';
  const isIdentity = isEquality && (isPrimitive(a) === isPrimitive(b) || a == null || b == null);
  if (isIdentity) return OPERATORS[operator](a as never, b as never);
  const hint = isEquality || operator === '+' ? 'default' : 'number';
  const left = yield* toPrimitive(host, a, hint, site);
  const right = yield* toPrimitive(host, b, hint, site);
  return OPERATORS[operator](left as never, right as never);
}

const OPERATORS: Readonly<Record<string, (a: never, b: never) => unknown>> = {
  '+': (a: number, b: number) => a + b,
  '-': (a: number, b: number) => a - b,
  '*': (a: number, b: number) => a * b,
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
  '**': (a: number, b: number) => a ** b,
  '&': (a: number, b: number) => a & b,
  '|': (a: number, b: number) => a | b,
  '^': (a: number, b: number) => a ^ b,
  '<<': (a: number, b: number) => a << b,
  '>>': (a: number, b: number) => a >> b,
  '>>>': (a: number, b: number) => a >>> b,
  '<': (a: number, b: number) => a < b,
  '>': (a: number, b: number) => a > b,
  '<=': (a: number, b: number) => a <= b,
  '>=': (a: number, b: number) => a >= b,
  // biome-ignore lint/suspicious/noDoubleEquals: it stands for `==` in the program
  '==': (a: number, b: number) => a == b,
  // biome-ignore lint/suspicious/noDoubleEquals: it stands for `!=` in the program
  '!=': (a: number, b: number) => a != b,
};

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
