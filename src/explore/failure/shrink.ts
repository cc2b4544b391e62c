/**
 * A failure made small: fewer threads, fewer calls, the calls of two threads in one, then a schedule with few switches.
 *
 * Whatever can be left out so that the rest is still wrong is left out, until nothing can: then
 * every thread and every call is needed. Each try is an exploration of its own, so what is left is
 * a violation for itself, whether or not it is the one that was found first. What is wrong by what was observed is made
 * smaller only to tests that were observed too: what the object does now tells nothing of what is right.
 */

import { resolveLimits } from '../../check/model/budget.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { LostThreadError } from '../../execution/memory/program-error.js';
import type { LineUpOptions } from '../backend.js';
import { setFor } from '../learning/read-observations.js';
import { lineUp } from '../line-up.js';
import { Deadline } from '../model/deadline.js';
import type { TestResult } from '../result.js';
import type { Scenario } from '../scenario/scenario.js';
import type { TestCase } from '../scenario/test-case.js';

/** No try may take more than this share of the time. */
const TRY = 0.2;
/** Failures that need more preemptions than this are shown as they were found. */
const MOST_PREEMPTIONS = 8;

export interface ShrinkOptions {
  /** Wall-clock time: milliseconds, or a text such as `'10s'`. Default: 10 seconds. */
  readonly timeout?: number | string | undefined;
  /** Seed of random choices. Default: 1. */
  readonly seed?: number | undefined;
  readonly maxPreemptions?: number | undefined;
}

const SHRINKING = 10_000;

/**
 * Makes a failing test small: fewer threads, fewer calls, fewer preemptions. The result is a violation of the same kind.
 *
 * @example
 * const [found] = exploration.results.slice(-1);
 * const smallest = await shrink(exploration.scenario, found);
 */
export async function shrink(
  scenario: Scenario,
  found: TestResult,
  options: ShrinkOptions = {},
): Promise<TestResult> {
  const { timeout = SHRINKING } = resolveLimits({ timeout: options.timeout });
  const { seed = 1, maxPreemptions } = options;
  const given = { ...scenario, backend: found.backend.name };
  return inOwnTask(() => shrinkSync(given, found, { seed, maxPreemptions }, new Deadline(timeout)));
}

/** `shrink` in the current task. */
export function shrinkSync(
  scenario: Scenario,
  found: TestResult,
  options: LineUpOptions,
  patience: Deadline,
): TestResult {
  const isByObserved = setFor(found.test, options.observed) !== undefined;
  const attempt = (matrix: TestCase, maxPreemptions?: number): TestResult | undefined => {
    if (patience.hasExpired() || (isByObserved && !setFor(matrix, options.observed))) return undefined;
    const tried = triedOf(() =>
      lineUp(scenario, matrix, { ...options, maxPreemptions }, patience.fraction(TRY)),
    );
    return tried?.violation?.kind === found.violation?.kind ? tried : undefined;
  };
  let smallest = found;
  for (let smaller: TestResult | undefined = found; smaller !== undefined; ) {
    smallest = smaller;
    smaller = undefined;
    for (const matrix of smallerThan(smallest.test)) {
      smaller = attempt(matrix, options.maxPreemptions);
      if (smaller) break;
    }
  }
  if (found.violation?.kind === 'nondeterminism') return smallest;
  const bounded = attempt(smallest.test, MOST_PREEMPTIONS);
  return bounded && switchesOf(bounded) < switchesOf(smallest) ? bounded : smallest;
}

/** Nothing where a thread is lost: what is known to be wrong is not lost with it. */
function triedOf(explore: () => TestResult): TestResult | undefined {
  try {
    return explore();
  } catch (error) {
    if (error instanceof LostThreadError) return undefined;
    throw error;
  }
}

/** One thread less, then one call less, then two threads in one, in the place of either. */
function* smallerThan({ threads, before, after }: TestCase): Generator<TestCase> {
  if (threads.length > 1) for (const fewer of oneLess(threads)) yield { threads: fewer, before, after };
  for (const fewer of oneLess(before)) yield { threads, before: fewer, after };
  for (const fewer of oneLess(after)) yield { threads, before, after: fewer };
  for (const [i, calls] of threads.entries())
    if (calls.length > 1)
      for (const fewer of oneLess(calls)) yield { threads: threads.with(i, fewer), before, after };
  for (const [i, calls] of threads.entries())
    for (const [j, others] of threads.entries())
      if (i !== j)
        for (const merged of inOne(calls, others))
          yield { threads: threads.with(j, merged).toSpliced(i, 1), before, after };
}

/** All orders that keep that of the one calls and that of the others. */
function* inOne<T>(calls: readonly T[], others: readonly T[]): Generator<T[]> {
  if (calls.length === 0 || others.length === 0) yield [...calls, ...others];
  else {
    for (const rest of inOne(calls.slice(1), others)) yield [calls[0], ...rest];
    for (const rest of inOne(calls, others.slice(1))) yield [others[0], ...rest];
  }
}

const oneLess = <T>(items: readonly T[]): T[][] => items.map((_, i) => items.toSpliced(i, 1));

function switchesOf({ backend, violation }: TestResult): number {
  if (violation === undefined || violation.kind === 'nondeterminism') return 0;
  const { steps } = backend.trace(violation.schedule);
  return steps.filter(({ thread }, i) => i > 0 && thread !== steps[i - 1].thread).length;
}
