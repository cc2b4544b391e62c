/**
 * Sets and multisets. Operations on different keys are independent.
 *
 * `members` reads all keys: a history that calls it is checked without splitting by key. Jepsen's
 * sets do not report whether an added element is new: their `add` is `insert` here, their `read` is
 * `members`.
 */
import { Interner } from '../../base/values/interner.js';
import { type JepsenAdapter, jepsenAdapter } from '../../formats/common/adapter.js';
import { returns, type Spec } from '../../spec/spec.js';
import { ensure, findEqualKey, list, partByKey, withEntry, withoutEntry } from '../common/parameters.js';

/** The methods of a set. */
export interface SetObject<K> {
  /** Returns whether the key was new. */
  add(key: K): boolean;
  /** Returns whether the key was present. */
  remove(key: K): boolean;
  contains(key: K): boolean;
  /** Adds the key and returns nothing. */
  insert(key: K): void;
  members(): ReadonlySet<K>;
}

/** The initial contents of a set. */
export interface SetOptions<K> {
  /** The initial keys. */
  readonly initial?: readonly K[];
}

/**
 * A set with `add`, `remove`, `contains`, `insert` and `members`.
 *
 * @example
 * A |- add(1) -> true -|  |- contains(1) -> true -|
 * B   |- add(1) -> false -|
 */
export function set<K>(options: SetOptions<K> = {}): Spec<SetObject<K>, ReadonlySet<K>> {
  const has = (keys: ReadonlySet<K>, key: K): boolean => keys.has(findEqualKey(keys, key));
  const none: ReadonlySet<K> = new Set();
  // parts hold one key: an empty set is made faster than a copy
  const withKey = (keys: ReadonlySet<K>, key: K): ReadonlySet<K> =>
    (keys.size === 0 ? new Set<K>() : new Set(keys)).add(findEqualKey(keys, key));
  const keyPart = partByKey();
  /** The key is present. */
  const withoutKey = (keys: ReadonlySet<K>, key: K): ReadonlySet<K> => {
    if (keys.size === 1) return none;
    const rest = new Set(keys);
    rest.delete(findEqualKey(keys, key));
    return rest;
  };
  const initial = ensure('initial of a set', options.initial ?? [], list);
  return {
    name: 'set',
    initial: initial.reduce(withKey, new Set<K>()),
    maxArguments: { add: 1, remove: 1, contains: 1, insert: 1, members: 0 },
    methods: {
      add: (keys, key) => (has(keys, key) ? [keys, false] : [withKey(keys, key), true]),
      remove: (keys, key) => (has(keys, key) ? [withoutKey(keys, key), true] : [keys, false]),
      contains: (keys, key) => [keys, has(keys, key)],
      insert: (keys, key) => [withKey(keys, key), undefined],
      members: (keys) => [keys, keys],
    },
    part: (method, args) => (method === 'members' ? undefined : keyPart(method, args)),
    readOnly: (method, _args, outcome) =>
      method === 'contains' || method === 'members' || returns(outcome, false),
    family: {
      kind: 'set',
      roles: { add: 'add', remove: 'remove', contains: 'contains', insert: 'insert', members: 'members' },
      initial,
    },
    jepsen,
  };
}

const functions = jepsenAdapter([
  { f: 'add', method: 'insert', argument: 'value', result: 'none' },
  { f: 'insert', argument: 'value', result: 'none' },
  { f: 'read', method: 'members', argument: 'none', result: 'value' },
  { f: 'members', argument: 'none', result: 'value' },
  { f: 'remove', argument: 'value', result: 'boolean' },
  { f: 'contains', argument: 'value', result: 'boolean' },
]);

const jepsen: JepsenAdapter = {
  ...functions,
  result: (f, value, args) => toSet(functions.result(f, value, args)),
  event: (method, args, outcome) => {
    const event = functions.event(method, args, outcome);
    // JSON has lists but no sets
    return event?.value instanceof Set ? { ...event, value: [...event.value] } : event;
  },
};

/** Converts a list to a set. A list with duplicates stays a list, which no set returns. */
function toSet(members: unknown): unknown {
  if (!Array.isArray(members)) return members;
  const distinct = new Interner();
  for (const member of members) distinct.intern(member);
  return distinct.values.length === members.length ? new Set(members) : members;
}

/** The methods of a multiset. */
export interface Multiset<K> {
  add(key: K): void;
  /** Removes one occurrence. Returns whether there was one. */
  remove(key: K): boolean;
  contains(key: K): boolean;
}

/**
 * A multiset: each key may be present several times.
 *
 * @example
 * A |- add(1) -| |- add(1) -|
 * B                           |- remove(1) -> true -| |- contains(1) -> true -|
 */
export function multiset<K>(options: SetOptions<K> = {}): Spec<Multiset<K>, ReadonlyMap<K, number>> {
  // the state maps each key to its number of occurrences; absent keys have no entry
  const countOf = (counts: ReadonlyMap<K, number>, key: K): number =>
    counts.get(findEqualKey(counts, key)) ?? 0;
  const withKey = (counts: ReadonlyMap<K, number>, key: K) =>
    withEntry(counts, key, countOf(counts, key) + 1);
  const withoutKey = (counts: ReadonlyMap<K, number>, key: K) =>
    countOf(counts, key) === 1 ? withoutEntry(counts, key) : withEntry(counts, key, countOf(counts, key) - 1);
  const initial = ensure('initial of a multiset', options.initial ?? [], list);
  return {
    name: 'multiset',
    initial: initial.reduce(withKey, new Map<K, number>()),
    maxArguments: { add: 1, remove: 1, contains: 1 },
    methods: {
      add: (counts, key) => [withKey(counts, key), undefined],
      remove: (counts, key) => (countOf(counts, key) > 0 ? [withoutKey(counts, key), true] : [counts, false]),
      contains: (counts, key) => [counts, countOf(counts, key) > 0],
    },
    part: partByKey(),
    readOnly: (method, _args, outcome) =>
      method === 'contains' || (method === 'remove' && returns(outcome, false)),
    family: { kind: 'multiset', roles: { add: 'add', remove: 'remove', contains: 'contains' }, initial },
    jepsen: [
      { f: 'add', argument: 'value', result: 'none' },
      { f: 'remove', argument: 'value', result: 'boolean' },
      { f: 'contains', argument: 'value', result: 'boolean' },
    ],
  };
}
