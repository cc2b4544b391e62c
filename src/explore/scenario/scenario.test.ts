import { describe, expect, expectTypeOf, test } from 'vitest';
import { queue } from '../../objects/collections/container.js';
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
  ])('%j', (given, message) => {
    expect(() => loose(given)).toThrow(message);
  });
});
