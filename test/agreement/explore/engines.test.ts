/**
 * The engines against brute force, on random programs: the same outcomes with the same orders of
 * calls and returns, the same verdicts, and findings that can be run again. And wrong engines, to see that this
 * test would notice. `AGREE=all`: many more programs, and larger ones.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { Fingerprint } from '../../../src/execution/fingerprint.js';
import { READ, WRITE } from '../../../src/execution/memory/access.js';
import type { Program } from '../../../src/execution/program.js';
import { Configurations } from '../../../src/explore/automata/configurations.js';
import { Boundary } from '../../../src/explore/classes/boundary.js';
import { HappensBefore, Turns } from '../../../src/explore/classes/happens-before.js';
import { Races } from '../../../src/explore/engines/races.js';
import { PartialOrderSampling } from '../../../src/explore/engines/sampling.js';
import { SleepSets } from '../../../src/explore/engines/sleep-sets.js';
import { programOf, randomSketch, type Sketch } from '../../support/generators/random-program.js';
import { RandomWalk } from '../../support/generators/random-walk.js';
import {
  allEndings,
  type Ending,
  endingOf,
  isExplained,
  type Line,
  mostOrdered,
  serialHistories,
} from '../../support/oracles/brute-force.js';
import {
  effortByClasses,
  endingsByClass,
  findingsByBound,
  findingsByEither,
  findingsOf,
  PARTS,
  type Parts,
  sampled,
  serialRuns,
} from '../../support/oracles/engines.js';

const isAll = process.env.AGREE === 'all';
const SEED = Number(process.env.SEED ?? 20261116);
const PROGRAMS = isAll ? 4_500 : 350;
/** Some more in which threads make the same calls. */
const ALIKE = isAll ? 2_500 : 70;
const MOST_EXECUTIONS = isAll ? 3_000 : 1_500;

/** A program, and what brute force says of it. */
interface Case {
  readonly text: string;
  readonly program: Program;
  readonly endings: readonly Ending[];
  readonly serial: readonly Line[];
  readonly isViolation: boolean;
}

/** Programs that random ones seldom are like. */
const CHOSEN: readonly Sketch['threads'][] = [
  // whether y may be read as 0 depends on what x was read as, and no variable tells
  [
    [[['read', 0]], [['read', 1]]],
    [
      [
        ['write', 0, 1],
        ['write', 1, 1],
      ],
    ],
  ],
  // a write of what was there already is a step, though nothing tells
  [
    [[['release', 1]], [['tryAcquire'], ['acquire', 2], ['release', 1]]],
    [[['tryAcquire'], ['write', 0, 0], ['write', 1, 1]]],
  ],
  // who needs two permits can come before the first that takes one, not before the second
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
  // both may be 0 in the end, though not after one call and the other; who spins then waits for ever
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
  // what the first call has read tells whether it writes before or after the other
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
  // what may still be explained depends on what was called before, and no variable tells
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
  // after the same calls, in one order or the other, something else is read
  [
    [[['write', 0, 1]], [['read', 0]]],
    [[['write', 0, 2]], [['read', 0]]],
  ],
  // who begins later can not overtake who keeps the lock
  [[[['leak', 0]]], [[['leak', 0]]], [[]]],
  // that x was written before y is wrong, and no access tells
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
  ...randomSketches(ALIKE).map((sketch) => caseOf(alike(sketch), MOST_EXECUTIONS)),
].filter((one) => one !== undefined);

/** Threads that make the same calls: two of three, or both; or all three, where that is one short call. */
function alike(sketch: Sketch): Sketch {
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

/** Undefined where brute force would take too long. */
function caseOf(sketch: Sketch, mostExecutions: number): Case | undefined {
  const plain = programOf(sketch, true);
  const endings = allEndings(plain, mostExecutions);
  if (!endings) return undefined;
  const serial = serialHistories(plain);
  const isViolation = endings.some((ending) => !isExplained(ending, serial));
  return { text: JSON.stringify(sketch), program: programOf(sketch, false), endings, serial, isViolation };
}

describe(`${cases.length} of ${PROGRAMS + ALIKE} random programs, seed ${SEED}`, () => {
  test('are of all kinds', () => {
    const stuck = cases.filter(({ endings }) => endings.some(({ pending }) => pending !== 0));
    const violations = cases.filter(({ isViolation }) => isViolation);
    expect(stuck.length).toBeGreaterThan(cases.length / 5);
    expect(stuck.length).toBeLessThan(cases.length * 0.8);
    expect(violations.length).toBeGreaterThan(cases.length / 20);
    const alikeThree = cases.filter(({ program }) => (program.symmetricThreads?.at(2) ?? -1) > 0);
    expect(alikeThree.length).toBeGreaterThan(cases.length / 50);
  });

  test('serial histories are the same if what is known of a state is not run again', () => {
    let [runs, shared] = [0, 0];
    for (const { text, program } of cases) {
      const [whole, short] = [serialRuns(program, false), serialRuns(program, true)];
      expect(new Set(short.histories), text).toEqual(new Set(whole.histories));
      runs += whole.executions;
      shared += short.executions;
    }
    expect(shared).toBeLessThan(runs);
  });

  test('by classes, all outcomes come with all orders, finished or stuck, and no others', () => {
    for (const { text, program, endings } of cases)
      expect(mostOrdered(endingsByClass(program)), text).toEqual(mostOrdered(endings));
  });

  test.each(['classes', 'states'] as const)('by %s, the verdict is that of brute force', (engine) => {
    for (const { text, program, isViolation } of cases)
      expect(findingsOf(program, engine).length > 0, text).toBe(isViolation);
  });

  test.each(['classes', 'states'] as const)(
    'by %s, each finding is a schedule that no serial history explains',
    (engine) => {
      for (const { text, program, serial } of cases)
        for (const { schedule, kind, operation } of findingsOf(program, engine)) {
          const ending = endingOf(program, schedule);
          expect(isExplained(ending, serial), text).toBe(false);
          expect((ending.pending & (1 << operation)) !== 0, text).toBe(kind === 'wait');
        }
    },
  );

  test('by both in turns, the verdict is that of brute force, and all is covered', () => {
    for (const { text, program, isViolation } of cases) {
      const { findings, coverage } = findingsByEither(program);
      expect(coverage, text).toEqual({ kind: 'all' });
      expect(findings.length > 0, text).toBe(isViolation);
    }
  });

  test('by bounds, the verdict is that of brute force when no bound holds back any more', () => {
    for (const { text, program, isViolation } of cases.slice(0, isAll ? 1_000 : 60)) {
      const { findings, coverage } = findingsByBound(program);
      expect(coverage, text).toEqual({ kind: 'all' });
      expect(findings.length > 0, text).toBe(isViolation);
    }
  });

  test.each([
    ['random walk', (random: Random) => new RandomWalk(random)],
    ['partial-order sampling', (random: Random) => new PartialOrderSampling(random)],
  ] as const)(
    'by samples (%s), nothing is found where there is nothing, and most of what there is',
    (_, strategy) => {
      let found = 0;
      for (const [number, { text, program, isViolation }] of cases.entries()) {
        const isFound = sampled(program, strategy(new Random(number)), 60);
        if (isFound) expect(isViolation, text).toBe(true);
        if (isFound) found++;
      }
      expect(found / cases.filter(({ isViolation }) => isViolation).length).toBeGreaterThan(0.9);
    },
  );
});

describe('a wrong engine is noticed', () => {
  /** Programs for which the orders found with these parts are wrong. */
  const wrongSets = (parts: Partial<Parts>) =>
    cases.filter(
      ({ program, endings }) =>
        String(mostOrdered(endingsByClass(program, { ...PARTS, ...parts }))) !== String(mostOrdered(endings)),
    ).length;
  const wrongVerdicts = (engine: 'classes' | 'states', parts: Partial<Parts>) =>
    cases.filter(
      ({ program, isViolation }) =>
        findingsOf(program, engine, { ...PARTS, ...parts }).length > 0 !== isViolation,
    ).length;

  test('that forgets what blocked threads wait for', () => {
    class Wrong extends Races {
      override ofBlocked(): void {}
    }
    expect(wrongSets({ Races: Wrong })).toBeGreaterThan(0);
  });

  test('that lets nobody overtake who holds a lock', () => {
    class Wrong extends Races {
      protected override ofLock(): void {}
    }
    expect(wrongSets({ Races: Wrong })).toBeGreaterThan(0);
  });

  test('to which reads and writes do not conflict', () => {
    class Wrong extends HappensBefore {
      override conflict(kind: number, other: number): boolean {
        return (
          super.conflict(kind, other) &&
          !((kind === READ || kind === WRITE) && (other === READ || other === WRITE))
        );
      }
    }
    expect(wrongSets({ HappensBefore: Wrong })).toBeGreaterThan(0);
  });

  test('that takes the order of one execution for all of its class', () => {
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
    expect(wrongSets({ Boundary: Wrong })).toBeGreaterThan(0);
    expect(wrongVerdicts('classes', { Boundary: Wrong })).toBeGreaterThan(0);
  });

  test('that lets a call return before another that it saw', () => {
    class Wrong extends Boundary {
      override read(): void {
        super.read();
        this.returnAfterCalls.fill(0);
      }
    }
    expect(wrongSets({ Boundary: Wrong })).toBeGreaterThan(0);
  });

  test('that does not tell who sleeps or spins', () => {
    class Wrong extends Fingerprint {
      protected override threadFlags(): number {
        return 0;
      }
    }
    expect(wrongVerdicts('states', { Fingerprint: Wrong })).toBeGreaterThan(0);
  });

  test('that forgets what threads have seen, or how far they have come', () => {
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
    expect(wrongVerdicts('states', { Fingerprint: Blind })).toBeGreaterThan(0);
    expect(wrongVerdicts('states', { Fingerprint: Lost })).toBeGreaterThan(0);
  });

  test('that forgets what the object holds, in serial runs', () => {
    class Wrong extends Fingerprint {
      protected override get root(): unknown {
        return undefined;
      }
    }
    const wrong = cases.filter(
      ({ program }) =>
        String(serialRuns(program, true, Wrong).histories) !== String(serialRuns(program, true).histories),
    );
    expect(wrong.length).toBeGreaterThan(0);
  });

  test('that forgets how the past is explained', () => {
    class Wrong extends Fingerprint {
      override numberOf(): number {
        return super.numberOf(0);
      }
    }
    expect(wrongVerdicts('states', { Fingerprint: Wrong })).toBeGreaterThan(0);
  });

  test('in which those that begin later never come first', () => {
    class Wrong extends Turns {
      override of(enabled: number): number {
        return enabled & -enabled;
      }
    }
    expect(wrongVerdicts('states', { Turns: Wrong })).toBeGreaterThan(0);
    expect(wrongSets({ Turns: Wrong })).toBeGreaterThan(0);
  });

  test('to which it is no reason to come later that somebody had to begin first: it runs in vain', () => {
    class Wrong extends HappensBefore {
      protected override joinElder(): void {}
    }
    const runs = (parts: Parts) =>
      cases.reduce((sum, { program }) => sum + effortByClasses(program, parts).executions, 0);
    expect(runs({ ...PARTS, HappensBefore: Wrong })).toBeGreaterThan(runs(PARTS));
  });

  test('that wakes nobody, or not those who would be called after a return', () => {
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
    expect(wrongSets({ SleepSets: Deaf })).toBeGreaterThan(0);
    expect(wrongVerdicts('states', { SleepSets: Deaf })).toBeGreaterThan(0);
    expect(wrongVerdicts('states', { SleepSets: Early })).toBeGreaterThan(0);
  });

  test('that lets everybody wait', () => {
    class Wrong extends Configurations {
      override needlessWait(): number {
        return -1;
      }
    }
    expect(wrongVerdicts('states', { Configurations: Wrong })).toBeGreaterThan(0);
    expect(wrongVerdicts('classes', { Configurations: Wrong })).toBeGreaterThan(0);
  });

  test('that goes on when nothing explains a return', () => {
    class Wrong extends Configurations {
      override return(set: number, operation: number, outcome: number): number {
        const next = super.return(set, operation, outcome);
        if (next >= 0) return next;
        const guesses = Array.from({ length: 40 }, (_, guess) => super.return(set, operation, guess));
        return guesses.find((guess) => guess >= 0) ?? next;
      }
    }
    expect(wrongVerdicts('states', { Configurations: Wrong })).toBeGreaterThan(0);
  });
});
