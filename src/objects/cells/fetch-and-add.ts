/** Fetch-and-add: a number to which one adds, and is told what it was before. */
import { jepsenAdapter } from '../../formats/jepsen/vocabulary.js';
import type { Spec } from '../../spec/spec.js';
import { exactSum } from '../common/exact-sum.js';
import { demand, finite } from '../common/parameters.js';
import type { CounterOptions } from './counter.js';

export interface FetchAndAdd {
  add(n: number | bigint): number | bigint;
  read(): number | bigint;
}

export function fetchAndAdd(options: CounterOptions = {}): Spec<FetchAndAdd, number | bigint> {
  const initial = demand('the initial of a fetch-and-add', options.initial ?? 0, finite);
  const sum = exactSum(initial);
  return {
    name: 'fetch-and-add',
    initial: sum(initial, 0),
    methods: {
      add: (total, n) => [sum(total, demand('n of add(n)', n, finite)), total],
      read: (total) => [total, total],
    },
    readOnly: (method, [n]) => method === 'read' || n === 0 || n === 0n,
    family: { kind: 'fetch-and-add', roles: { add: 'add', read: 'read' }, initial: sum(initial, 0) },
    jepsen: jepsenAdapter([
      { f: 'add', takes: 'value', answers: 'value' },
      { f: 'read', takes: 'nothing', answers: 'value' },
    ]),
  };
}
