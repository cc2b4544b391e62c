/**
 * Finds the root causes of failing tests: each test is shrunk, and the remaining calls identify the cause.
 *
 * It stops when all causes of the row are found in tests of at most the paper's size. Otherwise other sizes with as many
 * calls or fewer count, such as three threads with one call instead of two with two. Each smallest test runs again, to
 * measure how fast it fails; and with the spec of what is documented, if there is one.
 */

import { cpuTime } from '../../bench/measure.js';
import { shrinkSync } from '../../src/explore/failure/shrink.js';
import { lineUp } from '../../src/explore/line-up.js';
import type { TestResult } from '../../src/explore/result.js';
import type { Scenario } from '../../src/explore/scenario/scenario.js';
import type { TestCase } from '../../src/explore/scenario/test-case.js';
import { cells, cpuDeadline, type Size, sizeOf } from '../lib/tests.js';
import type { LineUpRow } from './rows.js';

export interface FoundCause {
  readonly name: string;
  readonly matrix: TestCase;
  readonly milliseconds: number;
  /** No larger than the paper's, fails at once, and is documented or not as it should be. */
  readonly isRight: boolean;
}

/** Milliseconds to make one test small, and all tests of a row; and in which the smallest has to fail. */
const ONE = 5_000;
const ALL = 30_000;
const AT_ONCE = 2_000;

/** How much larger a size is than the paper's: not at all, other threads for other calls, or indeed. */
const [NONE, OTHER, LARGER] = [0, 1, 2];

function excess(size: Size, paper: Size): number {
  if (size[0] <= paper[0] && size[1] <= paper[1]) return NONE;
  return cells(size) <= cells(paper) ? OTHER : LARGER;
}

export function rootCauses(
  { causes }: LineUpRow,
  failures: readonly TestResult[],
  scenario: Scenario,
  documented: Scenario | undefined,
  seed: number,
): FoundCause[] {
  const smallest = new Map<string, TestCase>();
  const deadline = cpuDeadline(ALL);
  const excessOf = (name: string, matrix = smallest.get(name)): number =>
    matrix === undefined ? LARGER : excess(sizeOf(matrix), causes[name].size);
  const violates = (one: Scenario, matrix: TestCase): boolean =>
    lineUp(one, matrix, { seed }, cpuDeadline(ONE)).violation !== undefined;
  for (const failure of failures) {
    const missing = Object.keys(causes).filter((name) => excessOf(name) !== NONE);
    if (deadline.hasExpired() || missing.length === 0) break;
    if (!missing.some((name) => causes[name].isShownBy(methodsOf(failure.test)))) continue;
    const { test: matrix } = shrinkSync(
      scenario,
      failure,
      { seed },
      cpuDeadline(Math.min(ONE, deadline.left)),
    );
    const methods = methodsOf(matrix);
    const name = Object.keys(causes).find((cause) => {
      const { isShownBy, without = [], isDocumented } = causes[cause];
      if (!isShownBy(methods) || without.some((method) => methods.includes(method))) return false;
      return !documented || isDocumented === undefined || violates(documented, matrix) !== isDocumented;
    });
    if (name === undefined) continue;
    if (!smallest.has(name) || excessOf(name, matrix) < excessOf(name)) smallest.set(name, matrix);
  }
  return Array.from(smallest, ([name, matrix]) => {
    const begin = cpuTime();
    const isFound = violates(scenario, matrix);
    const milliseconds = cpuTime() - begin;
    return {
      name,
      matrix,
      milliseconds,
      isRight: isFound && milliseconds < AT_ONCE && excessOf(name) < LARGER,
    };
  });
}

const methodsOf = ({ threads }: TestCase): string[] => threads.flat().map(([method]) => method);
