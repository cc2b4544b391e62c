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

/** Calls a function that converts its arguments to strings; those that are objects are converted first. */
export function* callWithPrimitives(
  host: Host,
  called: AnyFunction,
  self: unknown,
  args: unknown[],
  site: number,
): Coroutine {
  const converted: unknown[] = [];
  for (const arg of args)
    converted.push(
      arg instanceof RegExp || typeof arg === 'function'
        ? arg
        : yield* toPrimitive(host, arg, 'string', site),
    );
  return Reflect.apply(called, self, converted);
}

/** Is an argument an object whose conversion reads what is shared, or runs code of the user's? */
export function isConverted(host: Host, arg: unknown): boolean {
  if (arg === null || typeof arg !== 'object' || arg instanceof RegExp) return false;
  const members = arg as Record<PropertyKey, unknown>;
  const isOfUser = ['toString', 'valueOf', Symbol.toPrimitive].some(
    (name) => coroutineOf(members[name]) !== undefined,
  );
  return isOfUser || host.sharing.isReachable([arg]);
}

type Places = (place: number) => boolean;
type HintAt = (place: number) => 'number' | 'string' | undefined;

/** Function to what it makes of the argument at a place; undefined where it converts none. */
const CONVERTS = new Map<unknown, HintAt>();

function convertsBy(owner: object, names: string, hintAt: HintAt): void {
  for (const name of names.split(' ')) {
    const called: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value;
    if (typeof called === 'function') CONVERTS.set(called, hintAt);
  }
}

function converts(owner: object, names: string, isAt: Places, hint: 'number' | 'string' = 'number'): void {
  convertsBy(owner, names, (place) => (isAt(place) ? hint : undefined));
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
converts(Math, namesOf(Math), () => true);
converts(String, 'fromCharCode fromCodePoint', () => true);
converts(BigInt, 'asIntN asUintN', () => true);
converts(globalThis, 'Number BigInt', (place) => place === 0);
for (const { prototype } of [Number, BigInt])
  converts(prototype, 'toFixed toExponential toPrecision toString', (place) => place === 0);
converts(
  String.prototype,
  'at charAt charCodeAt codePointAt slice substring substr repeat',
  (place) => place < 2,
);
convertsBy(String.prototype, 'padStart padEnd', (place) => (place === 0 ? 'number' : 'string'));
convertsBy(
  String.prototype,
  'indexOf lastIndexOf includes startsWith endsWith split',
  (place) => (['string', 'number'] as const)[place],
);
convertsBy(globalThis, 'parseInt', (place) => (['string', 'number'] as const)[place]);
converts(String.prototype, 'match matchAll search replace replaceAll', (place) => place < 2, 'string');

/** Methods of strings to the method of the first argument that they call, if it has one. */
const DELEGATES = new Map<unknown, symbol>([
  [String.prototype.split, Symbol.split],
  [String.prototype.match, Symbol.match],
  [String.prototype.matchAll, Symbol.matchAll],
  [String.prototype.search, Symbol.search],
  [String.prototype.replace, Symbol.replace],
  [String.prototype.replaceAll, Symbol.replace],
]);

/** Methods that make a string of the object that they are called on. */
const STRING_METHODS: ReadonlySet<unknown> = new Set(
  Object.entries(Object.getOwnPropertyDescriptors(String.prototype))
    .filter(([name]) => !['constructor', 'toString', 'valueOf'].includes(name))
    .map(([, { value }]) => value as unknown),
);

/** Does a method of strings call code of its first argument? */
function delegates(host: Host, called: AnyFunction, [first]: readonly unknown[]): boolean {
  const symbol = DELEGATES.get(called);
  if (symbol === undefined || isPrimitive(first)) return false;
  const isOfUser = coroutineOf((first as Record<symbol, unknown>)[symbol]) !== undefined;
  return isOfUser || (!(first instanceof RegExp) && host.sharing.isReachable([first]));
}

/** A call of a function that converts some of its arguments; undefined if there is nothing to convert. */
export function convertingFirst(
  host: Host,
  called: AnyFunction,
  self: unknown,
  args: readonly unknown[],
  site: number,
): Coroutine | undefined {
  const hintAt: HintAt = CONVERTS.get(called) ?? (() => undefined);
  const isText = STRING_METHODS.has(called) && isConverted(host, self);
  const isDelegated = delegates(host, called, args);
  const isAny = args.some((arg, place) => hintAt(place) !== undefined && isConverted(host, arg));
  if (!isAny && !isText && !isDelegated) return undefined;
  const convert = function* (): Coroutine {
    if (isDelegated) {
      const method = yield* readMember(host, args[0], DELEGATES.get(called)!, site);
      if (method !== undefined && method !== null)
        return yield* invoke(host, method, args[0], [self, ...args.slice(1, 2)], site);
    }
    const text = isText ? yield* toPrimitive(host, self, 'string', site) : self;
    const given: unknown[] = [];
    for (const [place, arg] of args.entries()) {
      const hint = isConverted(host, arg) ? hintAt(place) : undefined;
      given.push(hint === undefined ? arg : yield* toPrimitive(host, arg, hint, site));
    }
    return yield* invoke(host, called, isText ? String(text) : self, given, site);
  };
  return convert();
}

/** Methods of regular expressions, which also do something to other objects. */
const OF_PATTERNS: ReadonlySet<unknown> = new Set(
  Reflect.ownKeys(RegExp.prototype).map(
    (key) => Object.getOwnPropertyDescriptor(RegExp.prototype, key)!.value,
  ),
);

export const isOfPatterns = (called: unknown): boolean => OF_PATTERNS.has(called);
