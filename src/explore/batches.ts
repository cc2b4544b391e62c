/**
 * Which tests an exploration goes through, in batches.
 *
 *   given    the one that the scenario fixes, or those that were observed
 *   all      every test of one size, small sizes first (Line-Up's AutoCheck): what fails, fails small
 *   orders   the same tests with threads in other orders, if the object was seen to distinguish threads
 *   random   some tests of the full size, by the seed (Line-Up's RandomCheck)
 *
 * By default, sizes grow as long as there are not too many tests of one. If the full size was not covered, random tests of
 * that size follow. They cover no size, so an exploration that was asked for one is undecided then.
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

/** Was a size asked for, by the scenario or by the caller? */
export const isSizeGiven = (
  scenario: Scenario,
  { threads, callsPerThread }: Omit<BatchOptions, 'seed'>,
): boolean => scenario.isSizeGiven || threads !== undefined || callsPerThread !== undefined;

/** What the tests so far have shown; asked after all tests of a size. */
interface Seen {
  /** Does the object distinguish threads? */
  readonly threads: () => boolean;
  /** Has every call returned without waiting? */
  readonly isSynchronous: () => boolean;
}

export function* batchesOf(
  scenario: Scenario,
  options: BatchOptions,
  seen: Seen = { threads: () => false, isSynchronous: () => false },
): Generator<Batch> {
  const { before, after, test, tests = test && [{ threads: test, before, after }] } = scenario;
  const { seed, randomTests, threads = scenario.threads, callsPerThread = scenario.callsPerThread } = options;
  const full = { threads, callsPerThread };
  const isGiven = isSizeGiven(scenario, options);
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
  const random = (count: number, isRequired: boolean): Batch => ({
    ...full,
    choice: 'random',
    tests: chooseTests(scenario, full, count, seed),
    isRequired,
  });
  if (randomTests !== undefined) {
    yield random(randomTests, true);
    return;
  }
  const isSmall = (size: Size): boolean => size.threads <= LEAST && size.callsPerThread <= LEAST;
  const sizes = sizesUpTo(full);
  let hasTried = isGiven;
  for (let size = sizes.shift(); size !== undefined; size = sizes.shift()) {
    if (!hasTried && !isSmall(size) && seen.isSynchronous()) {
      if (sizes.some(isSmall)) {
        sizes.push(size);
        continue;
      }
      hasTried = true;
      yield random(RANDOM_SYNCHRONOUS, false);
      if (seen.isSynchronous()) return;
    }
    const tests = allTests(scenario, size, new Random(seed), MOST_OF_A_SIZE);
    if (tests === undefined) break;
    const isRequired = isGiven || isSmall(size);
    yield { ...size, choice: 'all', tests, isRequired };
    if (!seen.threads()) continue;
    const others = reordered(tests, MOST_OF_A_SIZE);
    if (others === undefined) break;
    yield { ...size, choice: 'orders', tests: others, isRequired };
  }
  yield random(RANDOM, false);
}
