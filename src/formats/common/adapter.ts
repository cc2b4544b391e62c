/**
 * How Jepsen's `f` and `value` become a method, its arguments and its answer, and back.
 *
 * A Jepsen client writes what it was asked for into the `value` of the
 * invocation, and the same again, with answers filled in, into that of the `ok`.
 * What of that is an argument and what an answer is the workload's own habit, so
 * a spec says it (`Spec.jepsen`). For a spec that does not, there is a default:
 *
 *   f      is the method
 *   value  nil: no argument; anything else is the one argument
 *   key    refused, rather than left out: only a spec knows what it means
 *   ok     its value is the answer; where it only repeats the argument, there is
 *          none (null). But a list of lists is a transaction, and is its own answer.
 */
import { Canonical } from '../../base/values/canonical.js';
import { show } from '../../base/values/show.js';

/** How a Jepsen workload spells the calls of an object. */
export interface JepsenAdapter {
  /**
   * What an invocation calls; undefined where the object has no such f. `key` is
   * the event's own :key field. A value that does not fit is a RangeError.
   */
  call(
    f: string,
    value: unknown,
    key: unknown,
  ): { readonly method: string; readonly args: readonly unknown[] } | undefined;
  /** What an `ok` with this value answers. `args` are those of the call. */
  result(f: string, value: unknown, args: readonly unknown[]): unknown;
  /** And back, for writing: the event of a call (result undefined) or of its return; undefined where there is none. */
  event(
    method: string,
    args: readonly unknown[],
    outcome: { readonly result: unknown } | undefined,
  ): { readonly f: string; readonly value: unknown; readonly key?: unknown } | undefined;
}

export const defaultAdapter: JepsenAdapter = {
  call: (f, value, key) => {
    if (key !== undefined)
      throw new RangeError(`${show(key)} as key of ${f}; expected none, or a spec that has keys: --spec map`);
    return { method: f, args: value === null || value === undefined ? [] : [value] };
  },
  result: (_f, value, args) => (args.length === 1 && repeats(value, args[0]) ? null : value),
  event: (method, args, outcome) => {
    const [value = null] = args;
    // null as an argument reads as no argument
    if (args.length > 1 || (args.length === 1 && value === null)) return undefined;
    if (!outcome) return { f: method, value };
    const result = outcome.result ?? null;
    if (args.length === 0 || isTransaction(value)) return { f: method, value: result };
    if (result === null) return { f: method, value };
    return repeats(result, value) ? undefined : { f: method, value: result };
  },
};

function repeats(value: unknown, argument: unknown): boolean {
  if (isTransaction(argument)) return false;
  const canonical = new Canonical();
  return value === argument || canonical.key(value) === canonical.key(argument);
}

const isTransaction = (value: unknown): boolean => Array.isArray(value) && value.every(Array.isArray);
