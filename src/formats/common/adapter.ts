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

/*
 * An adapter as a table: for each f of a workload the method it stands for, what
 * its value holds, and what an `ok` tells. Of two phrases for one method, the
 * first is written, both are read.
 */

export interface Phrase {
  readonly f: string;
  /** Named like f, unless told. */
  readonly method?: string;
  /** What the value of an invocation holds: no argument, one, one or none (nil), or two, `[a b]`. */
  readonly takes: 'nothing' | 'value' | 'optional' | 'pair';
  /** The first argument is a key: the event's own :key field, or the first of a value `[key …]`. */
  readonly key?: 'field' | 'pair';
  /** What an ok tells: nothing new, an answer, true or false, or that it succeeded: true, unless its value is false. */
  readonly answers: 'nothing' | 'value' | 'truth' | 'success';
}

export function jepsenAdapter(phrases: readonly Phrase[]): JepsenAdapter {
  const byF = new Map(phrases.map((phrase) => [phrase.f, phrase]));
  return {
    call: (f, value, key) => {
      const phrase = byF.get(f);
      return phrase && { method: phrase.method ?? f, args: argsOf(phrase, value, key) };
    },
    result: (f, value) => resultOf(byF.get(f)!, value),
    event: (method, args, outcome) => {
      const phrase = phrases.find((own) => (own.method ?? own.f) === method);
      return phrase && eventOf(phrase, args, outcome);
    },
  };
}

function argsOf(phrase: Phrase, value: unknown, key: unknown): readonly unknown[] {
  if (phrase.key === 'pair') {
    const [first, inner] = pairOf(phrase, value, '[key value]');
    return [first, ...ownArgs(phrase, inner)];
  }
  if (phrase.key === undefined) return ownArgs(phrase, value);
  if (key === undefined) throw new RangeError(`${phrase.f} without :key; expected the key it is about`);
  return [key, ...ownArgs(phrase, value)];
}

function ownArgs(phrase: Phrase, value: unknown): readonly unknown[] {
  switch (phrase.takes) {
    case 'nothing':
      if (phrase.key === undefined && Array.isArray(value) && value.length === 2)
        throw new RangeError(
          `${show(value)} as the value of ${phrase.f}, which takes none. Is every value a [key value]? Then say so: --independent`,
        );
      return [];
    case 'value':
      return [value];
    case 'optional':
      return value === null || value === undefined ? [] : [value];
    case 'pair':
      return pairOf(phrase, value, '[old new]');
  }
}

function resultOf(phrase: Phrase, value: unknown): unknown {
  if (phrase.answers === 'nothing') return null;
  const inner = phrase.key === 'pair' ? pairOf(phrase, value, '[key value]')[1] : value;
  if (phrase.answers === 'success') return inner !== false;
  if (phrase.answers === 'truth' && typeof inner !== 'boolean')
    throw new RangeError(`${show(inner)} as the answer of ${phrase.f}; expected true or false`);
  return inner;
}

function pairOf({ f }: Phrase, value: unknown, expected: string): readonly unknown[] {
  if (Array.isArray(value) && value.length === 2) return value;
  throw new RangeError(`${show(value)} as the value of ${f}; expected ${expected}`);
}

function eventOf(
  phrase: Phrase,
  args: readonly unknown[],
  outcome: { readonly result: unknown } | undefined,
): ReturnType<JepsenAdapter['event']> {
  const own = phrase.key ? args.slice(1) : args;
  const asked = askedValue(phrase, own);
  const value = outcome ? toldValue(phrase, asked, outcome.result) : asked;
  if (args.length === own.length && phrase.key) return undefined;
  if (asked === undefined || value === undefined) return undefined;
  if (phrase.key === 'pair') return { f: phrase.f, value: [args[0], value] };
  return { f: phrase.f, value, ...(phrase.key && { key: args[0] }) };
}

/** The value of an invocation; undefined where the arguments are not those of the phrase. */
function askedValue({ takes }: Phrase, args: readonly unknown[]): unknown {
  const [value = null] = args;
  if (takes === 'pair') return args.length === 2 ? args : undefined;
  if (takes === 'value') return args.length === 1 ? value : undefined;
  if (args.length === 0) return null;
  return takes === 'optional' && args.length === 1 && value !== null ? value : undefined;
}

/** The value of an ok; undefined where the phrase can not tell this result. */
function toldValue({ answers }: Phrase, asked: unknown, result: unknown = null): unknown {
  if (answers === 'value') return result;
  if (answers === 'nothing') return result === null ? asked : undefined;
  if (answers === 'success' && result === true) return asked === false ? undefined : asked;
  return typeof result === 'boolean' ? result : undefined;
}
