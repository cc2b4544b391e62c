/** A counter: it goes up and down without telling, and can be read. */
import { jepsenAdapter } from '../../formats/common/adapter.js';
import type { Spec } from '../../spec/spec.js';
import { demand, finite } from '../common/parameters.js';

/**
 * Sums that lose nothing, in the form in which histories hold them.
 *
 * Files are read into numbers as long as these are exact, and into bigints
 * beyond 2^53; sums do the same. But where the object starts as a bigint that a
 * file would have held as a number, the program counts in bigints, and so do
 * we. Fractions add as JavaScript adds them.
 */
type Sum = (a: number | bigint, b: number | bigint) => number | bigint;

function exactSum(initial: number | bigint): Sum {
  const onlyBigints = typeof initial === 'bigint' && Number.isSafeInteger(Number(initial));
  return (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') {
      const sum = a + b;
      if (Number.isSafeInteger(sum) || !Number.isInteger(a) || !Number.isInteger(b)) return sum;
    }
    const sum = whole(a) + whole(b);
    return Number.isSafeInteger(Number(sum)) && !onlyBigints ? Number(sum) : sum;
  };
}

function whole(value: number | bigint): bigint {
  if (typeof value === 'number' && !Number.isInteger(value))
    throw new TypeError(`${value} is a fraction, and can not be added to a bigint`);
  return BigInt(value);
}

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

/* Fetch-and-add: a number to which one adds, and is told what it was before. */

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
