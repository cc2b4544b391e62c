/** A set: each key is in it or not. Keys do not affect each other. */
import { returns, type Spec } from '../spec/index.js';
import { demand, list } from './demand.js';
import { partByKey, standIn } from './keys.js';

export interface SetObject<K> {
  /** Was it new? */
  add(key: K): boolean;
  /** Was it there? */
  remove(key: K): boolean;
  contains(key: K): boolean;
}

export interface SetOptions<K> {
  /** The keys in it at first. */
  readonly initial?: readonly K[];
}

export function set<K>(options: SetOptions<K> = {}): Spec<SetObject<K>, ReadonlySet<K>> {
  const has = (keys: ReadonlySet<K>, key: K): boolean => keys.has(standIn(keys, key));
  const withKey = (keys: ReadonlySet<K>, key: K): ReadonlySet<K> => new Set(keys).add(standIn(keys, key));
  const withoutKey = (keys: ReadonlySet<K>, key: K): ReadonlySet<K> => {
    const rest = new Set(keys);
    rest.delete(standIn(keys, key));
    return rest;
  };
  return {
    name: 'set',
    initial: demand('the initial of a set', options.initial ?? [], list).reduce(withKey, new Set<K>()),
    methods: {
      add: (keys, key) => (has(keys, key) ? [keys, false] : [withKey(keys, key), true]),
      remove: (keys, key) => (has(keys, key) ? [withoutKey(keys, key), true] : [keys, false]),
      contains: (keys, key) => [keys, has(keys, key)],
    },
    part: partByKey(),
    readOnly: (method, _args, outcome) => method === 'contains' || returns(outcome, false),
    family: { kind: 'set', roles: { add: 'add', remove: 'remove', contains: 'contains' } },
  };
}
