/** Monitors on long concurrent histories: witnesses are verified; histories with a corrupted result are compared with a search. */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { check } from '../../../src/check/check.js';
import { verifyWitness } from '../../../src/check/verify-witness.js';
import type { History } from '../../../src/history/history.js';
import { counter, fetchAndAdd } from '../../../src/objects/cells/counter.js';
import { multiset, set } from '../../../src/objects/collections/set.js';
import { mutex, ownedMutex, semaphore } from '../../../src/objects/locks/mutex.js';
import { blocked, type Spec } from '../../../src/spec/spec.js';
import { type Run, simulate, withCorruptedResult } from '../../support/generators/simulated.js';

const key = (random: Random): string => random.pick(['a', 'b', 'c', 'd']);
const bag = multiset<string>({ initial: ['a', 'a', 'b', 'b'] });
/** A multiset whose `remove` blocks while the item is absent. */
const blockingBag = {
  ...bag,
  methods: {
    ...bag.methods,
    remove: (counts: ReadonlyMap<string, number>, item: string) =>
      counts.has(item) ? bag.methods.remove(counts, item) : blocked,
  },
} as unknown as Spec;

/** `runs` is the spec that generates the history, if it differs from the checked spec. */
const RUNS: Readonly<Record<string, Pick<Run, 'spec' | 'draw'> & { readonly runs?: Spec }>> = {
  set: {
    spec: set({ initial: ['b'] }) as Spec,
    draw: (random) => [random.pick(['add', 'remove', 'contains']), key(random)],
  },
  multiset: {
    spec: bag as Spec,
    runs: blockingBag,
    draw: (random) => [random.withProbability(60) ? 'add' : 'remove', random.pick(['a', 'b'])],
  },
  counter: {
    spec: counter({ initial: -5 }) as Spec,
    draw: (random) => (random.withProbability(50) ? ['increment', 3] : ['read']),
  },
  'fetch-and-add': {
    spec: fetchAndAdd() as Spec,
    draw: (random) => (random.withProbability(80) ? ['add', 1] : ['read']),
  },
  mutex: { spec: mutex() as Spec, draw: (random) => [random.pick(['tryLock', 'unlock'])] },
  'owned mutex': {
    spec: ownedMutex() as Spec,
    draw: (random, process) => [random.pick(['tryLock', 'unlock', 'unlock']), process],
  },
  semaphore: {
    spec: semaphore({ permits: 3 }) as Spec,
    draw: (random) => [random.withProbability(55) ? 'release' : 'acquire', random.below(3)],
  },
};

const monitor = (history: History, spec: Spec) => check(history, spec, { algorithm: 'monitor' });

describe.each(Object.entries(RUNS))('%s', (_, { spec, runs = spec, draw }) => {
  test('5,000 operations have a witness that is verified', () => {
    const history = simulate(
      { spec: runs, draw, operations: 5_000, processes: 8, crashes: 2 },
      new Random(1),
    );
    const verdict = monitor(history, spec);
    expect(verdict.kind).toBe('linearizable');
    if (verdict.kind === 'linearizable')
      expect(verifyWitness(history, spec, verdict.witness)).toBeUndefined();
  });

  test('a history with a corrupted result gets the verdict of a search', () => {
    const kinds = Array.from({ length: 20 }, (_, seed) => {
      const random = new Random(seed + 1);
      const run = simulate({ spec: runs, draw, operations: 150, processes: 3 }, random);
      const history = withCorruptedResult(run, random);
      const { kind } = monitor(history, spec);
      expect(kind).toBe(check(history, spec, { algorithm: 'search' }).kind);
      return kind;
    });
    expect(new Set(kinds)).toEqual(new Set(['linearizable', 'violation']));
  });
});
