/** The races that the engines find, compared with the definition in each state of all schedules. */
import { describe, expect, test } from 'vitest';
import { call, program } from '../../../test/support/fixtures/calls.js';
import { Random } from '../../base/random.js';
import { Execution } from '../../execution/execution.js';
import {
  ATOMIC_DATA,
  access,
  NO_DATA,
  PLAIN_DATA,
  READ,
  UPDATE,
  WRITE,
} from '../../execution/memory/access.js';
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
  readonly values: number[];
}

/** Accesses to data by name; `cas` stores if it finds its old value. */
const KINDS = { read: READ, write: WRITE, load: READ, store: WRITE, cas: UPDATE } as const;
type Verb = keyof typeof KINDS;
interface Deed {
  readonly verb: Verb;
  readonly place: number;
  readonly isLocked: boolean;
  readonly old: number;
  readonly value: number;
}

const isPlain = ({ verb }: Deed): boolean => verb === 'read' || verb === 'write';
const writes = ({ verb, place, old }: Deed, values: readonly number[]): boolean =>
  verb === 'cas' ? values[place] === old : verb === 'write' || verb === 'store';

/** Site to the access there; all sites differ. */
const deedAt: Deed[] = [];

function callOf(deeds: readonly Deed[]): Call<Shared> {
  const site = deedAt.length;
  deedAt.push(...deeds);
  return call('does', function* ({ lock, places, values }, memory) {
    for (const [i, deed] of deeds.entries()) {
      const { verb, place, isLocked, value } = deed;
      if (isLocked) yield* lock.$lock();
      memory.site = site + i;
      memory.data = isPlain(deed) ? PLAIN_DATA : ATOMIC_DATA;
      yield access(KINDS[verb], places[place]);
      memory.observe(values[place]);
      if (writes(deed, values)) values[place] = value;
      else memory.unchanged(places[place]);
      if (isLocked) yield* lock.$unlock();
    }
  });
}

function randomProgram(random: Random, verbs: readonly Verb[]): Program {
  const deed = (): Deed => ({
    verb: random.pick(verbs),
    place: random.below(2),
    isLocked: random.withProbability(40),
    old: random.below(3),
    value: 1 + random.below(2),
  });
  const threads = Array.from({ length: 2 + random.below(2) }, () =>
    Array.from({ length: 1 + random.below(2) }, () =>
      callOf(Array.from({ length: 1 + random.below(2) }, deed)),
    ),
  );
  const before = random.withProbability(30) ? [callOf([deed()])] : [];
  const create = () => ({ lock: new Mutex(), places: [900, 901], values: [0, 0] });
  return program<Shared>(create, threads, { before }) as Program;
}

const textsOf = (races: DataRaces): string[] =>
  races.all.map(([one, other]) => `${one.site},${other.site}`).sort();

function byDefinition(one: Program): string[] {
  const execution = new Execution(one);
  const found = new Set<string>();
  const tree = new ChoiceTree();
  do {
    execution.reset();
    for (let place = 0, enabled = execution.enabled(); enabled !== 0; enabled = execution.enabled()) {
      for (const race of racesIn(execution, enabled)) found.add(race);
      execution.step(tree.take(place++, enabled));
    }
  } while (tree.next());
  return [...found].sort();
}

/** Pairs of enabled accesses to one place, of which one would write and one is plain. */
function racesIn({ sites, data, object, threads }: Execution, enabled: number): string[] {
  const { values } = object as Shared;
  const next = Array.from({ length: threads }, (_, thread) => thread)
    .filter((thread) => enabled & (1 << thread) && data[thread] !== NO_DATA)
    .map((thread) => ({ site: sites[thread], deed: deedAt[sites[thread]] }))
    .sort((a, b) => a.site - b.site);
  return next.flatMap((a, i) =>
    next
      .slice(i + 1)
      .filter(({ deed }) => deed.place === a.deed.place && [deed, a.deed].some(isPlain))
      .filter(({ deed }) => writes(deed, values) || writes(a.deed, values))
      .map((b) => `${a.site},${b.site}`),
  );
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

const ALL = Object.keys(KINDS) as Verb[];

describe.each([
  ['plain accesses', 60, ['read', 'write']],
  ['plain and atomic accesses', 150, ALL],
  ['plain reads and atomic updates', 60, ['read', 'cas', 'cas']],
] as const)('random programs with %s', (_name, size, verbs) => {
  const random = new Random(7);
  const programs = Array.from({ length: size }, () => randomProgram(random, verbs));
  const expected = programs.map((one) => byDefinition(one));

  test('some have races and some have none', () => {
    const without = expected.filter((races) => races.length === 0).length;
    expect(without).toBeGreaterThan(size / 12);
    expect(without).toBeLessThan((size * 5) / 6);
  });

  test.each([
    ['states', byStates],
    ['classes', byClasses],
  ] as const)('by %s, exactly the races of all schedules are found', (_, engine) => {
    expect(programs.map((one) => byEngine(one, engine))).toEqual(expected);
  });
});
