/** A semaphore: so many permits, taken and given back; who finds too few waits. The state is how many are left. */
import { blocked, returns, type Spec } from '../../spec/spec.js';
import { count, demand } from '../common/parameters.js';

export interface Semaphore {
  acquire(n?: number): void;
  /** Anyone may give permits, also ones that nobody took. */
  release(n?: number): void;
  tryAcquire(n?: number): boolean;
}

export interface SemaphoreOptions {
  /** How many there are at first; 1 unless told. */
  readonly permits?: number;
}

export function semaphore(options: SemaphoreOptions = {}): Spec<Semaphore, number> {
  const initial = demand('the permits of a semaphore', options.permits ?? 1, count);
  return {
    name: 'semaphore',
    initial,
    methods: {
      acquire: (permits, n = 1) =>
        demand('n of acquire(n)', n, count) > permits ? blocked : [permits - n, undefined],
      release: (permits, n = 1) => [permits + demand('n of release(n)', n, count), undefined],
      tryAcquire: (permits, n = 1) =>
        demand('n of tryAcquire(n)', n, count) > permits ? [permits, false] : [permits - n, true],
    },
    readOnly: (_method, [n], outcome) => n === 0 || returns(outcome, false),
    family: {
      kind: 'semaphore',
      roles: { acquire: 'acquire', release: 'release', tryAcquire: 'tryAcquire' },
      initial,
    },
  };
}
