/**
 * The exploration engines on random programs, against brute force.
 *
 * Compared are the outcomes with the orders of calls and returns, and the verdicts; violations are replayed. Faulty
 * engines test that the comparison detects faults. `AGREE=all` runs many more and larger programs.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { Execution } from '../../../src/execution/execution.js';
import { Fingerprint } from '../../../src/execution/fingerprint.js';
import { READ, WRITE } from '../../../src/execution/memory/access.js';
import type { Program } from '../../../src/execution/program.js';
import { Configurations } from '../../../src/explore/automata/configurations.js';
import { HappensBefore, Turns } from '../../../src/explore/classes/happens-before.js';
import { Boundary } from '../../../src/explore/classes/orders.js';
import { Races } from '../../../src/explore/engines/races.js';
import { PartialOrderSampling } from '../../../src/explore/engines/sampling.js';
import { CALL, RETURN, SleepSets } from '../../../src/explore/engines/sleep-sets.js';
import { Tried } from '../../../src/explore/engines/stateful.js';
import { SymmetricStates } from '../../../src/explore/engines/symmetric-states.js';
import { programOf, randomSketch, type Sketch } from '../../support/generators/random-program.js';
import { RandomWalk } from '../../support/generators/random-walk.js';
import {
  allResults,
  hasSequentialWitness,
  maximalOrders,
  type ProgramResult,
  resultOf,
  type SequentialHistory,
  sequentialHistories,
  smallestFailing,
} from '../../support/oracles/brute-force.js';
import {
  dporStats,
  isFoundBySampling,
  PARTS,
  type Parts,
  resultsByDpor,
  sequentialRuns,
  statesUpToNames,
  violationsBy,
  violationsByAlternation,
  violationsByBound,
  visitedBy,
} from '../../support/oracles/engines.js';

const isAll = process.env.AGREE === 'all';
const SEED = Number(process.env.SEED ?? 20261116);
const PROGRAMS = isAll ? 4_500 : 220;
/** The number of programs whose threads are symmetric. */
const SYMMETRIC = isAll ? 2_500 : 45;
const MOST_EXECUTIONS = isAll ? 3_000 : 1_500;

/** A program, and its results by brute force. */
interface Case {
  readonly text: string;
  readonly program: Program;
  readonly results: readonly ProgramResult[];
  readonly sequential: readonly SequentialHistory[];
  readonly isViolation: boolean;
}

/** Programs of kinds that the generator seldom gives. */
const CHOSEN: readonly Sketch['threads'][] = [
  // whether y may be read as 0 depends on the value read from x, and no variable records it
  [
    [[['read', 0]], [['read', 1]]],
    [
      [
        ['write', 0, 1],
        ['write', 1, 1],
      ],
    ],
  ],
  // a write of the current value is a step, though no value changes
  [
    [[['release', 1]], [['tryAcquire'], ['acquire', 2], ['release', 1]]],
    [[['tryAcquire'], ['write', 0, 0], ['write', 1, 1]]],
  ],
  // a thread that needs two permits can precede the first acquire of one, but not the second
  [
    [
      [
        ['release', 2],
        ['acquire', 1],
        ['acquire', 1],
      ],
    ],
    [
      [
        ['write', 0, 0],
        ['acquire', 2],
      ],
    ],
  ],
  // both may be 0 in the end, but not after sequential calls; then the spinning thread is blocked forever
  [
    [
      [
        ['write', 0, 1],
        ['write', 1, 0],
      ],
    ],
    [
      [
        ['write', 1, 1],
        ['write', 0, 0],
      ],
    ],
    [[['spinAny']]],
  ],
  // the value that the first call has read determines whether it writes before or after the other
  [
    [[['write', 0, 2]]],
    [
      [
        ['read', 0],
        ['read', 0],
        ['write', 0, 1],
      ],
    ],
  ],
  // the allowed outcomes depend on earlier calls, and no variable records them
  [
    [
      [
        ['compareAndSet', 0, 1, 1],
        ['compareAndSet', 0, 2, 0],
        ['compareAndSet', 0, 0, 1],
      ],
      [],
    ],
    [
      [
        ['compareAndSet', 0, 1, 1],
        ['write', 0, 2],
        ['write', 0, 2],
      ],
    ],
  ],
  // the value that is read depends on the order of the same calls
  [
    [[['write', 0, 1]], [['read', 0]]],
    [[['write', 0, 2]], [['read', 0]]],
  ],
  // a thread that starts later cannot overtake the thread that keeps the lock
  [[[['leak', 0]]], [[['leak', 0]]], [[]]],
  // that x was written before y is a violation, and no access shows it
  [
    [
      [
        ['read', 0],
        ['read', 1],
      ],
    ],
    [[['write', 1, 1]]],
    [[['write', 0, 1]]],
  ],
];

const chosen = CHOSEN.map((threads) => ({ variables: 2, permits: 0, threads, before: [], after: [] }));
const cases = [
  ...chosen.map((sketch) => caseOf(sketch, Number.POSITIVE_INFINITY)),
  ...randomSketches().map((sketch) => caseOf(sketch, MOST_EXECUTIONS)),
  ...randomSketches(SYMMETRIC).map((sketch) => caseOf(withSymmetricThreads(sketch), MOST_EXECUTIONS)),
].filter((one) => one !== undefined);

/** Gives the first two threads the same calls; all three if these are one short call. */
function withSymmetricThreads(sketch: Sketch): Sketch {
  const [first, , ...rest] = sketch.threads;
  const isShort = first.length === 1 && first[0].length <= 2;
  return { ...sketch, threads: [first, first, ...(isShort ? [first] : rest)] };
}

function randomSketches(count = PROGRAMS): readonly Sketch[] {
  const random = new Random(SEED);
  const sketches = new Map<string, Sketch>();
  while (sketches.size < count) {
    const sketch = randomSketch(random);
    sketches.set(JSON.stringify(sketch), sketch);
  }
  return [...sketches.values()];
}

/** Undefined if brute force would take too long. */
function caseOf(sketch: Sketch, mostExecutions: number): Case | undefined {
  const plain = programOf(sketch, true);
  const results = allResults(plain, mostExecutions);
  if (!results) return undefined;
  const sequential = sequentialHistories(plain);
  const isViolation = results.some((result) => !hasSequentialWitness(result, sequential));
  return {
    text: JSON.stringify(sketch),
    program: programOf(sketch, false),
    results,
    sequential,
    isViolation,
  };
}

describe(`${cases.length} of ${PROGRAMS + SYMMETRIC} random programs, seed ${SEED}`, () => {
  test('include enough stuck programs, violations and symmetric threads', () => {
    const stuck = cases.filter(({ results }) => results.some(({ pending }) => pending !== 0));
    const violations = cases.filter(({ isViolation }) => isViolation);
    expect(stuck.length).toBeGreaterThan(cases.length / 5);
    expect(stuck.length).toBeLessThan(cases.length * 0.8);
    expect(violations.length).toBeGreaterThan(cases.length / 20);
    const symmetricThree = cases.filter(({ program }) => (program.symmetricThreads?.at(2) ?? -1) > 0);
    expect(symmetricThree.length).toBeGreaterThan(cases.length / 50);
  });

  test('sharing the continuations of equal states does not change the sequential histories', () => {
    let [runs, shared] = [0, 0];
    for (const { text, program } of cases) {
      const [whole, short] = [sequentialRuns(program, false), sequentialRuns(program, true)];
      expect(new Set(short.histories), text).toEqual(new Set(whole.histories));
      runs += whole.executions;
      shared += short.executions;
    }
    expect(shared).toBeLessThan(runs);
  });

  test('partial-order reduction gives exactly the outcomes and orders of brute force', () => {
    for (const { text, program, results } of cases)
      expect(maximalOrders(resultsByDpor(program)), text).toEqual(maximalOrders(results));
  });

  test.each(['dpor', 'stateful', 'symmetric'] as const)(
    '%s: the verdict is that of brute force',
    (engine) => {
      for (const { text, program, isViolation } of cases)
        expect(violationsBy(program, engine).length > 0, text).toBe(isViolation);
    },
  );

  test.each(['dpor', 'stateful', 'symmetric'] as const)(
    '%s: each violation is a schedule without a sequential witness',
    (engine) => {
      for (const { text, program, sequential } of cases)
        for (const { schedule, kind, operation } of violationsBy(program, engine)) {
          const result = resultOf(program, schedule);
          expect(hasSequentialWitness(result, sequential), text).toBe(false);
          expect((result.pending & (1 << operation)) !== 0, text).toBe(kind === 'wait');
        }
    },
  );

  test('both in turns: the verdict is that of brute force, and all schedules are covered', () => {
    for (const { text, program, isViolation } of cases) {
      const { violations, coverage } = violationsByAlternation(program);
      expect(coverage, text).toEqual({ kind: 'all' });
      expect(violations.length > 0, text).toBe(isViolation);
    }
  });

  test('preemption bounds: the verdict is that of brute force once the bound limits no schedule', () => {
    for (const { text, program, isViolation } of cases.slice(0, isAll ? 1_000 : 60)) {
      const { violations, coverage } = violationsByBound(program);
      expect(coverage, text).toEqual({ kind: 'all' });
      expect(violations.length > 0, text).toBe(isViolation);
    }
  });

  test('preemption bounds: the smallest failing schedule is that of brute force', () => {
    let compared = 0;
    for (const { text, program, isViolation, sequential } of cases) {
      if (!isViolation) continue;
      const fails = (result: ProgramResult) => !hasSequentialWitness(result, sequential);
      const least = smallestFailing(program, fails, MOST_EXECUTIONS);
      if (least === undefined) continue;
      compared++;
      const last = violationsByBound(program, true).violations.at(-1);
      expect(last?.smallest, text).toEqual(least);
      expect(fails(resultOf(program, last!.schedule)), text).toBe(true);
    }
    expect(compared).toBeGreaterThan(cases.length / 40);
  });

  test.each([
    ['random walk', (random: Random) => new RandomWalk(random)],
    ['partial-order sampling', (random: Random) => new PartialOrderSampling(random)],
  ] as const)('random sampling (%s): only violations are found, and most of them', (_, strategy) => {
    let found = 0;
    for (const [number, { text, program, isViolation }] of cases.entries()) {
      const isFound = isFoundBySampling(program, strategy(new Random(number)), 60);
      if (isFound) expect(isViolation, text).toBe(true);
      if (isFound) found++;
    }
    expect(found / cases.filter(({ isViolation }) => isViolation).length).toBeGreaterThan(0.9);
  });
});

describe('the comparison detects an engine', () => {
  /** The number of programs whose results by partial-order reduction are wrong with these parts. */
  const wrongResults = (parts: Partial<Parts>) =>
    cases.filter(
      ({ program, results }) =>
        String(maximalOrders(resultsByDpor(program, { ...PARTS, ...parts }))) !==
        String(maximalOrders(results)),
    ).length;
  const wrongVerdicts = (engine: 'dpor' | 'stateful' | 'symmetric', parts: Partial<Parts>) =>
    cases.filter(
      ({ program, isViolation }) =>
        violationsBy(program, engine, { ...PARTS, ...parts }).length > 0 !== isViolation,
    ).length;

  test('that ignores races of blocked threads', () => {
    class Wrong extends Races {
      override ofBlocked(): void {}
    }
    expect(wrongResults({ Races: Wrong })).toBeGreaterThan(0);
  });

  test('that ignores races on locks', () => {
    class Wrong extends Races {
      protected override ofLock(): void {}
    }
    expect(wrongResults({ Races: Wrong })).toBeGreaterThan(0);
  });

  test('for which reads and writes do not conflict', () => {
    class Wrong extends HappensBefore {
      override conflict(kind: number, other: number): boolean {
        return (
          super.conflict(kind, other) &&
          !((kind === READ || kind === WRITE) && (other === READ || other === WRITE))
        );
      }
    }
    expect(wrongResults({ HappensBefore: Wrong })).toBeGreaterThan(0);
  });

  test('that takes the order of one execution for its whole equivalence class', () => {
    class Wrong extends Boundary {
      override read(): void {
        super.read();
        const before = (x: Int32Array, e: number) =>
          x.reduce((set, step, k) => (step >= 0 && step < e ? set | (1 << k) : set), 0) & this.ended;
        for (let k = 0; k < this.first.length; k++) {
          this.callAfterCalls[k] = before(this.first, this.first[k]);
          this.callAfterReturns[k] = before(this.last, this.first[k]);
          this.returnAfterCalls[k] = before(this.first, this.last[k] + 1);
          this.returnAfterReturns[k] = before(this.last, this.last[k]);
        }
      }
    }
    expect(wrongResults({ Boundary: Wrong })).toBeGreaterThan(0);
    expect(wrongVerdicts('dpor', { Boundary: Wrong })).toBeGreaterThan(0);
  });

  test('that lets a call return before a call that it depends on', () => {
    class Wrong extends Boundary {
      override read(): void {
        super.read();
        this.returnAfterCalls.fill(0);
      }
    }
    expect(wrongResults({ Boundary: Wrong })).toBeGreaterThan(0);
  });

  test('whose fingerprints omit which threads sleep or spin', () => {
    class Wrong extends Fingerprint {
      protected override threadFlags(): number {
        return 0;
      }
    }
    expect(wrongVerdicts('stateful', { Fingerprint: Wrong })).toBeGreaterThan(0);
  });

  test('whose fingerprints omit what threads have read, or how far they have run', () => {
    class Blind extends Fingerprint {
      protected override observationsOf(thread: number): readonly unknown[] {
        return super.observationsOf(thread).map(() => undefined);
      }
    }
    class Lost extends Fingerprint {
      protected override observationsOf(thread: number): readonly unknown[] {
        return super.observationsOf(thread).filter((value) => value !== undefined);
      }
    }
    expect(wrongVerdicts('stateful', { Fingerprint: Blind })).toBeGreaterThan(0);
    expect(wrongVerdicts('stateful', { Fingerprint: Lost })).toBeGreaterThan(0);
  });

  test('whose fingerprints omit the state of the object, in sequential runs', () => {
    class Wrong extends Fingerprint {
      protected override get root(): unknown {
        return undefined;
      }
    }
    const wrong = cases.filter(
      ({ program }) =>
        String(sequentialRuns(program, true, Wrong).histories) !==
        String(sequentialRuns(program, true).histories),
    );
    expect(wrong.length).toBeGreaterThan(0);
  });

  test('whose fingerprints omit the configurations', () => {
    class Wrong extends Fingerprint {
      override numberOf(): number {
        return super.numberOf(0);
      }
    }
    expect(wrongVerdicts('stateful', { Fingerprint: Wrong })).toBeGreaterThan(0);
  });

  test('that never lets a later thread start first', () => {
    class Wrong extends Turns {
      override of(enabled: number): number {
        return enabled & -enabled;
      }
    }
    expect(wrongVerdicts('stateful', { Turns: Wrong })).toBeGreaterThan(0);
    expect(wrongResults({ Turns: Wrong })).toBeGreaterThan(0);
  });

  test('that omits the order of first steps of symmetric threads, by its redundant executions', () => {
    class Wrong extends HappensBefore {
      protected override joinElder(): void {}
    }
    const runs = (parts: Parts) =>
      cases.reduce((sum, { program }) => sum + dporStats(program, parts).executions, 0);
    expect(runs({ ...PARTS, HappensBefore: Wrong })).toBeGreaterThan(runs(PARTS));
  });

  test('whose sleep sets wake no thread, or ignore calls after a return', () => {
    class Deaf extends SleepSets {
      protected override isWoken(): boolean {
        return false;
      }
    }
    class Early extends SleepSets {
      protected override isWoken(tried: number, _: number, did: number, carried: number): boolean {
        return super.isWoken(tried, 0, did, carried);
      }
    }
    expect(wrongResults({ SleepSets: Deaf })).toBeGreaterThan(0);
    expect(wrongVerdicts('stateful', { SleepSets: Deaf })).toBeGreaterThan(0);
    expect(wrongVerdicts('stateful', { SleepSets: Early })).toBeGreaterThan(0);
  });

  test('that allows every call to block', () => {
    class Wrong extends Configurations {
      override needlessWait(): number {
        return -1;
      }
    }
    expect(wrongVerdicts('stateful', { Configurations: Wrong })).toBeGreaterThan(0);
    expect(wrongVerdicts('dpor', { Configurations: Wrong })).toBeGreaterThan(0);
  });

  test('that continues after a return without a linearization', () => {
    class Wrong extends Configurations {
      override return(set: number, operation: number, outcome: number): number {
        const next = super.return(set, operation, outcome);
        if (next >= 0) return next;
        const guesses = Array.from({ length: 40 }, (_, guess) => super.return(set, operation, guess));
        return guesses.find((guess) => guess >= 0) ?? next;
      }
    }
    expect(wrongVerdicts('stateful', { Configurations: Wrong })).toBeGreaterThan(0);
  });
});

describe('states up to names', () => {
  /** No thread sleeps: every step of every state is taken. */
  class Awake extends SleepSets {
    override add(): void {}
  }
  /** Calls and returns depend on each other in both orders, so sleep sets omit steps, but no states. */
  class Exact extends SleepSets {
    protected override isWoken(tried: number, then: number, did: number, carried: number): boolean {
      return super.isWoken(tried, then, did, carried) || ((then & RETURN) !== 0 && (carried & CALL) !== 0);
    }
  }

  /** After their first calls the threads differ only in which of them owns the lock. */
  const own: Sketch['threads'][number][number] = [
    ['add', 0, 10],
    ['read', 1],
    ['unlock', 0],
    ['write', 1, 1],
  ];
  const owner: Sketch['threads'][number] = [
    [
      ['leak', 0],
      ['write', 1, 1],
    ],
    own,
  ];
  const sketches: readonly Sketch[] = [
    { variables: 2, permits: 0, threads: [owner, [[['spin', 1]], own]], before: [], after: [] },
    ...sharedCalls(isAll ? 1_500 : 30),
  ];

  /** Programs whose threads make calls of a pool of three, so that they often have the same calls left. */
  function sharedCalls(count: number): Sketch[] {
    const random = new Random(SEED);
    return Array.from({ length: count }, () => {
      const sketch = randomSketch(random);
      const pool = sketch.threads
        .flat()
        .slice(0, 3)
        .map((body) => body.slice(0, 2));
      const threads = 2 + random.below(2);
      const most = threads === 2 ? 3 : 2;
      const calls = () => Array.from({ length: 1 + random.below(most) }, () => random.pick(pool));
      return { ...sketch, threads: Array.from({ length: threads }, calls) };
    });
  }

  /** The programs in which states are merged; and those where that loses a final state, or depends on the order of the search. */
  function compare(parts: Partial<Parts>): { symmetric: number; fewer: number; wrong: string[] } {
    let [symmetric, fewer] = [0, 0];
    const wrong: string[] = [];
    for (const sketch of sketches) {
      const program = programOf(sketch, false);
      const reversed = programOf({ ...sketch, threads: sketch.threads.toReversed() }, false);
      const all = visitedBy(program, false, { ...PARTS, SleepSets: Awake });
      const searches = [
        visitedBy(program, true, { ...PARTS, ...parts, SleepSets: Awake }),
        visitedBy(reversed, true, { ...PARTS, ...parts, SleepSets: Awake }),
        visitedBy(program, true, { ...PARTS, ...parts, SleepSets: Exact }),
      ];
      if (!searches[0].isSymmetric) continue;
      symmetric++;
      if (searches[0].states < all.states) fewer++;
      const isSame = searches.every(
        ({ states, final }) =>
          states === searches[0].states && String([...final].sort()) === String([...all.final].sort()),
      );
      if (!isSame) wrong.push(JSON.stringify(sketch));
    }
    return { symmetric, fewer, wrong };
  }

  test('lose no final state, and their number does not depend on the order of the search', () => {
    const { symmetric, fewer, wrong } = compare({});
    expect(wrong).toEqual([]);
    expect(symmetric).toBeGreaterThan(sketches.length / 2);
    expect(fewer).toBeGreaterThan(sketches.length / 3);
  });

  const take: Sketch['threads'][number][number] = [
    ['write', 0, 1],
    ['add', 2, 1],
    ['read', 3],
  ];
  /**
   * If the last thread reads 1, only the first one can have begun to take a ticket, so it gets the first ticket. Which of the two has that
   * one makes a difference, and only the configurations have it.
   */
  const tickets: Sketch = {
    variables: 4,
    permits: 0,
    threads: [[take], [[['spin', 1]], take], [[['read', 0]], [['write', 1, 1]]]],
    before: [],
    after: [],
  };

  /** Programs whose number of states, with the learned configurations, depends on the order of the search. */
  function dependsOnOrder(
    among: readonly Sketch[],
    parts: Partial<Parts> = {},
  ): { symmetric: number; wrong: string[] } {
    let symmetric = 0;
    const wrong: string[] = [];
    for (const sketch of among) {
      const [states, reversed] = [sketch.threads, sketch.threads.toReversed()].map((threads) =>
        statesUpToNames(programOf({ ...sketch, threads }, false), { ...PARTS, ...parts, SleepSets: Awake }),
      );
      if (states === undefined) continue;
      symmetric++;
      if (states !== reversed) wrong.push(JSON.stringify(sketch));
    }
    return { symmetric, wrong };
  }

  test('rename the operations of the configurations', () => {
    class NotRenamed extends SymmetricStates {
      protected override imageOf(set: number): number {
        return set;
      }
    }
    const { symmetric, wrong } = dependsOnOrder([tickets, ...sketches]);
    expect(wrong).toEqual([]);
    expect(symmetric).toBeGreaterThan(sketches.length / 2);
    expect(dependsOnOrder([tickets], { SymmetricStates: NotRenamed }).wrong.length).toBe(1);
  });

  test('are wrong without the calls left, and without the owners of locks', () => {
    class WithoutCalls extends SymmetricStates {
      protected override writeCalls(): void {}
    }
    class WithoutOwners extends SymmetricStates {
      protected override writeOwners(): void {}
    }
    expect(compare({ SymmetricStates: WithoutCalls }).wrong.length).toBeGreaterThan(0);
    expect(compare({ SymmetricStates: WithoutOwners }).wrong.length).toBeGreaterThan(0);
  });

  test('record sleeping threads by position', () => {
    const execution = new Execution(programOf(sketches[0], false));
    const sleep = new SleepSets(execution.threads, execution.memory);
    const tried = new Tried(execution, sleep);
    const [state, order, swapped] = [0, [0, 1], [1, 0]];
    tried.open(0, state, true, order);
    sleep.add(0, 0, READ, 1);
    sleep.step(0, 1, READ, 2);
    // thread 0 sleeps at the only visit, in position 0; there, thread 1 is awake at the next one
    expect(tried.open(1, 1, true, order) & 0b11).toBe(0b10);
    tried.open(0, state, false, order);
    expect(tried.open(1, 1, false, swapped) & 0b11).toBe(0b10);
  });
});
