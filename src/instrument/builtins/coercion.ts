/**
 * Conversions of objects to primitive values: operators, templates, keys of members, and `join`. As ECMA-262 says, they read and call
 * `Symbol.toPrimitive`, `valueOf` and `toString`, which may be code of the user's, and may read what is shared.
 */
import type { AnyFunction } from '../../base/any-function.js';
import { READ } from '../../execution/memory/access.js';
import type { Coroutine } from '../../execution/program.js';
import { type Host, invoke, look, readMember } from '../model/host.js';

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

/** `list.join(separator)`: one read of the list, then each element becomes a string. */
export function* join(
  host: Host,
  list: readonly unknown[],
  separator: unknown,
  site: number,
): Coroutine<string> {
  const between = separator === undefined ? ',' : String(yield* toPrimitive(host, separator, 'string', site));
  const elements = yield* look(host, READ, list as unknown[], site, () => Array.from(list));
  const texts: string[] = [];
  for (const element of elements)
    texts.push(element == null ? '' : String(yield* toPrimitive(host, element, 'string', site)));
  return texts.join(between);
}

/** `join` and `toString` of lists with objects in them convert these one by one. */
export function joinOf(
  called: AnyFunction,
  self: unknown,
  args: readonly unknown[],
): readonly [unknown] | undefined {
  if (!Array.isArray(self) || self.every(isPrimitive)) return undefined;
  if (called === (Array.prototype.join as AnyFunction)) return [args[0]];
  return called === (Array.prototype.toString as AnyFunction) ? [undefined] : undefined;
}
