/** A multiset: each key is in it so many times. Keys do not affect each other. */
import { jepsenAdapter } from '../../formats/jepsen/vocabulary.js';
import { returns, type Spec } from '../../spec/spec.js';
import { demand, list } from '../common/parameters.js';
import { partByKey, standIn, withEntry, withoutEntry } from './keys.js';
import type { SetOptions } from './set.js';

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
