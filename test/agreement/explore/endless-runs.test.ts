/**
 * Runs that never end, in the stateful search of asynchronous code: a loop that waits is no proof that a call waits forever.
 *
 * Only fair runs count, in which every client makes its calls, and every timer and answer comes (endless-runs.ts). A table of shapes says
 * for each kind of wait what has to be found. Random programs are run by a scheduler that is fair with probability 1: if one of its
 * runs does not end, the search must not claim to have covered everything.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { control } from '../../../src/event-loop/control.js';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { Outcomes } from '../../../src/execution/outcomes.js';
import { SharedStates } from '../../../src/explore/async/client-names.js';
import { AsyncRun } from '../../../src/explore/async/run.js';
import { AsyncStates } from '../../../src/explore/async/stateful.js';
import { programIn } from '../../support/fixtures/async-program.js';
import { share } from '../../support/share.js';

const WAITS = {
  'a timer': 'await new Promise((resolve) => setTimeout(resolve, 1));',
  'an immediate': 'await new Promise((resolve) => setImmediate(resolve));',
  'an answer': 'await ask();',
  'a retry': 'try { await ask().then(() => { throw new Error(); }); } catch {}',
};
type Wait = keyof typeof WAITS;

interface Shape {
  /** W waits once. */
  readonly code: string;
  readonly threads: readonly (readonly string[])[];
  /** What is found: every run ends, only unfair runs do not, or a fair one does not. */
  readonly found: 'ends' | 'unfair' | 'endless' | Readonly<Record<Wait, 'ends' | 'unfair' | 'endless'>>;
}

const LOCK =
  'locked = false; async lock() { while (this.locked) { W } this.locked = true; } unlock() { this.locked = false; }';
const CROWD =
  'n = 0; free = false; async enter() { this.n++; W while (this.n > 1 && !this.free) { W } this.n--; }';

const SHAPES: Readonly<Record<string, Shape>> = {
  'a lock that is polled while its holder can release it': {
    code: LOCK,
    threads: [
      ['lock', 'unlock'],
      ['lock', 'unlock'],
    ],
    found: 'unfair',
  },
  'a lock that is never released': { code: LOCK, threads: [['lock'], ['lock', 'unlock']], found: 'endless' },
  'a loop until the answer of another call': {
    code: 'busy = false; async one() { this.busy = true; await ask(); this.busy = false; } async two() { while (this.busy) { W } }',
    threads: [['one'], ['two']],
    found: 'unfair',
  },
  'a loop until a timer of another call': {
    code: 'busy = false; async one() { this.busy = true; await new Promise((r) => setTimeout(r, 3)); this.busy = false; } async two() { while (this.busy) { W } }',
    threads: [['one'], ['two']],
    found: { 'a timer': 'ends', 'an immediate': 'unfair', 'an answer': 'unfair', 'a retry': 'unfair' },
  },
  'two calls that wait for each other to leave': {
    code: CROWD,
    threads: [['enter'], ['enter']],
    found: 'endless',
  },
  'the same, beside a call without effect': {
    code: `${CROWD} get() {}`,
    threads: [['enter'], ['enter'], ['get']],
    found: 'endless',
  },
  'the same, until a third client helps': {
    code: `${CROWD} help() { this.free = true; }`,
    threads: [['enter'], ['enter'], ['help']],
    found: 'unfair',
  },
  'two calls that give way to each other': {
    code: 'wants = {}; async go(own, other) { for (;;) { this.wants[own] = true; W if (!this.wants[other]) break; this.wants[own] = false; W } this.wants[own] = false; } a() { return this.go("a", "b"); } b() { return this.go("b", "a"); }',
    threads: [['a'], ['b']],
    // Node keeps the order of timers and of immediates, but answers may come in any order
    found: { 'a timer': 'ends', 'an immediate': 'ends', 'an answer': 'endless', 'a retry': 'endless' },
  },
  'a loop that ends': {
    code: 'n = 0; async up() { for (let i = 0; i < 3; i++) { W } this.n++; }',
    threads: [['up'], ['up']],
    found: 'ends',
  },
};

const codeOf = (body: string, wait: string): string =>
  `export const ask = async () => 0;
export const make = ({ ask }) => new (class { ${body.replaceAll(/\bW\b/g, wait)} })();`;

function search(code: string, threads: readonly (readonly string[])[], most = 2_000) {
  const run = new AsyncRun(programIn(code, threads, true, 0), new Outcomes());
  const judge = { scope: 'exploration', memoryIn: () => '' } as const;
  const engine = new AsyncStates(run, () => undefined, judge, new SharedStates(false));
  while (engine.advance(1_000) !== 'done') if (engine.stats.executions > most) return undefined;
  expect(engine.declined, code).toBeUndefined();
  return { engine, run };
}

const foundBy = ({ hasEndlessRun, coverage, isOnlyFair }: AsyncStates): string => {
  if (hasEndlessRun || coverage === undefined) return 'endless';
  return isOnlyFair ? 'unfair' : 'ends';
};

describe.each(Object.entries(SHAPES))('%s', (_, { code, threads, found }) => {
  test.each(Object.entries(WAITS))('with %s', async (name, wait) => {
    control();
    await inOwnTask(() => {
      const { engine, run } = search(codeOf(code, wait), threads)!;
      expect(foundBy(engine)).toBe(typeof found === 'string' ? found : found[name as Wait]);
      // the run that is shown reaches the limit of macrotasks
      expect(run.firstAbandoned !== undefined).toBe(engine.hasEndlessRun);
    });
  });
});

const PROGRAMS = share(3_000, 100);
/** Runs of the fair scheduler, and macrotasks after which one counts as endless. */
const RUNS = 40;
const LONG = 400;

const LINES = [
  'this.a = 0;',
  'this.a = 1 - this.a;',
  'this.b = this.a;',
  'W',
  'while (this.a === 1) { W }',
  'while (this.a !== this.b) { W }',
  'while (this.a === 0) { this.b = 1; W }',
  'this.a = 1; W this.a = 0;',
  'this.a = 1; await ask(); this.a = 0;',
  'this.b = 1; await ask(); await ask(); this.b = 0;',
  'for (let i = 0; i < 9 && this.b === 1; i++) { W }',
  'if (this.a === 1) { await ask(); }',
];

function spinning(random: Random): string {
  const methods = ['one', 'two', 'three'].map((name) => {
    const lines = Array.from({ length: 1 + random.below(3) }, () =>
      random.pick(LINES).replaceAll(/\bW\b/g, () => random.pick(Object.values(WAITS))),
    );
    return `async ${name}() { ${lines.join(' ')} }`;
  });
  return codeOf(`a = 0; b = 0; ${methods.join(' ')}`, '');
}

const TESTS = [
  [['one'], ['two']],
  [['one'], ['one']],
  [['one', 'three'], ['two']],
  [['one'], ['two'], ['three']],
];

test('a random program is covered only if no fair run of it is endless', async () => {
  control();
  const random = new Random(23);
  const found = { ends: 0, unfair: 0, endless: 0 };
  let shown = 0;
  for (let i = 0; i < PROGRAMS; i++) {
    const code = spinning(random);
    const threads = random.pick(TESTS);
    await inOwnTask(() => {
      const fair = new AsyncRun(programIn(code, threads, false, 0), new Outcomes());
      fair.maxTasks = LONG;
      let isEndless = false;
      for (let k = 0; k < RUNS && !isEndless; k++)
        isEndless = fair.run((ways) => random.below(ways)) === 'unfinished';
      const result = search(code, threads);
      if (result === undefined) return;
      const kind = foundBy(result.engine) as keyof typeof found;
      found[kind]++;
      if (isEndless) expect(kind, `program ${i}: ${threads.join(' | ')} of ${code}`).toBe('endless');
      if (isEndless) shown++;
      if (kind === 'endless') expect(result.run.firstAbandoned).toBeDefined();
    });
  }
  for (const count of [...Object.values(found), shown]) expect(count).toBeGreaterThan(PROGRAMS / 20);
}, 600_000);
