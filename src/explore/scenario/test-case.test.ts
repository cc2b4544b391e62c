import { expect, test } from 'vitest';
import { evaluateInstrumented } from '../../../test/support/fixtures/instrumented.js';
import { AtomicRef } from '../../execution/primitives/atomic-ref.js';
import { currentThread } from '../../execution/primitives/locks.js';
import { symmetricThreads } from '../../instrument/instrumented-program.js';
import { exploreSync } from '../explore.js';
import { scenario } from './scenario.js';
import { reordered } from './test-case.js';

const [a, b, c] = [[['a']], [['b']], [['c', 1]]] as const;
const matrixOf = (...threads: readonly (readonly (readonly [string, ...unknown[]])[])[]) => ({
  threads,
  before: [],
  after: [],
});

test('each other order comes once', () => {
  const orders = reordered([matrixOf(a, a, b), matrixOf(a, a), matrixOf(a, b, c)], 100)!;
  expect(
    orders.map(({ threads }) =>
      threads
        .flat(2)
        .filter((one) => one !== 1)
        .join(''),
    ),
  ).toEqual(['aba', 'baa', 'acb', 'bac', 'bca', 'cab', 'cba']);
  expect(reordered([matrixOf(a, b, c)], 4)).toBeUndefined();
});

test('threads with equal calls are symmetric, unless arguments are objects', () => {
  expect(symmetricThreads([a, b, a, c, a, c])).toEqual([-1, -1, 0, -1, 2, 3]);
  expect(symmetricThreads([[['put', {}]], [['put', {}]]])).toEqual([-1, -1]);
});

/** Only the first thread's `touch` is wrong, and only beside an `inc`. */
const made = (who: string) => {
  Object.assign(globalThis, { AtomicRef, currentThread });
  const { make } = evaluateInstrumented(`declare const AtomicRef: any, currentThread: () => number;
class C { n = new AtomicRef(0);
  inc() { for (;;) { const n = this.n.get(); if (this.n.compareAndSet(n, n + 1)) return } }
  touch() { if (${who} !== 0) return; const n = this.n.get(); this.n.set(n) }
  get() { return this.n.get() } }
export const make = () => new C();`);
  const create = make as () => { inc(): void; touch(): void; get(): number };
  return scenario({
    create,
    calls: [['inc'], ['touch']],
    after: [['get']],
    threads: 2,
    callsPerThread: 1,
    backend: 'instrumented',
  });
};

test('an object that asks who calls is explored with threads in every order', () => {
  const { verdict, batches } = exploreSync(made('currentThread()'));
  expect(batches.map(({ choice, tests }) => [choice, tests.length])).toEqual([
    ['all', 2],
    ['all', 3],
    ['orders', 1],
  ]);
  expect(verdict).toBe('violation');
});

test('one that does not is not', () => {
  const { verdict, batches } = exploreSync(made('1'));
  expect(batches.map(({ choice, tests }) => [choice, tests.length])).toEqual([
    ['all', 2],
    ['all', 3],
  ]);
  expect(verdict).toBe('holds');
});
