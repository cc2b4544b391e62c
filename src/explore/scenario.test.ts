import { describe, expect, expectTypeOf, test } from 'vitest';
import { queue } from '../objects/index.js';
import { matricesOf } from './matrix.js';
import { type Scenario, scenario } from './scenario.js';

class Jobs {
  readonly list: number[] = [];
  add(job: number): void {
    this.list.push(job);
  }
  take(): number | undefined {
    return this.list.shift();
  }
}
const create = () => new Jobs();

describe('types', () => {
  test('calls are those of the object, of the spec, or of the methods that are given', () => {
    expectTypeOf(scenario({ create, calls: [['add', 1], ['take']] })).toEqualTypeOf<Scenario>();
    scenario({
      create,
      spec: queue<number>(),
      calls: [
        ['enqueue', 1],
        [['enqueue', 2], ['dequeue']],
        { method: 'enqueue', args: (random) => [random.below(3)] },
      ],
      methods: { enqueue: (jobs, job) => jobs.add(job), dequeue: (jobs) => jobs.take() ?? null },
    });
    scenario({
      create,
      methods: { addTwice: (jobs: Jobs, job: number) => [jobs.add(job), jobs.add(job)] },
      calls: [['addTwice', 1], ['take']],
    });
    // @ts-expect-error there is no such method
    scenario({ create, calls: [['put', 1]] });
    // @ts-expect-error a job is a number
    scenario({ create, calls: [['add', 'one']] });
    // @ts-expect-error the spec has no such method
    scenario({ create, spec: queue<number>(), calls: [['add', 1]] });
  });
});

describe('what is no scenario is refused', () => {
  const loose = scenario as unknown as (given: object) => Scenario;
  test.each([
    [{ calls: [['add']] }, 'a scenario has no `create`'],
    [{ create }, 'neither `calls` nor `test`'],
    [{ create, calls: ['add'] }, '"add" is no call; expected a method and its arguments'],
    [{ create, calls: [[['add', 1], 'take']] }, '"take" is no call'],
    [{ create, calls: [['take']], threads: 0 }, '`threads` of a scenario is 0'],
    [{ create, test: [[['take']], ['take']] }, '"take" is no call'],
  ])('%j', (given, message) => {
    expect(() => loose(given)).toThrow(message);
  });
});

describe('matrices', () => {
  const options = { seed: 1, samples: 30 };
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

  test('are the same for the same seed, and others for another', () => {
    expect(matricesOf(made, options)).toEqual(matricesOf(made, options));
    expect(matricesOf(made, options)).not.toEqual(matricesOf(made, { ...options, seed: 2 }));
  });

  test('are different from each other, and as large as asked for', () => {
    const matrices = matricesOf(made, options);
    const keys = matrices.map(({ threads }) =>
      JSON.stringify(threads.map((calls) => JSON.stringify(calls)).sort()),
    );
    expect(new Set(keys).size).toBe(30);
    for (const { threads, before } of matrices) {
      expect(threads).toHaveLength(3);
      expect(before).toEqual([['add', 0]]);
      for (const calls of threads) expect(calls.length).toBeGreaterThanOrEqual(2);
    }
    expect(matricesOf(made, { ...options, threads: 2, callsPerThread: 1 })[0].threads).toHaveLength(2);
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

  test('what only one thread may call, only one does', () => {
    const single = scenario({ create, calls: [['add', 1], ['take']], oneThread: ['add'] });
    const columns = matricesOf(single, options).flatMap(({ threads }) => threads.slice(1).flat());
    expect(columns.length).toBeGreaterThan(0);
    expect(columns.filter(([method]) => method === 'add')).toEqual([]);
  });

  test('one that is given is the only one', () => {
    const given = scenario({ create, test: [[['add', 1]], [['take']]] });
    expect(matricesOf(given, options).map(({ threads }) => threads)).toEqual([[[['add', 1]], [['take']]]]);
  });
});
