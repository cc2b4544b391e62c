/**
 * A map that is read and written by transactions, each of which takes effect at once.
 *
 * An order of transactions that respects real time is strict serializability (C.
 * Papadimitriou, The serializability of concurrent database updates, JACM 26(4),
 * 1979): linearizability, where the operations are whole transactions. Those that share
 * keys, by way of others too, are checked together; cost grows with how many overlap.
 *
 * A transaction is a list of actions as Jepsen writes them, and its result is the same
 * list with the reads filled in. It sees its own writes.
 */
import { show } from '../../base/values/show.js';
import { refuse, type Spec } from '../../spec/spec.js';
import { type Demand, demand, given, list, partNames, standIn, withEntry } from '../common/parameters.js';
import type { MapOptions } from './map.js';

/** Read a key; write a value; append an item to the list there, where no value counts as an empty list. */
export type TxnAction<K, V> =
  | readonly ['r', K, null?]
  | readonly ['w', K, V]
  | readonly ['append', K, unknown];

export type TxnAnswer<K, V, A = null> =
  | readonly ['r', K, V | A]
  | readonly ['w', K, V]
  | readonly ['append', K, unknown];

export interface TxnMap<K, V, A = null> {
  txn(actions: readonly TxnAction<K, V>[]): readonly TxnAnswer<K, V, A>[];
}

const anAction: Demand = {
  words: '["r", key, null], ["w", key, value] or ["append", key, item]',
  fits: (action) => {
    if (!Array.isArray(action)) return false;
    const [kind, , value] = action;
    if (kind === 'r') return action.length === 2 || (action.length === 3 && (value ?? null) === null);
    return (kind === 'w' || kind === 'append') && action.length === 3;
  },
};

export function txnMap<K, V, A = null>(
  options: MapOptions<A> = {},
): Spec<TxnMap<K, V, A>, ReadonlyMap<K, V>> {
  const absent = given<A>(options, 'initial');
  const nameOf = partNames();
  const get = (entries: ReadonlyMap<K, V>, key: K): V | A => {
    const own = standIn(entries, key);
    return entries.has(own) ? (entries.get(own) as V) : absent;
  };
  return {
    name: 'txn-map',
    initial: new Map(),
    methods: {
      txn: (before, actions) => {
        let entries = before;
        const answers: TxnAnswer<K, V, A>[] = [];
        for (const action of demand('the argument of txn(actions)', actions, list)) {
          const [kind, key, value] = demand('an action of txn(actions)', action, anAction);
          if (kind === 'r') {
            answers.push([kind, key, get(entries, key)]);
            continue;
          }
          const items = get(entries, key) ?? [];
          if (kind === 'append' && !Array.isArray(items))
            return refuse(`${show(key)} is ${show(items)}, and no list to append to`);
          const next = kind === 'append' ? [...(items as unknown[]), value] : value;
          entries = withEntry(entries, key, next as V);
          answers.push([kind, key, value as V]);
        }
        return [entries, answers];
      },
    },
    part: (_method, [actions]) => (areLists(actions) ? actions.map(([, key]) => nameOf(key)) : undefined),
    readOnly: (_method, [actions]) => areLists(actions) && actions.every(([kind]) => kind === 'r'),
    family: { kind: 'txn-map', roles: { txn: 'txn' } },
  };
}

/** What is not, the method itself will complain about. */
const areLists = (actions: unknown): actions is readonly (readonly unknown[])[] =>
  Array.isArray(actions) && actions.every(Array.isArray);
