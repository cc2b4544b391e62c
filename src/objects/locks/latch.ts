/** A latch: it counts down to 0 and stays there; who waits goes on then. The state is the count. */
import { blocked, type Spec } from '../../spec/spec.js';
import { count, demand } from '../common/parameters.js';

export interface Latch {
  /** Counts down by n, but not below 0. */
  signal(n?: number): void;
  wait(): void;
  count(): number;
}

export interface LatchOptions {
  /** Where it starts; 1 unless told. */
  readonly count?: number;
}

export function latch(options: LatchOptions = {}): Spec<Latch, number> {
  return {
    name: 'latch',
    initial: demand('the count of a latch', options.count ?? 1, count),
    methods: {
      signal: (left, n = 1) => [Math.max(0, left - demand('n of signal(n)', n, count)), undefined],
      wait: (left) => (left === 0 ? [left, undefined] : blocked),
      count: (left) => [left, left],
    },
    readOnly: (method, [n]) => method === 'wait' || method === 'count' || n === 0,
    family: { kind: 'latch', roles: { signal: 'signal', wait: 'wait', count: 'count' } },
  };
}
