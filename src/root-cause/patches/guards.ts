/**
 * Decides whether a patched program holds, against the specification of the original: the given spec, or what sequential
 * runs of the *original* return. A patched program is never its own reference, or a patch that returns a constant would pass.
 *
 * Every schedule of these tests is explored: the failing test, one thread with up to three calls, all tests of up to 2×2,
 * all tests of 3×1, and random larger ones as far as the budget allows. After tests of 2×2 and larger, each call is made once
 * more, so that a lost change shows. Of a kit, all of its tests are explored instead (guard-tests.ts). One of them refutes a patch if a call returns what no linearization explains, waits though it may not
 * (a deadlock or a lost wake-up), or if a run does not end. Sequential runs also compare the calls of stubs, and what
 * happens if one await fails. A patch that can lose work has to pass the tests with overlapping calls under these failures
 * too. The step budget is a number of slices, not a time: the same tests run on every machine.
 */
import { Random } from '../../base/random.js';
import type { Expected, LineUpOptions } from '../../explore/backend.js';
import { learnExpected, lineUp } from '../../explore/line-up.js';
import { Deadline } from '../../explore/model/deadline.js';
import type { TestResult } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import {
  allTests,
  choicesOf,
  reordered,
  type Size,
  type TestCase,
  withCallsAfter,
  withOtherKeys,
} from '../../explore/scenario/test-case.js';
import { makespanOf, mayFail, withOutside } from './failures.js';
import { type GuardTests, MOST_TESTS, SIZES, testsFor } from './guard-tests.js';

/** Why a patch was not accepted. `budget`, `bug`: nothing refutes it, but not everything was explored, or we failed. */
export type Because =
  | 'syntax'
  | 'types'
  | 'violation'
  | 'deadlock'
  | 'sequential'
  | 'failure'
  | 'unfinished'
  | 'budget'
  | 'bug'
  | 'command';

/** Tests that were explored in every schedule: all of a size, random ones of it, or all of a kit, up to its largest size. */
export interface CoveredSize extends Size {
  readonly tests: number;
  readonly choice: 'all' | 'random' | 'kit';
}

export interface Evidence {
  readonly sizes: readonly CoveredSize[];
  /** Sequences of calls by one thread whose results and stub calls equal those of the original. */
  readonly sequential: number;
  readonly sequentialCalls: number;
  /** Where the failure of an await was explored. Not if runs of the original exceed their budget after one: it is no reference. */
  readonly failures: 'none' | 'not explored' | 'sequential' | 'concurrent';
  /** Did each thread only make calls that one thread of the failing test makes? Otherwise undefined. */
  readonly keepsRoles?: true | undefined;
}

/** A patch that a test refutes, or whose budget was not enough. */
export interface Rejection {
  readonly kind: 'rejected';
  readonly because: Because;
  readonly test?: TestCase | undefined;
  readonly text?: string;
}

export type Checked = { readonly kind: 'holds'; readonly evidence: Evidence } | Rejection;

/** A patched program: as it is, and with awaits that may fail. */
export interface PatchedProgram {
  readonly scenario: Scenario;
  readonly failing: () => Scenario;
  readonly losesWork: boolean;
  readonly changesFailures: boolean;
}

/** Slices of steps for one test, and for all tests of one patch. */
const MOST_OF_A_TEST = 800;
const MOST_OF_A_PATCH = 4_000;
/** Slices for one random larger test. */
const MOST_OF_A_LARGER_TEST = 60;

export class Guards {
  readonly #original: PatchedProgram;
  readonly #failing: TestCase;
  readonly #seed: number;
  readonly #shouldStop: () => boolean;
  /** Tests that refuted a patch: they are tried first. */
  readonly #known: TestCase[] = [];
  readonly #expected = {
    plain: new Map<TestCase, Expected | undefined>(),
    failing: new Map<TestCase, Expected | undefined>(),
  };
  readonly #keepsRoles: boolean;
  readonly #tests: GuardTests;
  readonly #chosen: Scenario;
  #slices = 0;
  /** Do all sequential runs of the original with a failure end within their budget? */
  #endsAfterFailures = true;

  constructor(
    original: PatchedProgram,
    failing: TestCase,
    seed: number,
    shouldStop: () => boolean,
    keepsRoles = false,
  ) {
    this.#keepsRoles = keepsRoles;
    this.#original = original;
    this.#failing = failing;
    this.#seed = seed;
    this.#shouldStop = shouldStop;
    this.#chosen = choicesOf(original.scenario, failing);
    this.#tests = testsFor(original.scenario, failing, seed, keepsRoles);
  }

  /** Explores the failing test: most incorrect edits fail there. Undefined if it holds. */
  refute(patched: Scenario): Rejection | undefined {
    this.#slices = 0;
    return this.#explore(patched, this.#failing, 'plain');
  }

  /** Explores all tests but the failing one. */
  check(patched: PatchedProgram): Checked {
    this.#slices = 0;
    for (const test of this.#known) {
      const refused = this.#explore(patched.scenario, test, 'plain');
      if (refused) return refused;
    }
    const checked = this.#sequential(patched) ?? this.#concurrent(patched);
    return checked.kind === 'holds' ? this.#exploreLarger(patched.scenario, checked.evidence) : checked;
  }

  /** Explores the same sizes with keys that the scenario does not name. Undefined if no test refutes the program. */
  refuteOtherKeys(patched: Scenario): Rejection | undefined {
    this.#slices = 0;
    const chosen = this.#tests.choice === 'kit' ? this.#chosen : withOtherKeys(this.#chosen);
    const invented = chosen.calls.length - this.#chosen.calls.length;
    const keyed = this.#chosen.calls.filter((choice) => 'method' in choice || choice.length > 1);
    if (invented === 0 || invented < keyed.length)
      return { kind: 'rejected', because: 'budget', text: 'no other keys can be invented' };
    for (const size of SIZES) {
      const choices = size.callsPerThread > 1 ? withCallsAfter(chosen) : chosen;
      const tests = allTests(choices, size, new Random(this.#seed), MOST_TESTS);
      const refused = tests
        ? this.#exploreAll(patched, tests)
        : ({ kind: 'rejected', because: 'budget' } as const);
      if (refused) return refused;
    }
    return undefined;
  }

  /** Virtual milliseconds that overlapping calls of the failing test take, before and after; undefined for threads. */
  makespan(patched: Scenario): { readonly before: number; readonly after: number } | undefined {
    const [before, after] = [this.#original.scenario, patched].map((scenario) =>
      makespanOf(scenario, this.#failing, this.#chosen.calls),
    );
    return before === undefined || after === undefined ? undefined : { before, after };
  }

  #sequential(patched: PatchedProgram): Checked | undefined {
    const comparesFailures = patched.scenario.backend === 'async' && !patched.changesFailures;
    for (const test of this.#tests.sequences.tests) {
      if (comparesFailures && this.#endsAfterFailures)
        this.#endsAfterFailures = this.#expectedFor(test, 'failing', MOST_OF_A_TEST) !== undefined;
      const isFailing = comparesFailures && (this.#endsAfterFailures || patched.losesWork);
      const refused = this.#explore(
        isFailing ? patched.failing() : patched.scenario,
        test,
        isFailing ? 'failing' : 'plain',
      );
      if (refused) return refused.because === 'budget' ? refused : { ...refused, because: 'sequential' };
    }
    return undefined;
  }

  #concurrent(patched: PatchedProgram): Checked {
    const sizes: CoveredSize[] = [];
    for (const { tests, ...size } of this.#tests.sizes) {
      if (tests === undefined)
        return { kind: 'rejected', because: 'budget', text: `${size.threads}×${size.callsPerThread}` };
      const refused = this.#exploreAll(patched.scenario, tests);
      if (refused) return refused;
      sizes.push({ ...size, tests: tests.length, choice: this.#tests.choice });
    }
    const isAsync = patched.scenario.backend === 'async';
    if (patched.losesWork && !mayFail(patched.failing()))
      return { kind: 'rejected', because: 'failure', text: 'no await can be made to fail' };
    if (patched.losesWork)
      for (const test of [
        this.#failing,
        ...this.#tests.sizes.slice(0, 2).flatMap(({ tests }) => tests ?? []),
      ]) {
        const refused = this.#explore(patched.failing(), test, 'failing');
        if (refused) return refused.because === 'budget' ? refused : { ...refused, because: 'failure' };
      }
    const { tests, calls } = this.#tests.sequences;
    const canFail = !patched.changesFailures && isAsync && mayFail(patched.failing());
    const explored = patched.losesWork ? 'concurrent' : 'sequential';
    const failures = !canFail ? 'none' : this.#endsAfterFailures ? explored : 'not explored';
    return {
      kind: 'holds',
      evidence: {
        sizes,
        sequential: tests.length,
        sequentialCalls: calls,
        failures,
        ...(this.#keepsRoles ? { keepsRoles: true } : {}),
      },
    };
  }

  /** Random larger tests. One that exceeds its budget says nothing. */
  #exploreLarger(patched: Scenario, evidence: Evidence): Checked {
    const sizes: CoveredSize[] = [];
    for (const { tests, ...size } of this.#tests.larger) {
      let covered = 0;
      for (const test of tests) {
        const refused = this.#explore(patched, test, 'plain', () => {}, MOST_OF_A_LARGER_TEST);
        if (refused === undefined) covered++;
        else if (refused.because !== 'budget') return refused;
      }
      if (covered > 0) sizes.push({ ...size, tests: covered, choice: 'random' });
    }
    return { kind: 'holds', evidence: { ...evidence, sizes: [...evidence.sizes, ...sizes] } };
  }

  #exploreAll(scenario: Scenario, tests: readonly TestCase[]): Rejection | undefined {
    let seesThreads = false;
    const explored = (test: TestCase) =>
      this.#explore(scenario, test, 'plain', (result) => {
        seesThreads ||= result.seesThreads;
      });
    for (const test of tests) {
      const refused = explored(test);
      if (refused) return refused;
    }
    const others = seesThreads ? reordered(tests, MOST_TESTS) : [];
    if (others === undefined) return { kind: 'rejected', because: 'budget' };
    for (const test of others) {
      const refused = explored(test);
      if (refused) return refused;
    }
    return undefined;
  }

  /** Explores all schedules of a test. Undefined if none refutes the program. */
  #explore(
    scenario: Scenario,
    test: TestCase,
    kind: 'plain' | 'failing',
    onResult: (result: TestResult) => void = () => {},
    most = MOST_OF_A_TEST,
  ): Rejection | undefined {
    const asked = kind === 'plain' ? test : withOutside(test);
    const left = Math.min(most, MOST_OF_A_PATCH - this.#slices);
    const hasSpec = kind === 'plain' && scenario.spec !== undefined;
    const expected = hasSpec ? undefined : this.#expectedFor(test, kind, most);
    if (left <= 0 || (expected === undefined && !hasSpec))
      return { kind: 'rejected', because: 'budget', test };
    const result = lineUp(scenario, asked, { ...this.#options, expected }, this.#deadline(left));
    onResult(result);
    const { violation, coverage, unfinished } = result;
    if (violation !== undefined) {
      if (kind === 'plain' && !this.#known.includes(test) && test !== this.#failing) this.#known.push(test);
      return { kind: 'rejected', because: violation.kind === 'wait' ? 'deadlock' : 'violation', test };
    }
    if (unfinished > 0) return { kind: 'rejected', because: 'unfinished', test };
    return coverage.some(({ kind: covered }) => covered === 'all')
      ? undefined
      : { kind: 'rejected', because: 'budget', test };
  }

  get #options(): LineUpOptions {
    return { seed: this.#seed, isExhaustive: true, allowNondeterminism: true };
  }

  /** What the original returns. It is learned once, and no patch pays for it. */
  #expectedFor(test: TestCase, kind: 'plain' | 'failing', most: number): Expected | undefined {
    const known = this.#expected[kind];
    if (!known.has(test)) {
      let looks = 0;
      const deadline = new Deadline(
        most,
        this.#shouldStop,
        () => looks++,
        () => looks,
      );
      const learned =
        kind === 'plain'
          ? learnExpected(this.#original.scenario, test, this.#options, deadline)
          : learnExpected(this.#original.failing(), withOutside(test), this.#options, deadline);
      known.set(test, learned);
    }
    return known.get(test);
  }

  /** A deadline whose clock counts slices. */
  #deadline(slices: number): Deadline {
    return new Deadline(
      slices,
      this.#shouldStop,
      () => this.#slices++,
      () => this.#slices,
    );
  }
}
