/** A counter: it goes up and down without telling, and can be read. */
import { jepsenAdapter } from '../../formats/jepsen/vocabulary.js';
import type { Spec } from '../../spec/spec.js';
import { exactSum } from '../common/exact-sum.js';
import { demand, finite } from '../common/parameters.js';

export interface Counter {
  increment(n?: number | bigint): void;
  decrement(n?: number | bigint): void;
  read(): number | bigint;
}

export interface CounterOptions {
  /** Where it starts; 0 unless told. From 0n it counts in bigints. */
  readonly initial?: number | bigint;
}

export function counter(options: CounterOptions = {}): Spec<Counter, number | bigint> {
  const initial = demand('the initial of a counter', options.initial ?? 0, finite);
  const sum = exactSum(initial);
  return {
    name: 'counter',
    initial: sum(initial, 0),
    methods: {
      increment: (total, n = 1) => [sum(total, demand('n of increment(n)', n, finite)), undefined],
      decrement: (total, n = 1) => [sum(total, -demand('n of decrement(n)', n, finite)), undefined],
      read: (total) => [total, total],
    },
    readOnly: (method, [n]) => method === 'read' || n === 0 || n === 0n,
    family: {
      kind: 'counter',
      roles: { increment: 'increment', decrement: 'decrement', read: 'read' },
      initial: sum(initial, 0),
    },
    jepsen: jepsenAdapter([
      { f: 'add', method: 'increment', takes: 'optional', answers: 'nothing' },
      { f: 'increment', takes: 'optional', answers: 'nothing' },
      { f: 'decrement', takes: 'optional', answers: 'nothing' },
      { f: 'read', takes: 'nothing', answers: 'value' },
    ]),
  };
}
