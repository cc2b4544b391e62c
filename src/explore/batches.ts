/**
 * Which tests an exploration goes through, in batches.
 *
 *   given    the one that the scenario fixes, or those that were observed
 *   all      every test of one size, small sizes first (Line-Up's AutoCheck): what fails, fails small
 *   orders   the same tests with threads in other orders, if the object was seen to distinguish threads
 *   random   some tests of the full size, by the seed (Line-Up's RandomCheck)
 *
 * By default, sizes grow as long as there are not too many tests of one. If the full size was not covered, random tests of
 * that size follow, or smaller ones if the expected results of these could not be learned. Random tests cover no size. So
 * an exploration is undecided if a size that has to be covered has too many tests.
 *
 * Calls that return without waiting cannot interleave. If all have done so in the sizes that have to be covered, a few random tests
 * of the full size follow, and larger sizes only if a call waits in one of them.
 */
import { Random } from '../base/random.js';
import type { ObservationSet } from './learning/read-observations.js';
import type { Scenario } from './scenario/scenario.js';
import {
  allTests,
  randomTests as chooseTests,
  reordered,
  type Size,
  sizesUpTo,
  type TestCase,
} from './scenario/test-case.js';

export interface Batch extends Size {
  readonly choice: 'given' | 'all' | 'orders' | 'random';
  readonly tests: readonly TestCase[];
  /** The exploration is complete only if this batch is covered. */
  readonly isRequired: boolean;
  /** There are too many tests, so `tests` has none. */
  readonly isTooLarge?: true;
}

export interface BatchOptions {
  readonly seed: number;
  readonly threads?: number | undefined;
  readonly callsPerThread?: number | undefined;
  /** Run only the tests of these observations. */
  readonly observed?: readonly ObservationSet[] | undefined;
  /** Run this many random tests of the full size instead of all tests by size. */
  readonly randomTests?: number | undefined;
}

/** A size with more tests is not run completely. */
const MOST_OF_A_SIZE = 10_000;
const RANDOM = 100;
/** Of calls that have not waited so far. */
const RANDOM_SYNCHRONOUS = 3;
/** If neither the scenario nor the caller gives a size: sizes up to this one have to be covered. */
const LEAST = 2;

/** The size up to which all tests have to be covered. */
export function requiredSize(
  scenario: Scenario,
  { threads, callsPerThread }: Omit<BatchOptions, 'seed'>,
): Size {
  const full = {
    threads: threads ?? scenario.threads,
    callsPerThread: callsPerThread ?? scenario.callsPerThread,
  };
  if (scenario.isSizeGiven || threads !== undefined || callsPerThread !== undefined) return full;
  return { threads: Math.min(LEAST, full.threads), callsPerThread: Math.min(LEAST, full.callsPerThread) };
}

/** What the tests so far have shown; asked after all tests of a size. */
interface Seen {
  /** Does the object distinguish threads? */
  readonly threads: () => boolean;
  /** Has every call returned without waiting? */
  readonly isSynchronous: () => boolean;
  /** Was a schedule of the last random tests run? */
  readonly isExplored: () => boolean;
}

export function* batchesOf(
  scenario: Scenario,
  options: BatchOptions,
  seen: Seen = { threads: () => false, isSynchronous: () => false, isExplored: () => true },
): Generator<Batch> {
  const { before, after, test, tests = test && [{ threads: test, before, after }] } = scenario;
  const { seed, randomTests, threads = scenario.threads, callsPerThread = scenario.callsPerThread } = options;
  const full = { threads, callsPerThread };
  const required = requiredSize(scenario, options);
  const given = options.observed?.map(({ matrix }) => matrix) ?? tests;
  if (given !== undefined) {
    const largest = (of: (matrix: TestCase) => number) => Math.max(...given.map(of));
    yield {
      choice: 'given',
      threads: largest((matrix) => matrix.threads.length),
      callsPerThread: largest((matrix) => Math.max(...matrix.threads.map((calls) => calls.length))),
      tests: given,
      isRequired: true,
    };
    return;
  }
  const random = (count: number, isRequired: boolean, size: Size = full): Batch => ({
    ...size,
    choice: 'random',
    tests: chooseTests(scenario, size, count, seed),
    isRequired,
  });
  if (randomTests !== undefined) {
    yield random(randomTests, true);
    return;
  }
  const isRequired = (size: Size): boolean =>
    size.threads <= required.threads && size.callsPerThread <= required.callsPerThread;
  const sizes = sizesUpTo(full);
  let hasTried = isRequired(full);
  let isGrowing = true;
  for (let size = sizes.shift(); size !== undefined; size = sizes.shift()) {
    const own = { ...size, isRequired: isRequired(size) };
    if (!hasTried && !own.isRequired && seen.isSynchronous()) {
      if (sizes.some(isRequired)) {
        sizes.push(size);
        continue;
      }
      hasTried = true;
      yield random(RANDOM_SYNCHRONOUS, false);
      if (seen.isSynchronous()) return;
    }
    if (!isGrowing && !own.isRequired) continue;
    const tests = allTests(scenario, size, new Random(seed), MOST_OF_A_SIZE);
    if (tests) yield { ...own, choice: 'all', tests };
    const others = tests && seen.threads() ? reordered(tests, MOST_OF_A_SIZE) : undefined;
    if (others) yield { ...own, choice: 'orders', tests: others };
    if (tests && (others || !seen.threads())) continue;
    if (own.isRequired) yield { ...own, choice: tests ? 'orders' : 'all', tests: [], isTooLarge: true };
    isGrowing = false;
  }
  for (const size of sizesUpTo(full).reverse()) {
    yield random(RANDOM, false, size);
    if (seen.isExplored()) return;
  }
}
