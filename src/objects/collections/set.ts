/**
 * A set: each key is in it or not. Keys do not affect each other, but `members`
 * sees them all, and where it is called, all are checked together.
 *
 * Jepsen's sets do not say whether what they add is new: there `add` is our
 * `insert`, and `read` our `members`.
 */
import { Interner } from '../../base/values/interner.js';
import { type JepsenAdapter, jepsenAdapter } from '../../formats/common/adapter.js';
import { returns, type Spec } from '../../spec/spec.js';
import { demand, list, partByKey, standIn, withEntry, withoutEntry } from '../common/parameters.js';

export interface SetObject<K> {
  /** Was it new? */
  add(key: K): boolean;
  /** Was it there? */
  remove(key: K): boolean;
  contains(key: K): boolean;
  /** Adds it, and does not say whether it was new. */
  insert(key: K): void;
  members(): ReadonlySet<K>;
}

export interface SetOptions<K> {
  /** The keys in it at first. */
  readonly initial?: readonly K[];
}

export function set<K>(options: SetOptions<K> = {}): Spec<SetObject<K>, ReadonlySet<K>> {
  const has = (keys: ReadonlySet<K>, key: K): boolean => keys.has(standIn(keys, key));
  const withKey = (keys: ReadonlySet<K>, key: K): ReadonlySet<K> => new Set(keys).add(standIn(keys, key));
  const keyPart = partByKey();
  const withoutKey = (keys: ReadonlySet<K>, key: K): ReadonlySet<K> => {
    const rest = new Set(keys);
    rest.delete(standIn(keys, key));
    return rest;
  };
  const initial = demand('the initial of a set', options.initial ?? [], list);
  return {
    name: 'set',
    initial: initial.reduce(withKey, new Set<K>()),
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

const phrases = jepsenAdapter([
  { f: 'add', method: 'insert', takes: 'value', answers: 'nothing' },
  { f: 'insert', takes: 'value', answers: 'nothing' },
  { f: 'read', method: 'members', takes: 'nothing', answers: 'value' },
  { f: 'members', takes: 'nothing', answers: 'value' },
  { f: 'remove', takes: 'value', answers: 'truth' },
  { f: 'contains', takes: 'value', answers: 'truth' },
]);

const jepsen: JepsenAdapter = {
  ...phrases,
  result: (f, value, args) => asSet(phrases.result(f, value, args)),
  event: (method, args, outcome) => {
    const event = phrases.event(method, args, outcome);
    // a list, which JSON has too
    return event?.value instanceof Set ? { ...event, value: [...event.value] } : event;
  },
};

/** A list as the set it stands for. One that has a member twice stays a list, which no set answers. */
function asSet(members: unknown): unknown {
  if (!Array.isArray(members)) return members;
  const distinct = new Interner();
  for (const member of members) distinct.intern(member);
  return distinct.values.length === members.length ? new Set(members) : members;
}

/* A multiset: each key is in it so many times. Keys do not affect each other. */

export interface Multiset<K> {
  add(key: K): void;
  /** Takes out one of them. Was it there? */
  remove(key: K): boolean;
  contains(key: K): boolean;
}

export function multiset<K>(options: SetOptions<K> = {}): Spec<Multiset<K>, ReadonlyMap<K, number>> {
  // key to how many there are; a key that is not there has no entry
  const countOf = (counts: ReadonlyMap<K, number>, key: K): number => counts.get(standIn(counts, key)) ?? 0;
  const withKey = (counts: ReadonlyMap<K, number>, key: K) =>
    withEntry(counts, key, countOf(counts, key) + 1);
  const withoutKey = (counts: ReadonlyMap<K, number>, key: K) =>
    countOf(counts, key) === 1 ? withoutEntry(counts, key) : withEntry(counts, key, countOf(counts, key) - 1);
  const initial = demand('the initial of a multiset', options.initial ?? [], list);
  return {
    name: 'multiset',
    initial: initial.reduce(withKey, new Map<K, number>()),
    methods: {
      add: (counts, key) => [withKey(counts, key), undefined],
      remove: (counts, key) => (countOf(counts, key) > 0 ? [withoutKey(counts, key), true] : [counts, false]),
      contains: (counts, key) => [counts, countOf(counts, key) > 0],
    },
    part: partByKey(),
    readOnly: (method, _args, outcome) =>
      method === 'contains' || (method === 'remove' && returns(outcome, false)),
    family: { kind: 'multiset', roles: { add: 'add', remove: 'remove', contains: 'contains' }, initial },
    jepsen: jepsenAdapter([
      { f: 'add', takes: 'value', answers: 'nothing' },
      { f: 'remove', takes: 'value', answers: 'truth' },
      { f: 'contains', takes: 'value', answers: 'truth' },
    ]),
  };
}
