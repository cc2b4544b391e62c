/**
 * Maps from keys to values. Operations on different keys are independent.
 *
 * `get` and `cas` see a default value under an absent key: null, or the option `initial`. A key
 * with that value is still present after `put`, and `remove` returns true for it.
 */

import { show } from '../../base/values/show.js';
import type { JepsenFunction } from '../../formats/common/adapter.js';
import type { Outcome } from '../../history/model/operation.js';
import { blocked, refuse, returns, type Spec, type Transition } from '../../spec/spec.js';
import {
  createPartNames,
  ensure,
  findEqualKey,
  isEqual,
  isEqualOrNullish,
  list,
  optionOrNull,
  partByKey,
  type Requirement,
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
    maxArguments: { put: 2, get: 1, remove: 1, cas: 3, getOrElseUpdate: 2, append: 2 },
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

// A map with transactions that take effect atomically.
//
// Linearizability with whole transactions as operations is strict serializability (C.
// Papadimitriou, The serializability of concurrent database updates, JACM 26(4), 1979).
// Transactions that share keys, directly or through others, are checked together. The cost grows
// with the number of overlapping transactions.
//
// A transaction is a list of actions in Jepsen's notation. Its result is the same list with the
// reads filled in. It sees its own writes.

/** Read a key, write a value, or append an item to a list. An absent value counts as an empty list. */
export type TxnAction<K, V> =
  | readonly ['r', K, null?]
  | readonly ['w', K, V]
  | readonly ['append', K, unknown];

/** The result of one action of a transaction. */
export type TxnResult<K, V, A = null> =
  | readonly ['r', K, V | A]
  | readonly ['w', K, V]
  | readonly ['append', K, unknown];

/** The method of a map with transactions. */
export interface TxnMap<K, V, A = null> {
  txn(actions: readonly TxnAction<K, V>[]): readonly TxnResult<K, V, A>[];
}

const txnAction: Requirement = {
  description: '["r", key, null], ["w", key, value] or ["append", key, item]',
  isMetBy: (action) => {
    if (!Array.isArray(action)) return false;
    const [kind, , value] = action;
    if (kind === 'r') return action.length === 2 || (action.length === 3 && (value ?? null) === null);
    return (kind === 'w' || kind === 'append') && action.length === 3;
  },
};

/**
 * A map with one method: `txn(actions)`.
 *
 * @example
 * A |- txn([["w", "x", 1], ["w", "y", 1]]) -> [["w", "x", 1], ["w", "y", 1]] -|
 * B    |- txn([["r", "x"], ["r", "y"]]) -> [["r", "x", 1], ["r", "y", 1]] -|
 */
export function txnMap<K, V, A = null>(
  options: MapOptions<A> = {},
): Spec<TxnMap<K, V, A>, ReadonlyMap<K, V>> {
  const absent = optionOrNull<A>(options, 'initial');
  const partName = createPartNames();
  const get = (entries: ReadonlyMap<K, V>, key: K): V | A => {
    const storedKey = findEqualKey(entries, key);
    return entries.has(storedKey) ? (entries.get(storedKey) as V) : absent;
  };
  return {
    name: 'txn-map',
    initial: new Map(),
    maxArguments: { txn: 1 },
    methods: {
      txn: (before, actions) => {
        let entries = before;
        const results: TxnResult<K, V, A>[] = [];
        for (const action of ensure('argument of txn(actions)', actions, list)) {
          const [kind, key, value] = ensure('action of txn(actions)', action, txnAction);
          if (kind === 'r') {
            results.push([kind, key, get(entries, key)]);
            continue;
          }
          const items = get(entries, key) ?? [];
          if (kind === 'append' && !Array.isArray(items))
            return refuse(`cannot append to ${show(key)}: ${show(items)} is not a list`);
          const next = kind === 'append' ? [...(items as unknown[]), value] : value;
          entries = withEntry(entries, key, next as V);
          results.push([kind, key, value as V]);
        }
        return [entries, results];
      },
    },
    part: (_method, [actions]) => (areLists(actions) ? actions.map(([, key]) => partName(key)) : undefined),
    readOnly: (_method, [actions]) => areLists(actions) && actions.every(([kind]) => kind === 'r'),
    family: { kind: 'txn-map', roles: { txn: 'txn' } },
  };
}

/** True for a list of lists. The method reports anything else. */
const areLists = (actions: unknown): actions is readonly (readonly unknown[])[] =>
  Array.isArray(actions) && actions.every(Array.isArray);
