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
  type TestCase,
  withCallsAfter,
  withOtherKeys,
} from '../../explore/scenario/test-case.js';
import { makespanOf, mayFail, withOutside } from './failures.js';
import type { Checked, CoveredSize, Evidence, Kept, PatchedProgram, Rejection } from './guard-tests.js';
import { type GuardTests, MOST_TESTS, SIZES, sampleOf, testsFor } from './guard-tests.js';

/** Slices of steps for one test, and for all tests of one patch. */
const MOST_OF_A_TEST = 800;
const MOST_OF_A_PATCH = 4_000;
/** Slices for one random larger test. */
const MOST_OF_A_LARGER_TEST = 60;
/** Of each size, tests in which calls have different keys. That all state belongs to one key was read in the source before. */
const MOST_KEYED_TESTS = 30;

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
  readonly #kept: Kept;
  readonly #tests: GuardTests;
  readonly #chosen: Scenario;
  /** Sequential tests, and whether the original violates the given spec in them. */
  readonly #broken = new Map<TestCase, boolean>();
  #slices = 0;
  /** Do all sequential runs of the original with a failure end within their budget? */
  #endsAfterFailures = true;

  constructor(
    original: PatchedProgram,
    failing: TestCase,
    seed: number,
    shouldStop: () => boolean,
    kept: Kept = undefined,
  ) {
    this.#kept = kept;
    this.#original = original;
    this.#failing = failing;
    this.#seed = seed;
    this.#shouldStop = shouldStop;
    this.#chosen = choicesOf(original.scenario, failing);
    this.#tests = testsFor(original.scenario, failing, seed, kept);
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

  /** Explores tests of the same sizes with keys that the scenario does not name, beside others. Undefined if no test refutes the program. */
  refuteOtherKeys(patched: Scenario): Rejection | undefined {
    this.#slices = 0;
    const chosen = this.#tests.choice === 'kit' ? this.#chosen : withOtherKeys(this.#chosen);
    const invented = chosen.calls.length - this.#chosen.calls.length;
    const keyed = this.#chosen.calls.filter((choice) => 'method' in choice || choice.length > 1);
    if (invented === 0 || invented < keyed.length)
      return { kind: 'rejected', because: 'budget', text: 'no other keys can be invented' };
    for (const size of SIZES) {
      const choices = size.callsPerThread > 1 ? withCallsAfter(chosen) : chosen;
      const all = allTests(choices, size, new Random(this.#seed), MOST_TESTS);
      const mixed = all?.filter(({ threads }) => new Set(threads.flat().map(([, key]) => key)).size > 1);
      const tests = mixed && sampleOf(mixed, MOST_KEYED_TESTS, new Random(this.#seed));
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
      const isFailing =
        comparesFailures && (this.#endsAfterFailures || patched.losesWork) && !this.#breaksSpec(test);
      const refused = this.#explore(
        isFailing ? patched.failing() : patched.scenario,
        test,
        isFailing ? 'failing' : 'plain',
      );
      if (refused) return refused.because === 'budget' ? refused : { ...refused, because: 'sequential' };
    }
    return undefined;
  }

  /** Does the original violate the given spec in a sequential run? Then it is no reference for that run. */
  #breaksSpec(test: TestCase): boolean {
    const { scenario } = this.#original;
    if (scenario.spec === undefined) return false;
    const known = this.#broken.get(test);
    if (known !== undefined) return known;
    const deadline = this.#ownDeadline(MOST_OF_A_TEST);
    const breaks = lineUp(scenario, test, this.#options, deadline).violation !== undefined;
    this.#broken.set(test, breaks);
    return breaks;
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
        // without a failure, the patch was compared with the original; after one, it is compared with its own sequential runs
        const own = patched.changesFailures ? this.#learnFailing(patched, test) : undefined;
        if (patched.changesFailures && own === undefined)
          return { kind: 'rejected', because: 'budget', test };
        const refused = this.#explore(patched.failing(), test, 'failing', () => {}, MOST_OF_A_TEST, own);
        if (refused) return refused.because === 'budget' ? refused : { ...refused, because: 'failure' };
      }
    const { tests, calls } = this.#tests.sequences;
    const broken = tests.filter((test) => this.#breaksSpec(test)).length;
    const canFail = !patched.changesFailures && isAsync && mayFail(patched.failing());
    const explored = patched.losesWork ? 'concurrent' : 'sequential';
    const compared = !canFail ? 'none' : this.#endsAfterFailures ? explored : 'not explored';
    const failures = patched.changesFailures && patched.losesWork ? 'own' : compared;
    return {
      kind: 'holds',
      evidence: {
        sizes,
        sequential: tests.length - broken,
        sequentialCalls: calls,
        ...(broken > 0 ? { corrected: broken } : {}),
        failures,
        ...(this.#kept === 'roles' ? { keepsRoles: true } : {}),
        ...(this.#kept === 'test' ? { keepsTest: true } : {}),
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
    own?: Expected,
  ): Rejection | undefined {
    const asked = kind === 'plain' ? test : withOutside(test);
    const left = Math.min(most, MOST_OF_A_PATCH - this.#slices);
    const hasSpec = kind === 'plain' && scenario.spec !== undefined;
    const expected = hasSpec ? undefined : (own ?? this.#expectedFor(test, kind, most));
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
      const learned =
        kind === 'plain'
          ? learnExpected(this.#original.scenario, test, this.#options, this.#ownDeadline(most))
          : this.#learnFailing(this.#original, test, most);
      known.set(test, learned);
    }
    return known.get(test);
  }

  /** What sequential runs of a program return in which an await may fail. */
  #learnFailing(program: PatchedProgram, test: TestCase, most = MOST_OF_A_TEST): Expected | undefined {
    return learnExpected(program.failing(), withOutside(test), this.#options, this.#ownDeadline(most));
  }

  /** A deadline of its own, for runs that no patch pays for. */
  #ownDeadline(most: number): Deadline {
    let looks = 0;
    return new Deadline(
      most,
      this.#shouldStop,
      () => looks++,
      () => looks,
    );
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
