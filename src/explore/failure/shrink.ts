/**
 * Shrinking: fewer threads, fewer calls, the calls of two threads in one, then a schedule with few switches. Sequences
 * of the scenario stay together, and the kind of failure stays the same.
 *
 * Threads and calls are removed while the rest still fails, so in the end every thread and every call is needed. Of threads over shared
 * memory, the schedule is then the smallest failing one of these calls (`ScheduleSize`), if the steps suffice to compare all others. Each
 * attempt is an exploration of its own: its violation need not be the one that was found first. Attempts are limited by steps, so that the
 * result is the same on every machine.
 *
 * A failure against recorded observations shrinks only to tests that were observed too: the current results of the
 * object do not show which results are correct.
 */

import { sourcesIn } from '../../base/values/result-reference.js';
import { resolveLimits } from '../../check/model/budget.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { LostThreadError } from '../../execution/memory/program-error.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import { type LineUpOptions, stepsFor } from '../backend.js';
import { setFor } from '../learning/read-observations.js';
import { lineUp } from '../line-up.js';
import { Deadline } from '../model/deadline.js';
import type { TestResult } from '../result.js';
import { isSequence } from '../scenario/calls.js';
import type { Scenario } from '../scenario/scenario.js';
import type { TestCase } from '../scenario/test-case.js';

/** No attempt takes more than this share of the remaining steps, and all attempts take these. */
const TRY = 0.2;
const ALL_TRIES = 2;
/** Failures that need more preemptions than this are shown as they were found. */
const MOST_PREEMPTIONS = 8;

export interface ShrinkOptions {
  /** Wall-clock time: milliseconds, or a text such as `'10s'`. Default: a minute. Steps usually end it within seconds. */
  readonly timeout?: number | string | undefined;
  /** Seed of random choices. Default: 1. */
  readonly seed?: number | undefined;
  readonly maxPreemptions?: number | undefined;
}

/** Time after which the smallest failure so far is shown. Steps end shrinking long before, except on a very busy machine. */
export const SHRINKING = 60_000;

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

/** `shrink` in the current task. `options.stepBudget`: the steps of all attempts. */
export function shrinkSync(
  scenario: Scenario,
  found: TestResult,
  options: LineUpOptions,
  deadline: Deadline,
): TestResult {
  const isByObserved = setFor(found.test, options.observed) !== undefined;
  let steps = options.stepBudget ?? stepsFor({ backend: found.backend.name }, ALL_TRIES);
  const attempt = (matrix: TestCase, own: Partial<LineUpOptions>): TestResult | undefined => {
    if (deadline.hasExpired() || (isByObserved && !setFor(matrix, options.observed))) return undefined;
    const limits = { ...options, ...own, stepBudget: TRY * steps };
    const tried = triedOf(() => lineUp(scenario, matrix, limits, deadline));
    steps -= tried?.steps ?? 0;
    return tried && failureKind(tried) === kind ? tried : undefined;
  };
  const kind = failureKind(found);
  const sequences = scenario.calls.filter(isSequence);
  let smallest = found;
  for (let smaller: TestResult | undefined = found; smaller !== undefined; ) {
    smallest = smaller;
    smaller = undefined;
    const matrices = scenario.tests === undefined ? smallerThan(smallest.test, sequences) : [];
    for (const matrix of matrices) {
      smaller = attempt(matrix, {});
      if (smaller) break;
    }
  }
  if (found.violation?.kind === 'nondeterminism') return smallest;
  const bounded = attempt(smallest.test, { maxPreemptions: MOST_PREEMPTIONS, isSmallest: true });
  if (bounded?.violation?.kind !== 'nondeterminism' && bounded?.violation?.smallest) return bounded;
  return bounded && switchesOf(bounded) < switchesOf(smallest) ? bounded : smallest;
}

/** Undefined if a thread is lost: the failure found so far is kept. */
function triedOf(explore: () => TestResult): TestResult | undefined {
  try {
    return explore();
  } catch (error) {
    if (error instanceof LostThreadError) return undefined;
    throw error;
  }
}

/** What has to stay the same: the kind of the violation, and the error if the faulty call threw. */
function failureKind({ violation, backend }: TestResult): string {
  if (violation?.kind !== 'outcome') return String(violation?.kind);
  const { history, idOf } = backend.trace(violation.schedule);
  const { outcome } = history.at(history.positionsById()[idOf[violation.operation]]);
  return outcome.kind === 'threw' ? `threw ${outcome.error}` : 'returned';
}

/** One thread less, then one unit less, then two threads in one, in the place of either. */
function* smallerThan(
  { threads, before, after }: TestCase,
  sequences: readonly (readonly PlainCall[])[],
): Generator<TestCase> {
  const columns = threads.map((calls) => unitsOf(calls, sequences));
  const testOf = (units: readonly (readonly PlainCall[])[][]): TestCase => ({
    threads: units.map((column) => column.flat()),
    before,
    after,
  });
  if (threads.length > 1) for (const fewer of oneLess(columns)) yield testOf(fewer);
  for (const fewer of oneCallLess(before)) yield { threads, before: fewer, after };
  for (const fewer of oneCallLess(after)) yield { threads, before, after: fewer };
  for (const [i, units] of columns.entries()) {
    if (units.length > 1) for (const fewer of oneLess(units)) yield testOf(columns.with(i, fewer));
    for (const [j, unit] of units.entries())
      if (!sequences.some((sequence) => isSame(sequence, unit)))
        for (const fewer of oneCallLess(unit))
          if (fewer.length > 0) yield testOf(columns.with(i, units.with(j, fewer)));
  }
  for (const [i, units] of columns.entries())
    for (const [j, others] of columns.entries())
      if (i !== j)
        for (const merged of inOne(units, others)) yield testOf(columns.with(j, merged).toSpliced(i, 1));
}

/** The calls of a thread in units: a sequence of the scenario stays together, and a call with those that use its result; any other call is alone. */
function unitsOf(
  calls: readonly PlainCall[],
  sequences: readonly (readonly PlainCall[])[],
): (readonly PlainCall[])[] {
  const units: (readonly PlainCall[])[] = [];
  const sources = sourcesIn(calls);
  let at = 0;
  while (at < calls.length) {
    const start = at;
    const own = sequences.find((sequence) => isSame(sequence, calls.slice(start, start + sequence.length)));
    let end = start + (own?.length ?? 1);
    for (let k = end; k < calls.length; k++)
      if (sources[k].some((source) => source >= start && source < end)) end = k + 1;
    units.push(calls.slice(start, end));
    at = end;
  }
  return units;
}

const isSame = (calls: readonly PlainCall[], others: readonly PlainCall[]): boolean =>
  calls.length === others.length && calls.every((call, i) => call === others[i]);

/** One call less, and without the calls that use its result. */
function oneCallLess(calls: readonly PlainCall[]): PlainCall[][] {
  const sources = sourcesIn(calls);
  return calls.map((_, removed) => {
    const isLeft = calls.map(() => true);
    for (const k of calls.keys())
      isLeft[k] = k !== removed && sources[k].every((source) => source < 0 || isLeft[source]);
    return calls.filter((_call, k) => isLeft[k]);
  });
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
