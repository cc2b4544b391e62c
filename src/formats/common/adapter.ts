/**
 * Converts Jepsen's `f` and `value` to a method, its arguments and its result, and back.
 *
 * A Jepsen client puts the arguments into the `value` of the invocation, and repeats them, with
 * results filled in, in the `value` of the `ok`. Which part is an argument and which a result
 * depends on the workload, so a spec declares it (`Spec.jepsen`). Other specs use a default:
 *
 *   f      the method
 *   value  nil: no argument; anything else is the only argument
 *   key    an error: only a spec knows its meaning
 *   ok     its value is the result; null if it only repeats the argument.
 *          A list of lists is a transaction and is its own result.
 */
import { Canonical } from '../../base/values/canonical.js';
import { show } from '../../base/values/show.js';

/** Names of an object's calls in a Jepsen workload. */
export interface JepsenAdapter {
  /**
   * The call of an invocation; undefined if the object has no such f. `key` is the :key field of
   * the event. Throws a RangeError if the value does not match.
   */
  call(
    f: string,
    value: unknown,
    key: unknown,
  ): { readonly method: string; readonly args: readonly unknown[] } | undefined;
  /** The result of an `ok` with this value. `args` are the arguments of the call. */
  result(f: string, value: unknown, args: readonly unknown[]): unknown;
  /** The event of a call (`outcome` undefined) or of its return; undefined if Jepsen cannot express it. */
  event(
    method: string,
    args: readonly unknown[],
    outcome: { readonly result: unknown } | undefined,
  ): { readonly f: string; readonly value: unknown; readonly key?: unknown } | undefined;
}

/** The adapter of specs without their own. */
export const defaultAdapter: JepsenAdapter = {
  call: (f, value, key) => {
    if (key !== undefined)
      throw new RangeError(
        `unexpected key ${show(key)} of ${f}; use a spec with keys, for example --spec map`,
      );
    return { method: f, args: value === null || value === undefined ? [] : [value] };
  },
  result: (_f, value, args) => (args.length === 1 && isRepeated(value, args[0]) ? null : value),
  event: (method, args, outcome) => {
    const [value = null] = args;
    // null as an argument reads as no argument
    if (args.length > 1 || (args.length === 1 && value === null)) return undefined;
    if (!outcome) return { f: method, value };
    const result = outcome.result ?? null;
    if (args.length === 0 || isTransaction(value)) return { f: method, value: result };
    if (result === null) return { f: method, value };
    return isRepeated(result, value) ? undefined : { f: method, value: result };
  },
};

function isRepeated(value: unknown, argument: unknown): boolean {
  if (isTransaction(argument)) return false;
  const canonical = new Canonical();
  return value === argument || canonical.key(value) === canonical.key(argument);
}

const isTransaction = (value: unknown): boolean => Array.isArray(value) && value.every(Array.isArray);

/** One `f` of a workload: the method it calls, and the meaning of its values. */
export interface JepsenFunction {
  readonly f: string;
  /** Default: f. */
  readonly method?: string;
  /** The value of an invocation: no argument, one, one or none (nil), or two, `[a b]`. */
  readonly argument: 'none' | 'value' | 'optional' | 'pair';
  /** Where the first argument, a key, is: in the :key field of the event, or first in a value `[key …]`. */
  readonly key?: 'field' | 'pair';
  /** The result in an ok: none, its value, a boolean, or success (true unless its value is false). */
  readonly result: 'none' | 'value' | 'boolean' | 'success';
}

/** What a spec declares: a table, or functions of its own. */
export type JepsenNames = readonly JepsenFunction[] | JepsenAdapter;

/**
 * An adapter from a table of functions. If two functions call one method, both are read and the
 * first is written.
 *
 * @example
 * const adapter = jepsenAdapter([
 *   { f: 'write', method: 'set', argument: 'value', result: 'none' },
 *   { f: 'read', method: 'get', argument: 'none', result: 'value' },
 * ]);
 */
export function jepsenAdapter(functions: readonly JepsenFunction[]): JepsenAdapter {
  const byF = new Map(functions.map((fn) => [fn.f, fn]));
  return {
    call: (f, value, key) => {
      const fn = byF.get(f);
      return fn && { method: fn.method ?? f, args: argsOf(fn, value, key) };
    },
    result: (f, value) => resultOf(byF.get(f)!, value),
    event: (method, args, outcome) => {
      const fn = functions.find((own) => (own.method ?? own.f) === method);
      return fn && eventOf(fn, args, outcome);
    },
  };
}

const adapters = new WeakMap<readonly JepsenFunction[], JepsenAdapter>();

/** The adapter that a spec declares, as a table or as functions, or the default. Readers ask for it at each event. */
export function adapterOf(declared: JepsenNames | undefined): JepsenAdapter {
  if (declared === undefined) return defaultAdapter;
  if ('call' in declared) return declared;
  const adapter = adapters.get(declared) ?? jepsenAdapter(declared);
  adapters.set(declared, adapter);
  return adapter;
}

function argsOf(fn: JepsenFunction, value: unknown, key: unknown): readonly unknown[] {
  if (fn.key === 'pair') {
    const [first, inner] = pairOf(fn, value, '[key value]');
    return [first, ...valueArgs(fn, inner)];
  }
  if (fn.key === undefined) return valueArgs(fn, value);
  if (key === undefined) throw new RangeError(`${fn.f} has no :key`);
  return [key, ...valueArgs(fn, value)];
}

function valueArgs(fn: JepsenFunction, value: unknown): readonly unknown[] {
  switch (fn.argument) {
    case 'none':
      if (fn.key === undefined && Array.isArray(value) && value.length === 2)
        throw new RangeError(
          `unexpected value ${show(value)} of ${fn.f}, which has no argument; if every value is a [key value], use --independent`,
        );
      return [];
    case 'value':
      return [value];
    case 'optional':
      return value === null || value === undefined ? [] : [value];
    case 'pair':
      return pairOf(fn, value, '[old new]');
  }
}

function resultOf(fn: JepsenFunction, value: unknown): unknown {
  if (fn.result === 'none') return null;
  const inner = fn.key === 'pair' ? pairOf(fn, value, '[key value]')[1] : value;
  if (fn.result === 'success') return inner !== false;
  if (fn.result === 'boolean' && typeof inner !== 'boolean')
    throw new RangeError(`unexpected result ${show(inner)} of ${fn.f}; expected true or false`);
  return inner;
}

function pairOf({ f }: JepsenFunction, value: unknown, expected: string): readonly unknown[] {
  if (Array.isArray(value) && value.length === 2) return value;
  throw new RangeError(`unexpected value ${show(value)} of ${f}; expected ${expected}`);
}

function eventOf(
  fn: JepsenFunction,
  args: readonly unknown[],
  outcome: { readonly result: unknown } | undefined,
): ReturnType<JepsenAdapter['event']> {
  const own = fn.key ? args.slice(1) : args;
  const invoked = invocationValue(fn, own);
  const value = outcome ? okValue(fn, invoked, outcome.result) : invoked;
  if (args.length === own.length && fn.key) return undefined;
  if (invoked === undefined || value === undefined) return undefined;
  if (fn.key === 'pair') return { f: fn.f, value: [args[0], value] };
  return { f: fn.f, value, ...(fn.key && { key: args[0] }) };
}

/** The value of an invocation; undefined if the arguments do not match the function. */
function invocationValue({ argument }: JepsenFunction, args: readonly unknown[]): unknown {
  const [value = null] = args;
  if (argument === 'pair') return args.length === 2 ? args : undefined;
  if (argument === 'value') return args.length === 1 ? value : undefined;
  if (args.length === 0) return null;
  return argument === 'optional' && args.length === 1 && value !== null ? value : undefined;
}

/** The value of an ok; undefined if the function cannot express this result. */
function okValue(fn: JepsenFunction, invoked: unknown, result: unknown = null): unknown {
  if (fn.result === 'value') return result;
  if (fn.result === 'none') return result === null ? invoked : undefined;
  if (fn.result === 'success' && result === true) return invoked === false ? undefined : invoked;
  return typeof result === 'boolean' ? result : undefined;
}
