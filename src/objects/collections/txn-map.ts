/**
 * A map with transactions that take effect atomically.
 *
 * Linearizability with whole transactions as operations is strict serializability (C.
 * Papadimitriou, The serializability of concurrent database updates, JACM 26(4), 1979).
 * Transactions that share keys, directly or through others, are checked together. The cost grows
 * with the number of overlapping transactions.
 *
 * A transaction is a list of actions in Jepsen's notation. Its result is the same list with the
 * reads filled in. It sees its own writes.
 */
import { show } from '../../base/values/show.js';
import { refuse, type Spec } from '../../spec/spec.js';
import {
  createPartNames,
  ensure,
  findEqualKey,
  list,
  optionOrNull,
  type Requirement,
  withEntry,
} from '../common/parameters.js';
import type { MapOptions } from './map.js';

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
