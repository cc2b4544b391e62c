/** Proofs for any number of calls: on known objects, against bounded tests, in two orders of search, and against brute force. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { evaluateInstrumented } from '../../../test/support/fixtures/instrumented.js';
import { isLinearizable } from '../../../test/support/oracles/oracle.js';
import { share } from '../../../test/support/share.js';
import * as explorer from '../../api/explore.js';
import * as straightedge from '../../api/index.js';
import { Random } from '../../base/random.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { loadInstrumented } from '../../instrument/load.js';
import { mutex } from '../../objects/locks/mutex.js';
import type { Spec } from '../../spec/spec.js';
import { exploreSync } from '../explore.js';
import { lineUp } from '../line-up.js';
import { Deadline } from '../model/deadline.js';
import { type Scenario, scenario } from '../scenario/scenario.js';
import { type Proof, type ProveSetup, prove } from './prove.js';

const MODULES = { straightedge, 'straightedge/explore': explorer };
const NEVER = new Deadline(Number.POSITIVE_INFINITY);

const scenariosIn = (file: string): Record<string, Scenario> =>
  loadInstrumented(
    fileURLToPath(new URL(`../../../papers/proofs/scenarios/${file}.scenario.ts`, import.meta.url)),
    { modules: MODULES },
  ) as Record<string, Scenario>;

const locks = scenariosIn('locks');
const waiting = scenariosIn('waiting');
const containers = scenariosIn('containers');

/** Too many states for a test of every push. */
const isLarge = (name: string): boolean => /Queue|ticketRing|poolStack/.test(name) && share(0, 1) === 1;

const proofOf = (given: Scenario, options: Partial<ProveSetup> = {}): Proof =>
  prove(given, { seed: 1, ...given.prove, ...options }, NEVER);

/** What a proof came to, in a word. */
const wordOf = ({ isProved, counterexample }: Proof): string =>
  isProved ? 'proved' : (counterexample?.kind ?? 'open');

describe('data races', () => {
  const BODIES = {
    'plain read': 'return this.cell[0]',
    'plain write': 'this.cell[0] = 1',
    load: 'return Atomics.load(this.cell, 0)',
    store: 'Atomics.store(this.cell, 0, 1)',
    'compare-and-set': 'return Atomics.compareExchange(this.cell, 0, 0, 1)',
    'compare-and-set that fails': 'return Atomics.compareExchange(this.cell, 0, 7, 1)',
    'locked write':
      'while (Atomics.compareExchange(this.cell, 1, 0, 1) === 1); this.cell[0] = 1; Atomics.store(this.cell, 1, 0)',
  };
  type Name = keyof typeof BODIES;
  const RACING: readonly Name[] = ['plain write', 'store', 'compare-and-set', 'locked write'];
  const isPlain = (name: Name) => name === 'plain read' || name.endsWith(' write');

  const scenarioOf = (one: Name, other: Name): Scenario => {
    const { Words } =
      evaluateInstrumented(`export class Words { cell = new Int32Array(new SharedArrayBuffer(8));
  one() { ${BODIES[one]} }
  other() { ${BODIES[other]} }
}`) as { Words: new () => object };
    const calls = [['one'], ['other']] as never;
    return scenario({ backend: 'instrumented', create: () => new Words(), calls, threads: 2 });
  };
  const linesOf = ({ races }: Pick<Proof, 'races'>): string[] =>
    [...new Set(races.map(({ places }) => String(places.map(({ line }) => line).sort())))].sort();

  const names = Object.keys(BODIES) as Name[];
  test.each(names.flatMap((one, i) => names.slice(i).map((other) => [one, other] as const)))(
    'of a %s and a %s: a proof finds those of bounded tests',
    (one, other) => {
      const given = scenarioOf(one, other);
      const expected = [
        [one, other],
        [one, one],
        [other, other],
      ].map(
        ([a, b]) =>
          [a, b].some((name) => isPlain(name)) &&
          [a, b].some((name) => RACING.includes(name)) &&
          !(a === b && a === 'locked write'),
      );
      const lines = ['2,3', '2,2', '3,3'].filter((_, i) => expected[i]).sort();
      // one lock serves both methods
      const right = one === other && one === 'locked write' ? [] : lines;
      expect(linesOf(proofOf(given))).toEqual(right);
      expect(linesOf(exploreSync({ ...given, callsPerThread: 2 }))).toEqual(right);
    },
  );

  test('the report of a proof and of a violation has them', () => {
    const proved = exploreSync(locks.petersonLock, { prove: true, threads: 2 });
    expect([proved.verdict, proved.proof?.isProved]).toEqual(['holds', true]);
    expect(linesOf(proved)).not.toEqual([]);
    const refuted = exploreSync(locks.turnFirstLock, { prove: true, threads: 2 });
    expect(refuted.verdict).toBe('violation');
    // the execution is that of the search, not a random one
    expect(refuted.results.flatMap(({ coverage }) => coverage)).toEqual([]);
    expect(refuted.proof).toMatchObject({ states: expect.any(Number), counterexample: { threads: 2 } });
    expect(linesOf(refuted)).not.toEqual([]);
  });
});

describe('known objects', () => {
  const words = (all: Record<string, Scenario>, names: readonly string[], threads: number) =>
    Object.fromEntries(names.map((name) => [name, wordOf(proofOf(all[name], { threads, lockFree: false }))]));

  test('locks by two threads', () => {
    expect(words(locks, Object.keys(locks), 2)).toEqual({
      spinLock: 'proved',
      testThenSetLock: 'outcome',
      ticketLock4: 'proved',
      ticketLock2: 'proved',
      futexLock: 'proved',
      forgetfulFutexLock: 'proved',
      lateFutexLock: 'wait',
      petersonLock: 'proved',
      turnFirstLock: 'outcome',
      filterLock2: 'proved',
      filterLock3: 'proved',
      leakyFilterLock3: 'proved',
      politeLock: 'wait',
    });
  });

  test('two faults need a third thread', () => {
    expect(words(locks, ['ticketLock4', 'ticketLock2', 'forgetfulFutexLock'], 3)).toEqual({
      ticketLock4: 'proved',
      ticketLock2: 'outcome',
      forgetfulFutexLock: 'wait',
    });
  });

  test('objects that wait, by two threads', () => {
    expect(words(waiting, Object.keys(waiting), 2)).toEqual({
      futexSemaphore: 'proved',
      forgetfulSemaphore: 'proved',
      spinReadWriteLock: 'proved',
      lossyReadWriteLock: 'outcome',
      futexReadWriteLock: 'proved',
      silentReadWriteLock: 'wait',
      countDownLatch: 'proved',
      lossyLatch: 'wait',
      manualEvent: 'proved',
      lateManualEvent: 'wait',
    });
  });

  test('containers of new objects, by two threads', () => {
    const names = Object.keys(containers).filter((name) => !/Queue|ticketRing|poolStack/.test(name));
    expect(words(containers, names, 2)).toEqual({
      spscRing: 'proved',
      indexFirstRing: 'outcome',
      sequenceFirstRing: 'outcome',
      tryRing: 'outcome',
      versionSeqlock: 'proved',
      uncheckedSeqlock: 'outcome',
      treiberStack: 'proved',
      doubleReadStack: 'outcome',
      untaggedPoolStack: 'outcome',
    });
  });

  test('a spec that is given has the same states as the one that is learned', () => {
    const given: Scenario = { ...locks.spinLock, spec: mutex() as unknown as Spec };
    expect(proofOf(given, { threads: 3 }).sizes).toEqual(proofOf(locks.spinLock, { threads: 3 }).sizes);
  });

  test('a stack is lock-free, a lock is not', () => {
    expect(proofOf(containers.treiberStack, { threads: 2, lockFree: true }).isProved).toBe(true);
    const spin = proofOf(locks.spinLock, { threads: 2, lockFree: true });
    expect(spin).toMatchObject({ isProved: false, problem: expect.stringContaining('not lock-free') });
  });
});

describe('agreement', () => {
  test('with bounded tests, wherever both decide', () => {
    for (const [name, given] of Object.entries({ ...locks, ...waiting, ...containers })) {
      if (isLarge(name)) continue;
      const proof = wordOf(proofOf(given, { threads: 2, lockFree: false }));
      const { verdict } = exploreSync(given, { threads: 2, callsPerThread: share(2, 1) });
      if (proof === 'proved') expect([name, verdict]).toEqual([name, 'holds']);
      if (verdict === 'violation') expect([name, proof]).not.toEqual([name, 'proved']);
    }
  }, 300_000);

  test('the number of states is the same breadth first and depth first, of all scenarios', () => {
    // depth first, the cost is quadratic; larger ones follow at night
    const maxStates = share(5_000, 1_200);
    const compared: string[] = [];
    for (const [name, given] of Object.entries({ ...locks, ...waiting, ...containers })) {
      const statesBy = (isDepthFirst: boolean) =>
        proofOf(given, { threads: 2, maxStates, isDepthFirst, lockFree: false });
      const { isProved, sizes } = statesBy(false);
      if (!isProved) continue;
      compared.push(name);
      expect([name, statesBy(true).sizes]).toEqual([name, [{ ...sizes[0], depth: expect.any(Number) }]]);
    }
    expect(compared).toContain('versionSeqlock');
    expect(compared.length).toBeGreaterThanOrEqual(17);
  });

  test('a counterexample is an ordinary failure, which runs again', () => {
    for (const given of [locks.testThenSetLock, locks.lateFutexLock, containers.uncheckedSeqlock]) {
      const { kind, test: calls, schedule } = proofOf(given, { threads: 2 }).counterexample!;
      expect(lineUp(given, calls, { seed: 1, schedule }, NEVER).violation?.kind).toBe(kind);
    }
  });

  test('an object that a thread has published belongs to its local state', () => {
    // in both orders the heap looks the same before `put` reads
    const { Slots } = evaluateInstrumented(`
      export class Slots {
        list = [{}, {}];
        put() { const own = {}; this.list[0] = own; return this.list[0] === own; }
        swap() { this.list.reverse(); }
      }`) as { Slots: new () => object };
    const create = () => new Slots();
    const given = scenario({ backend: 'instrumented', create, test: [[['swap']], [['put']]] as never });
    expect(exploreSync(given).verdict).toBe('violation');
    const all = scenario({ backend: 'instrumented', create, calls: [['put'], ['swap']] as never });
    expect(wordOf(proofOf(all, { threads: 2 }))).toBe('outcome');
  });
});

describe('nothing is claimed', () => {
  const refused: readonly (readonly [
    what: string,
    given: Scenario,
    options: Partial<ProveSetup>,
    problem: string,
  ])[] = [
    ['after a limit', locks.futexLock, { maxStates: 20 }, 'a limit was reached'],
    ['of one fixed test', { ...locks.spinLock, test: [[['lock']]] }, {}, 'fixes one test'],
    ['of a scenario with an end', { ...locks.spinLock, after: [['lock']] }, {}, 'follow the last call'],
    ['of async code', { ...locks.spinLock, backend: 'async' }, {}, 'not async code'],
    ['of real threads', { ...locks.spinLock, backend: 'threads' }, {}, 'real threads'],
    ['of a method without calls', locks.spinLock, { fresh: ['push'] }, 'no call of the scenario is push'],
  ];
  test.each(refused)('%s', (_, given, options, problem) => {
    const proof = proofOf(given, { threads: 2, ...options });
    expect(proof).toMatchObject({ isProved: false, sizes: [], problem: expect.stringContaining(problem) });
  });

  const of = (code: string, calls: unknown, more: object = {}): Scenario => {
    const { Thing } = evaluateInstrumented(code) as { Thing: new () => object };
    return scenario({ backend: 'instrumented', create: () => new Thing(), calls: calls as never, ...more });
  };

  test('if code looks into values', () => {
    for (const use of ['value + 1', 'value.size', "'' + value", '({ ...this, [value]: 1 })', 'value < 3']) {
      const given = of(`export class Thing { put(value) { return ${use}; } }`, [['put', 1]]);
      expect(proofOf(given, { threads: 2, fresh: ['put'] }).problem).toContain('looks into the values');
    }
  });

  test('if something grows; the report says what', () => {
    const counter = of('export class Thing { n = 0; next() { this.n = this.n + 1; } }', [['next']]);
    expect(proofOf(counter, { threads: 2, maxStates: 300 }).advice).toMatch(
      /number has grown from 0 to \d+ \(Thing.n\)/,
    );
    const array = of('export class Thing { list = []; add() { this.list.push(0); } }', [['add']]);
    const map = of('export class Thing { map = new Map(); n = 0; add() { this.map.set({}, 0); } }', [
      ['add'],
    ]);
    for (const [grows, name] of [
      [array, 'Array'],
      [map, 'Map'],
    ] as const) {
      const text = new RegExp(`^The contents grow: one ${name} has \\d+ elements\\. Try --max-elements 2`);
      expect(proofOf(grows, { threads: 2, maxStates: 300 }).advice).toMatch(text);
    }
    const finite = of(
      'export class Thing { a = 0; b = 0; c = 0; go() { this.a = 1 - this.a; this.b = this.a; this.c = this.b; } }',
      [['go']],
    );
    expect(proofOf(finite, { threads: 3, maxStates: 300 }).advice).toMatch(
      /^No object, number or value was found to grow\. After 128 and after 301 states there were \d+ and \d+ heaps, /,
    );
    const list = of('export class Thing { list = []; put(value) { this.list.push(value); } }', [['put', 1]]);
    expect(proofOf(list, { threads: 2, fresh: ['put'], maxStates: 100 }).advice).toContain('--max-elements');
  });

  test('of randomness and of state that cannot be read', () => {
    const random = of('export class Thing { roll() { return Math.random() < 0.5; } }', [['roll']]);
    expect(proofOf(random, { threads: 2 }).isProved).toBe(false);
    const weak = of('export class Thing { map = new WeakMap(); get() { return this.map.has(this); } }', [
      ['get'],
    ]);
    expect(proofOf(weak, { threads: 2 }).isProved).toBe(false);
  });

  test('and the exploration is undecided, unless a bounded test has a violation', () => {
    const { verdict, reason, proof } = exploreSync(locks.futexLock, {
      threads: 2,
      callsPerThread: 1,
      prove: { maxStates: 5 },
    });
    expect({ verdict, reason, isProved: proof?.isProved }).toEqual({
      verdict: 'undecided',
      reason: 'unproved',
      isProved: false,
    });
    expect(exploreSync(locks.spinLock, { threads: 2, prove: true }).verdict).toBe('holds');
    const failed = exploreSync(locks.testThenSetLock, { threads: 2, prove: true });
    expect([failed.verdict, failed.results.length]).toEqual(['violation', 1]);
  });
});

/*
 * Random small objects: two cells of three values, and methods of a few steps. Brute force runs every interleaving of every test with
 * up to six calls by two threads, in an interpreter of its own, and the oracle decides each history.
 */

type Step = readonly [kind: 'read' | 'write' | 'swap', cell: number];
type Script = readonly Step[];

const KINDS = ['read', 'write', 'swap'] as const;
const CELLS = 2;
const VALUES = 3;

const randomScript = (random: Random): Script =>
  Array.from({ length: 1 + random.below(3) }, () => [random.pick(KINDS), random.below(CELLS)]);

/** Interprets a step: the cells and the register after it. */
function interpret([kind, cell]: Step, cells: readonly number[], own: number): [readonly number[], number] {
  if (kind === 'read') return [cells, cells[cell]];
  if (kind === 'write') return [cells.with(cell, (own + 1) % VALUES), own];
  return [cells.with(cell, own), cells[cell]];
}

const CODE: Readonly<Record<Step[0], (cell: number) => string>> = {
  read: (cell) => `own = Atomics.load(this.cells, ${cell});`,
  write: (cell) => `Atomics.store(this.cells, ${cell}, (own + 1) % ${VALUES});`,
  swap: (cell) => `own = Atomics.exchange(this.cells, ${cell}, own);`,
};

const sourceOf = (scripts: readonly Script[]): string => `
  export class Thing {
    cells = new Int32Array(new SharedArrayBuffer(${4 * CELLS}));
    ${scripts.map((script, i) => `m${i}() { let own = 0; ${script.map(([kind, cell]) => CODE[kind](cell)).join(' ')} return own; }`).join('\n    ')}
  }`;

/** Does a test with this many calls per thread have a history that is not linearizable? */
function bruteForce(scripts: readonly Script[], callsPerThread: number): boolean {
  const spec: Spec = {
    name: 'scripts',
    initial: [0, 0],
    methods: Object.fromEntries(
      scripts.map((script, i) => [
        `m${i}`,
        (cells: readonly number[]) => {
          let [now, own]: [readonly number[], number] = [cells, 0];
          for (const step of script) [now, own] = interpret(step, now, own);
          return [now, own] as const;
        },
      ]),
    ),
  };
  let isViolated = false;
  const seen = new Set<string>();
  /** An event: the thread, and the method of a call, or the result of a return. */
  type Event = readonly [thread: number, method: number, result: number];
  const judge = (events: readonly Event[]): void => {
    const builder = new HistoryBuilder();
    const open: number[] = [];
    for (const [thread, method, result] of events)
      if (result < 0)
        open[thread] = builder.call({ process: String(thread), method: `m${method}`, args: [] });
      else builder.end(open[thread], { kind: 'returned', value: result });
    isViolated ||= !isLinearizable(builder.finish(), spec);
  };
  /** Thread to its method, its next step and its register; -1: idle. */
  type Thread = readonly [method: number, step: number, own: number, made: number];
  const run = (cells: readonly number[], threads: readonly Thread[], events: readonly Event[]): void => {
    const key = JSON.stringify([cells, threads, events]);
    if (isViolated || seen.has(key)) return;
    seen.add(key);
    if (events.at(-1)?.[2] !== -1) judge(events);
    for (const [at, [method, step, own, made]] of threads.entries()) {
      const methods = method >= 0 ? [method] : made < callsPerThread ? scripts.map((_, i) => i) : [];
      for (const next of methods) {
        const called: readonly Event[] = method >= 0 ? events : [...events, [at, next, -1]];
        const [after, value] = interpret(scripts[next][step], cells, own);
        const isLast = step === scripts[next].length - 1;
        const moved: Thread = isLast ? [-1, 0, 0, made + 1] : [next, step + 1, value, made];
        run(after, threads.with(at, moved), isLast ? [...called, [at, next, value]] : called);
      }
    }
  };
  run(
    [0, 0],
    [
      [-1, 0, 0, 0],
      [-1, 0, 0, 0],
    ],
    [],
  );
  return isViolated;
}

test('random small objects, against brute force', () => {
  const random = new Random(7);
  const found = { proved: 0, violation: 0 };
  for (let i = 0; i < share(300, 8); i++) {
    const scripts = Array.from({ length: 2 }, () => randomScript(random));
    const { Thing } = evaluateInstrumented(sourceOf(scripts)) as { Thing: new () => object };
    const calls = scripts.map((_, method) => [`m${method}`]);
    const given = scenario({ backend: 'instrumented', create: () => new Thing(), calls: calls as never });
    const { isProved, counterexample } = proofOf(given, { threads: 2 });
    expect(isProved || counterexample !== undefined).toBe(true);
    const most = counterexample && Math.max(...counterexample.test.threads.map((column) => column.length));
    const size = Math.min(3, most ?? share(3, 2));
    const isBad = bruteForce(scripts, size);
    if (isProved || most! <= size) expect({ scripts, isBad }).toEqual({ scripts, isBad: !isProved });
    found[isProved ? 'proved' : 'violation']++;
  }
  expect(found.proved).toBeGreaterThan(0);
  expect(found.violation).toBeGreaterThan(0);
});
