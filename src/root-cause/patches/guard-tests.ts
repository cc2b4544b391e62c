/**
 * The tests that a patch has to pass: all small ones over the calls of the scenario, and random larger ones. Of a kit, all of its
 * tests, because its calls mean something only there.
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
  withCallsAfter,
} from '../../explore/scenario/test-case.js';

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

/** `keepsRoles`: each thread makes only calls that one thread of the failing test makes. */
export function testsFor(
  scenario: Scenario,
  failing: TestCase,
  seed: number,
  keepsRoles: boolean,
): GuardTests {
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
    return keepsRoles
      ? testsByRole({ ...failing, after: of.after }, size, MOST_TESTS)
      : tests(size, MOST_TESTS, of);
  };
  const sizes = (keepsRoles ? ROLE_SIZES : SIZES)
    .map((size) => ({ ...size, tests: sized(size) }))
    .filter((size) => !keepsRoles || size.tests?.length !== 0);
  const { threads, callsPerThread, backend } = scenario;
  const isAsync = backend === 'async';
  const isCovered = [...SIZES, ...LARGER].some(
    (size) => size.threads >= threads && size.callsPerThread >= callsPerThread,
  );
  const largerSizes = keepsRoles ? [] : [...LARGER, ...(isCovered ? [] : [{ threads, callsPerThread }])];
  const larger = largerSizes.map((size) => ({
    ...size,
    tests: randomTests(observed, size, LARGER_TESTS[isAsync ? 'async' : 'threads'], seed),
  }));
  const calls = [3, 2].find((length) => tests({ threads: 1, callsPerThread: length }, MOST_SEQUENCES)) ?? 1;
  const sequences = { tests: tests({ threads: 1, callsPerThread: calls }, MOST_TESTS) ?? [], calls };
  return { choice: 'all', sizes, larger, sequences };
}
