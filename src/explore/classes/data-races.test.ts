/** The races that the engines find, compared with those of all schedules. */
import { describe, expect, test } from 'vitest';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { Random } from '../../base/random.js';
import { Execution } from '../../execution/execution.js';
import { access, READ, WRITE } from '../../execution/memory/access.js';
import { Mutex } from '../../execution/primitives/locks.js';
import type { Call, Program } from '../../execution/program.js';
import { byClasses, byStates } from '../engines/engines.js';
import { LearnedAutomaton, LearnedRuns } from '../learning/learned-runs.js';
import { SequentialRuns } from '../learning/sequential-runs.js';
import { ChoiceTree } from '../model/engine.js';
import { DataRaces } from './data-races.js';

interface Shared {
  readonly lock: Mutex;
  readonly places: readonly number[];
}
type Deed = readonly ['read' | 'write', place: number, isLocked: boolean];

const CALLS = 3;

function callOf(deeds: readonly Deed[], site: number): Call<Shared> {
  return call('does', function* ({ lock, places }, memory) {
    for (const [i, [what, place, isLocked]] of deeds.entries()) {
      if (isLocked) yield* lock.$lock();
      memory.site = site + i;
      memory.isPlain = true;
      yield access(what === 'read' ? READ : WRITE, places[place]);
      memory.observe(undefined);
      if (isLocked) yield* lock.$unlock();
    }
  });
}

function randomProgram(random: Random): Program {
  const deed = (): Deed => [random.pick(['read', 'write']), random.below(2), random.withProbability(50)];
  const threads = Array.from({ length: 2 + random.below(2) }, (_, thread) =>
    Array.from({ length: 1 + random.below(2) }, (__, k) =>
      callOf(Array.from({ length: 1 + random.below(2) }, deed), 100 * (CALLS * thread + k + 1)),
    ),
  );
  const before = random.withProbability(30) ? [callOf([deed()], 1)] : [];
  return program<Shared>(() => ({ lock: new Mutex(), places: [900, 901] }), threads, { before }) as Program;
}

const textsOf = (races: DataRaces): string[] => races.all.map(({ sites }) => sites.join()).sort();

function byAllSchedules(one: Program): string[] {
  const execution = new Execution(one);
  const races = new DataRaces(execution);
  const tree = new ChoiceTree();
  do {
    execution.reset();
    for (let place = 0, enabled = execution.enabled(); enabled !== 0; enabled = execution.enabled())
      execution.step(tree.take(place++, enabled));
  } while (tree.next());
  return textsOf(races);
}

function byEngine(one: Program, engine: typeof byStates): string[] {
  const execution = new Execution(one);
  const trie = new LearnedRuns(execution.calls.length);
  new SequentialRuns(execution, trie).advance(Number.POSITIVE_INFINITY);
  const races = new DataRaces(execution);
  const own = engine(execution, new LearnedAutomaton(trie));
  while (own.advance(10_000) !== 'done');
  return textsOf(races);
}

describe('random programs', () => {
  const random = new Random(7);
  const programs = Array.from({ length: 60 }, () => randomProgram(random));
  const expected = programs.map(byAllSchedules);

  test('some have races and some have none', () => {
    const without = expected.filter((races) => races.length === 0).length;
    expect(without).toBeGreaterThan(5);
    expect(without).toBeLessThan(50);
  });

  test.each([
    ['states', byStates],
    ['classes', byClasses],
  ] as const)('by %s, exactly the races of all schedules are found', (_, engine) => {
    expect(programs.map((one) => byEngine(one, engine))).toEqual(expected);
  });
});
