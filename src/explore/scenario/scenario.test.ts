import { describe, expect, expectTypeOf, test } from 'vitest';
import { result } from '../../base/values/result-reference.js';
import { queue } from '../../objects/collections/container.js';
import { exclusive } from '../../objects/locks/mutex.js';
import { backendFor } from '../choose-backend.js';
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

describe('results of earlier calls', () => {
  class Pool {
    async take(): Promise<{ id: number } | undefined> {
      return { id: 1 };
    }
    async give(_connection: { id: number }): Promise<void> {}
    async size(): Promise<number> {
      return 1;
    }
    async lock(): Promise<(force?: boolean) => void> {
      return () => {};
    }
    async open(_key: string): Promise<{ release(): void; renew(ms: number): Promise<boolean> }> {
      return { release: () => {}, renew: async () => true };
    }
  }
  const pool = { create: () => new Pool() };

  test('are arguments, functions, or objects with methods, with inferred types', () => {
    const calls = [
      [['take'], ['give', result('take')]],
      [['lock'], [result('lock'), true]],
      [
        ['open', 'k'],
        [result('open'), 'renew', 5],
        [result('open'), 'release'],
      ],
    ] as const;
    expect(scenario({ ...pool, calls }).calls).toEqual([
      [['take'], ['give', result('take')]],
      [['lock'], ["result('lock')", true]],
      [['open', 'k'], ["result('open').renew", 5], ["result('open').release"]],
    ]);
    const methods = { lend: async (_pool: Pool) => new Date(), until: (_pool: Pool, _date: Date) => {} };
    scenario({ ...pool, methods, test: [[['lend'], ['until', result('lend')]]] });
    scenario({ ...pool, spec: exclusive({ take: 'take', give: ['give', 0] }), calls });
    // @ts-expect-error a size is no connection
    scenario({ ...pool, test: [[['size'], ['give', result('size')]]] });
    const open = ['open', 'k'] as const;
    // @ts-expect-error the handle has no such method
    scenario({ ...pool, test: [[open, [result('open'), 'close']]] });
    // @ts-expect-error time is a number
    scenario({ ...pool, test: [[open, [result('open'), 'renew', 'x']]] });
    // @ts-expect-error a connection cannot be called
    scenario({ ...pool, test: [[['take'], [result('take')]]] });
  });

  const loose = scenario as unknown as (given: object) => Scenario;
  test.each([
    [{ test: [[['give', result('take')]]] }, 'uses a result before there is one'],
    [{ test: [[['take']], [['give', result('take')]]] }, 'uses a result before there is one'],
    [{ calls: [['take'], ['give', result('take')]] }, 'uses a result before there is one'],
    [{ test: [[['take'], ['give', result('take')]]], spec: queue() }, "result('take') beside a spec"],
  ])('are refused where there are none: %j', (given, message) => {
    expect(() => loose({ ...pool, ...given })).toThrow(message);
  });

  test.each(['instrumented', 'threads'] as const)('are refused on the back end %s', (backend) => {
    const given = scenario({ ...pool, backend, test: [[['take'], ['give', result('take')]]] });
    expect(() => backendFor(given, { threads: given.test!, before: [], after: [] })).toThrow(
      '`result()` and `exclusive()` apply to asynchronous code',
    );
  });
});

describe('what is no scenario is refused', () => {
  const loose = scenario as unknown as (given: object) => Scenario;
  test.each([
    [{ calls: [['add']] }, 'a scenario has no `create`'],
    [{ create, call: [['add', 1]] }, 'a scenario has no field "call"; did you mean `calls`?'],
    [
      { create, calls: [['take']], size: 2 },
      'a scenario has no field "size"; expected create, validate, name,',
    ],
    [{ create }, 'neither `calls` nor `test`'],
    [{ create, calls: ['add'] }, '"add" is no call; expected a method and its arguments'],
    [{ create, calls: [[['add', 1], 'take']] }, '"take" is no call'],
    [{ create, calls: [['take']], threads: 0 }, '`threads` of a scenario is 0'],
    [{ create, test: [[['take']], ['take']] }, '"take" is no call'],
    ...[
      [null, 'it is null'],
      ['queue', 'it is "queue"'],
      [[], 'it has no "name"'],
      [{}, 'it has no "name"'],
      [{ name: 'x' }, 'it has no "initial" state'],
      [{ name: 'x', initial: 0 }, 'it has no "methods"'],
      [{ name: 'x', initial: 0, pairs: {} }, 'it has no "methods"'],
      [{ name: 'x', initial: 0, methods: {} }, 'its "methods" are empty'],
      [{ name: 'x', initial: 0, methods: { take: 1 } }, 'have "take", which is not a function'],
      [{ name: 'x', initial: 0, rendezvous: null }, 'it has no "rendezvous"'],
    ].map(([spec, problem]): [object, string] => [{ create, calls: [['take']], spec }, problem as string]),
  ])('%j', (given, message) => {
    expect(() => loose(given)).toThrow(message);
  });
});
