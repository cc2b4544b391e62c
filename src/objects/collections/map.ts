/**
 * Maps from keys to values. Operations on different keys are independent.
 *
 * `get` and `cas` see a default value under an absent key: null, or the option `initial`. A key
 * with that value is still present after `put`, and `remove` returns true for it.
 */
import type { JepsenFunction } from '../../formats/common/adapter.js';
import type { Outcome } from '../../history/model/operation.js';
import { blocked, returns, type Spec, type Transition } from '../../spec/spec.js';
import {
  ensure,
  findEqualKey,
  isEqual,
  isEqualOrNullish,
  optionOrNull,
  partByKey,
  string,
  withEntry,
  withoutEntry,
} from '../common/parameters.js';

/** The methods of a map. */
export interface MapObject<K, V, A = null> {
  put(key: K, value: V): void;
  get(key: K): V | A;
  /** Returns whether the key was present. */
  remove(key: K): boolean;
  cas(key: K, old: V | A, next: V): boolean;
  /** Returns the present value, or adds this one and returns it. */
  getOrElseUpdate(key: K, value: V): V;
  /** Appends to the string under the key; null counts as the empty string. */
  append(key: K, text: string): void;
}

/** The initial contents of a map. */
export interface MapOptions<A = null> {
  /** The value of an absent key; null by default. */
  readonly initial?: A;
}

/**
 * A map whose `put` and `append` return nothing and whose `remove` returns whether the key was present.
 *
 * @example
 * A |- put("x", 1) -| |- get("x") -> 1 -|
 * B       |- remove("y") -> false -|
 */
export function map<K, V, A = null>(
  options: MapOptions<A> = {},
): Spec<MapObject<K, V, A>, ReadonlyMap<K, V>> {
  const absent = optionOrNull<A>(options, 'initial');
  const has = (entries: ReadonlyMap<K, V>, key: K): boolean => entries.has(findEqualKey(entries, key));
  const get = (entries: ReadonlyMap<K, V>, key: K): V | A =>
    has(entries, key) ? (entries.get(findEqualKey(entries, key)) as V) : absent;
  return {
    name: 'map',
    initial: new Map(),
    methods: {
      put: (entries, key, value) => [withEntry(entries, key, value), undefined],
      get: (entries, key) => [entries, get(entries, key)],
      remove: (entries, key) => (has(entries, key) ? [withoutEntry(entries, key), true] : [entries, false]),
      cas: (entries, key, old, next) =>
        isEqual(get(entries, key), old) ? [withEntry(entries, key, next), true] : [entries, false],
      getOrElseUpdate: (entries, key, value) =>
        has(entries, key) ? [entries, get(entries, key) as V] : [withEntry(entries, key, value), value],
      append: (entries, key, more) => {
        const longer = appendText(get(entries, key), more);
        return longer === undefined ? blocked : [withEntry(entries, key, longer as V), undefined];
      },
    },
    part: partByKey(),
    readOnly: (method, args, outcome) =>
      method === 'get' || leavesMapUnchanged(method, args, outcome, absent),
    family: {
      kind: 'map',
      roles: {
        put: 'put',
        get: 'get',
        remove: 'remove',
        cas: 'cas',
        getOrElseUpdate: 'getOrElseUpdate',
        append: 'append',
      },
      initial: absent,
    },
    jepsen: [
      { f: 'put', key: 'field', argument: 'value', result: 'none' },
      { f: 'append', key: 'field', argument: 'value', result: 'none' },
      { f: 'remove', key: 'field', argument: 'none', result: 'boolean' },
      ...SHARED_FUNCTIONS,
      { f: 'read', method: 'get', key: 'pair', argument: 'none', result: 'value' },
      { f: 'write', method: 'put', key: 'pair', argument: 'value', result: 'none' },
    ],
  };
}

/** Jepsen functions that are the same in all maps. */
const SHARED_FUNCTIONS: readonly JepsenFunction[] = [
  { f: 'get', key: 'field', argument: 'none', result: 'value' },
  { f: 'cas', key: 'pair', argument: 'pair', result: 'success' },
  { f: 'getOrElseUpdate', key: 'field', argument: 'value', result: 'value' },
];

/** True if a mutator with this outcome changes no map. */
function leavesMapUnchanged(
  method: string,
  args: readonly unknown[],
  outcome: Outcome,
  absent: unknown,
): boolean {
  switch (method) {
    case 'remove':
      return returns(outcome, false);
    // replacing a value by itself changes nothing, unless it makes an absent key present
    case 'cas':
      return returns(outcome, false) || (isEqual(args[1], args[2]) && !isEqual(args[1], absent));
    case 'getOrElseUpdate':
      return outcome.kind === 'returned' && !isEqualOrNullish(outcome.value, args[1]);
    default:
      return false;
  }
}

/** The longer string; undefined if the value is not a string, in which case another linearization may fit. */
function appendText(value: unknown, more: string): string | undefined {
  ensure('text of append(key, text)', more, string);
  if (typeof value !== 'string' && value !== null && value !== undefined) return undefined;
  return (value ?? '') + more;
}

/** The methods of a map whose writes return the previous value. */
export interface MapPrevious<K, V, A = null> extends Omit<MapObject<K, V, A>, 'put' | 'remove' | 'append'> {
  put(key: K, value: V): V | A;
  remove(key: K): V | A;
  append(key: K, text: string): V | A;
}

/**
 * A map whose `put`, `remove` and `append` return the previous value: the result of `get` just before.
 *
 * @example
 * A |- put("x", 1) -> null -|  |- remove("x") -> 1 -|
 */
export function mapPrevious<K, V, A = null>(
  options: MapOptions<A> = {},
): Spec<MapPrevious<K, V, A>, ReadonlyMap<K, V>> {
  type Entries = ReadonlyMap<K, V>;
  const base = map<K, V, A>(options);
  const { put, get, remove, append } = base.methods;
  /** Replaces the result of a step by the value before it. */
  const withPrevious = (
    entries: Entries,
    key: K,
    step: unknown,
  ): Transition<Entries, V | A> | typeof blocked => {
    if (step === blocked) return blocked;
    const [next] = step as Transition<Entries, unknown>;
    const [, before] = get(entries, key) as Transition<Entries, V | A>;
    return [next, before];
  };
  return {
    ...base,
    name: 'map-previous',
    methods: {
      ...base.methods,
      put: (entries, key, value) => withPrevious(entries, key, put(entries, key, value)),
      remove: (entries, key) => withPrevious(entries, key, remove(entries, key)),
      append: (entries, key, text) => withPrevious(entries, key, append(entries, key, text)),
    },
    // remove → false removed the value false, and a present key may hold the default value
    readOnly: (method, args, outcome, isCalled) =>
      method !== 'remove' && base.readOnly?.(method, args, outcome, isCalled) === true,
    family: { roles: {}, ...base.family, kind: 'map-previous' },
    jepsen: [
      { f: 'put', key: 'field', argument: 'value', result: 'value' },
      { f: 'append', key: 'field', argument: 'value', result: 'value' },
      { f: 'remove', key: 'field', argument: 'none', result: 'value' },
      ...SHARED_FUNCTIONS,
    ],
  };
}
