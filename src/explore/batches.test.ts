import { describe, expect, test } from 'vitest';
import { type BatchOptions, batchesOf } from './batches.js';
import { type Scenario, scenario } from './scenario/scenario.js';

class Jobs {
  add(_job: number): void {}
  take(): void {}
}
const create = () => new Jobs();
const options = { seed: 1, randomTests: 30 };
const matricesOf = (made: Scenario, own: BatchOptions) => Array.from(batchesOf(made, own))[0].tests;
const keysOf = (matrices: ReturnType<typeof matricesOf>): Set<string> =>
  new Set(
    matrices.map(({ threads }) => JSON.stringify(threads.map((calls) => JSON.stringify(calls)).sort())),
  );

describe('at random', () => {
  const made = scenario({
    create,
    calls: [
      ['add', 1],
      [['add', 2], ['take']],
      { method: 'add', args: (random) => [10 + random.below(5)], weight: 3 },
      ['take'],
    ],
    before: [['add', 0]],
    threads: 3,
    callsPerThread: 2,
  });

  test('tests are the same for the same seed, and others for another', () => {
    expect(matricesOf(made, options)).toEqual(matricesOf(made, options));
    expect(matricesOf(made, options)).not.toEqual(matricesOf(made, { ...options, seed: 2 }));
  });

  test('tests are distinct, and have the requested size', () => {
    const matrices = matricesOf(made, options);
    expect(keysOf(matrices).size).toBe(30);
    for (const { threads, before } of matrices) {
      expect(threads).toHaveLength(3);
      expect(before).toEqual([['add', 0]]);
      for (const calls of threads) expect(calls.length).toBeGreaterThanOrEqual(2);
    }
    expect(matricesOf(made, { ...options, threads: 2, callsPerThread: 1 })[0].threads).toHaveLength(2);
  });

  test('tests differ if long arguments differ only at the end', () => {
    const long = 'x'.repeat(100);
    const texts = scenario({
      create: () => ({ put(_text: string) {} }),
      calls: [
        ['put', `${long}a`],
        ['put', `${long}b`],
      ],
      threads: 1,
      callsPerThread: 1,
    });
    expect(matricesOf(texts, options)).toHaveLength(2);
  });

  test('a sequence is kept together', () => {
    for (const { threads } of matricesOf(made, options))
      for (const calls of threads)
        calls.forEach((call, i) => {
          if (call[0] === 'add' && call[1] === 2) expect(calls[i + 1]).toEqual(['take']);
        });
  });

  test('there may be fewer than were asked for', () => {
    expect(matricesOf(scenario({ create, calls: [['take']] }), options)).toHaveLength(1);
  });

  test('only the first thread calls a method in oneThread', () => {
    const single = scenario({ create, calls: [['add', 1], ['take']], oneThread: ['add'] });
    const columns = matricesOf(single, options).flatMap(({ threads }) => threads.slice(1).flat());
    expect(columns.length).toBeGreaterThan(0);
    expect(columns.filter(([method]) => method === 'add')).toEqual([]);
  });
});

test('a test in the scenario is the only test', () => {
  const given = scenario({ create, test: [[['add', 1]], [['take']]] });
  expect(Array.from(batchesOf(given, { seed: 1 }))).toMatchObject([
    { choice: 'given', tests: [{ threads: [[['add', 1]], [['take']]] }] },
  ]);
});

describe('all of a size, small sizes first', () => {
  const sizes = (made: Scenario, own: Partial<BatchOptions> = {}) =>
    Array.from(
      batchesOf(made, { seed: 1, ...own }),
      ({ choice, threads, callsPerThread, tests, isRequired, isTooLarge }) =>
        `${choice} ${threads}x${callsPerThread}: ${isTooLarge ? 'too many' : tests.length}${isRequired ? ', required' : ''}`,
    );

  test('up to the full size', () => {
    // c columns for a threads: (c + a - 1) over a
    expect(sizes(scenario({ create, calls: [['add', 1], ['add', 2], ['take']] }))).toEqual([
      'all 1x1: 3, required',
      'all 2x1: 6, required',
      'all 3x1: 10',
      'all 2x2: 45, required',
      'all 2x3: 378',
      'all 3x2: 165',
      'all 3x3: 3654',
      'random 3x3: 100',
    ]);
  });

  test('or until there are too many', () => {
    const calls = Array.from({ length: 12 }, (_, i) => ['add', i] as const);
    expect(sizes(scenario({ create, calls }))).toEqual([
      'all 1x1: 12, required',
      'all 2x1: 78, required',
      'all 3x1: 364',
      'all 2x2: too many, required',
      'random 3x3: 100',
    ]);
  });

  test('no two are the same but for the order of their columns, also where one thread is special', () => {
    for (const oneThread of [[], ['add']] as const)
      for (const { choice, tests } of batchesOf(
        scenario({ create, calls: [['add', 1], ['add', 2], ['take']], oneThread }),
        { seed: 1, threads: 2 },
      )) {
        if (choice === 'random') continue;
        expect(keysOf(tests).size).toBe(tests.length);
        for (const { threads } of tests)
          if (oneThread.length > 0)
            expect(threads.filter((calls) => calls.some(([method]) => method === 'add')).length).toBeLessThan(
              2,
            );
      }
  });

  test('of arguments that are made up there are two', () => {
    const made = scenario({
      create,
      calls: [{ method: 'add', args: (random) => [random.below(1_000)] }],
      threads: 2,
      callsPerThread: 1,
    });
    expect(sizes(made).slice(0, 2)).toEqual(['all 1x1: 2, required', 'all 2x1: 3, required']);
    expect(Array.from(batchesOf(made, { seed: 1 }))).toEqual(Array.from(batchesOf(made, { seed: 1 })));
  });
});
