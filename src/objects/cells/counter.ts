/** Counters: a number that is changed by addition. */
import type { Spec } from '../../spec/spec.js';
import { ensure, finiteNumber } from '../common/parameters.js';

/**
 * Addition without loss of precision, with results in the form that history files use.
 *
 * Readers produce numbers for integers up to 2^53 and bigints beyond; so do these sums. If the initial value is a
 * small bigint, the program counts in bigints, and so do the sums. Fractions are added as doubles.
 */
function exactSum(initial: number | bigint): (a: number | bigint, b: number | bigint) => number | bigint {
  const usesBigints = typeof initial === 'bigint' && Number.isSafeInteger(Number(initial));
  return (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') {
      const sum = a + b;
      if (Number.isSafeInteger(sum) || !Number.isInteger(a) || !Number.isInteger(b)) return sum;
    }
    const sum = toBigInt(a) + toBigInt(b);
    return Number.isSafeInteger(Number(sum)) && !usesBigints ? Number(sum) : sum;
  };
}

function toBigInt(value: number | bigint): bigint {
  if (typeof value === 'number' && !Number.isInteger(value))
    throw new TypeError(`cannot add the fraction ${value} to a bigint`);
  return BigInt(value);
}

/** The methods of a counter. */
export interface Counter {
  increment(n?: number | bigint): void;
  decrement(n?: number | bigint): void;
  read(): number | bigint;
}

/** The initial value of a counter. */
export interface CounterOptions {
  /** The initial value; 0 by default. With 0n the counter uses bigints. */
  readonly initial?: number | bigint;
}

/**
 * A counter whose updates return nothing.
 *
 * @example
 * A |- increment() -|  |- read() -> 2 -|
 * B   |- increment() -|
 */
export function counter(options: CounterOptions = {}): Spec<Counter, number | bigint> {
  const initial = ensure('initial of a counter', options.initial ?? 0, finiteNumber);
  const sum = exactSum(initial);
  return {
    name: 'counter',
    initial: sum(initial, 0),
    maxArguments: { increment: 1, decrement: 1, read: 0 },
    methods: {
      increment: (total, n = 1) => [sum(total, ensure('n of increment(n)', n, finiteNumber)), undefined],
      decrement: (total, n = 1) => [sum(total, -ensure('n of decrement(n)', n, finiteNumber)), undefined],
      read: (total) => [total, total],
    },
    readOnly: (method, [n]) => method === 'read' || n === 0 || n === 0n,
    family: {
      kind: 'counter',
      roles: { increment: 'increment', decrement: 'decrement', read: 'read' },
      initial: sum(initial, 0),
    },
    jepsen: [
      { f: 'add', method: 'increment', argument: 'optional', result: 'none' },
      { f: 'increment', argument: 'optional', result: 'none' },
      { f: 'decrement', argument: 'optional', result: 'none' },
      { f: 'read', argument: 'none', result: 'value' },
    ],
  };
}

/** The methods of a fetch-and-add counter. */
export interface FetchAndAdd {
  add(n: number | bigint): number | bigint;
  read(): number | bigint;
}

/**
 * Fetch-and-add: `add(n)` returns the previous value.
 *
 * @example
 * A |- add(5) -> 0 -|  |- read() -> 7 -|
 * B   |- add(2) -> 5 -|
 */
export function fetchAndAdd(options: CounterOptions = {}): Spec<FetchAndAdd, number | bigint> {
  const initial = ensure('initial of a fetch-and-add', options.initial ?? 0, finiteNumber);
  const sum = exactSum(initial);
  return {
    name: 'fetch-and-add',
    initial: sum(initial, 0),
    maxArguments: { add: 1, read: 0 },
    methods: {
      add: (total, n) => [sum(total, ensure('n of add(n)', n, finiteNumber)), total],
      read: (total) => [total, total],
    },
    readOnly: (method, [n]) => method === 'read' || n === 0 || n === 0n,
    family: { kind: 'fetch-and-add', roles: { add: 'add', read: 'read' }, initial: sum(initial, 0) },
    jepsen: [
      { f: 'add', argument: 'value', result: 'value' },
      { f: 'read', argument: 'none', result: 'value' },
    ],
  };
}
