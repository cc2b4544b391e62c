/**
 * The tests that a patch has to pass: all small ones over the calls of the scenario, and random larger ones. Of a kit, all of its
 * tests, because its calls mean something only there. And what is said about a patch after them.
 */
import { Random } from '../../base/random.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import {
  allTests,
  choicesOf,
  randomTests,
  type Size,
  type TestCase,
  testsByRole,
  testsWithin,
  withCallsAfter,
} from '../../explore/scenario/test-case.js';

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
  /** Further sequences of that length in which the original violates the given spec, and the patched program does not. */
  readonly corrected?: number | undefined;
  /** Where the failure of an await was explored. Not if runs of the original exceed their budget after one: it is no reference. `own`: the patched program is the reference for what happens after a failure. */
  readonly failures: 'none' | 'not explored' | 'sequential' | 'concurrent' | 'own';
  /** Did each thread only make calls that one thread of the failing test makes? Otherwise undefined. */
  readonly keepsRoles?: true | undefined;
  /** Did the threads only make their first calls of the scenario's test? Otherwise undefined. */
  readonly keepsTest?: true | undefined;
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

/** What the threads of all tests keep to: calls of one thread of the failing test, or their first calls of the scenario's test. */
export type Kept = 'roles' | 'test' | undefined;

export interface GuardTests {
  /** What the sizes are: all tests of each size, or those of a kit. */
  readonly choice: 'all' | 'kit';
  /** Undefined where a size has too many tests. */
  readonly sizes: readonly (Size & { readonly tests: readonly TestCase[] | undefined })[];
  readonly larger: readonly (Size & { readonly tests: readonly TestCase[] })[];
  /** Tests with one thread, and the number of its calls. */
  readonly sequences: { readonly tests: readonly TestCase[]; readonly calls: number };
}

/** More tests of a size are not covered. */
export const MOST_TESTS = 2_000;
const MOST_SEQUENCES = 400;
export const SIZES: readonly Size[] = [
  { threads: 2, callsPerThread: 1 },
  { threads: 2, callsPerThread: 2 },
  { threads: 3, callsPerThread: 1 },
];

/** Sizes of tests whose threads keep their roles: there may be no third thread. */
const ROLE_SIZES: readonly Size[] = [...SIZES, { threads: 2, callsPerThread: 3 }];

/** Sizes of which random tests are explored, and the number of these tests. */
const LARGER: readonly Size[] = [
  { threads: 3, callsPerThread: 2 },
  { threads: 2, callsPerThread: 3 },
];
const LARGER_TESTS = { async: 2, threads: 6 };

const largestOf = (tests: readonly TestCase[]): Size => ({
  threads: Math.max(...tests.map(({ threads }) => threads.length)),
  callsPerThread: Math.max(...tests.flatMap(({ threads }) => threads.map((calls) => calls.length))),
});

/** Some of a list, at random, or all of it. */
export function sampleOf<T>(list: readonly T[], most: number, random: Random): readonly T[] {
  const left = [...list];
  const chosen: T[] = [];
  while (left.length > 0 && chosen.length < most) chosen.push(...left.splice(random.below(left.length), 1));
  return chosen;
}

export function testsFor(scenario: Scenario, failing: TestCase, seed: number, kept: Kept): GuardTests {
  const { tests: ofKit } = scenario;
  if (ofKit)
    return {
      choice: 'kit',
      sizes: [{ ...largestOf(ofKit), tests: ofKit }],
      larger: [],
      sequences: { tests: [], calls: 0 },
    };
  const chosen = choicesOf(scenario, failing);
  const tests = (size: Size, most: number, of = chosen) => allTests(of, size, new Random(seed), most);
  const observed = withCallsAfter(chosen);
  const sized = (size: Size) => {
    const of = size.callsPerThread > 1 ? observed : chosen;
    return kept === 'roles'
      ? testsByRole({ ...failing, after: of.after }, size, MOST_TESTS)
      : tests(size, MOST_TESTS, of);
  };
  const given = { ...failing, threads: scenario.test ?? failing.threads, after: observed.after };
  const sizes =
    kept === 'test'
      ? testsWithin(given)
      : (kept === 'roles' ? ROLE_SIZES : SIZES)
          .map((size) => ({ ...size, tests: sized(size) }))
          .filter((size) => kept === undefined || size.tests?.length !== 0);
  const { threads, callsPerThread, backend } = scenario;
  const isAsync = backend === 'async';
  const isCovered = [...SIZES, ...LARGER].some(
    (size) => size.threads >= threads && size.callsPerThread >= callsPerThread,
  );
  const largerSizes =
    kept !== undefined ? [] : [...LARGER, ...(isCovered ? [] : [{ threads, callsPerThread }])];
  const larger = largerSizes.map((size) => ({
    ...size,
    tests: randomTests(observed, size, LARGER_TESTS[isAsync ? 'async' : 'threads'], seed),
  }));
  const calls = [3, 2].find((length) => tests({ threads: 1, callsPerThread: length }, MOST_SEQUENCES)) ?? 1;
  const sequences = { tests: tests({ threads: 1, callsPerThread: calls }, MOST_TESTS) ?? [], calls };
  return { choice: 'all', sizes, larger, sequences };
}
