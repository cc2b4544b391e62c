/**
 * The result of exploring one test, on any back end; and what an exploration concludes from all of them.
 *
 * "Every schedule" is true under assumptions. Each of them held, failed, was waived by the request, is limited by our model, or
 * cannot be checked in a run. An exploration is exhaustive if no assumption failed, was waived or is limited: a conclusion, never a
 * default. Verdict, exit code, text, JSON and page all use this list. Every failure has its reason, and its places in the source.
 */

import { relative } from 'node:path';
import type { NamedPlace } from '../base/source-position.js';
import type { LimitReason } from '../check/model/verdict.js';
import type { History } from '../history/history.js';
import type { CalledFunction } from '../instrument/runtime/calls.js';
import type { Held } from './async/quiescent-runs.js';
import type { Backend, BackendNotes } from './backend.js';
import type { Batch } from './batches.js';
import type { LearnedStep, LearnedTest, MethodResult } from './learning/learned-results.js';
import type {
  BlockedThread,
  Coverage,
  ExplorationStats,
  HeldResources,
  Schedule,
  ScheduleSize,
} from './model/engine.js';
import type { Scenario } from './scenario/scenario.js';
import type { TestCase } from './scenario/test-case.js';

/**
 * A violation of a test.
 *
 *   outcome          no linearization includes the return of `operation`
 *   wait             a deadlock in which `operation` is blocked, though no linearization leaves it blocked
 *   uncaught         a callback of the event loop threw, and nothing catches that; it belongs to `operation`
 *   nondeterminism   two learned runs that differ only in the results of the last step
 */
export type Violation =
  | {
      readonly kind: 'outcome' | 'wait' | 'uncaught';
      readonly operation: number;
      readonly schedule: Schedule;
      /** The size of the schedule, if no failing schedule of the test is smaller. */
      readonly smallest?: ScheduleSize | undefined;
      /** Without a spec: the results of learned runs at this place, as text, and the nearest of these runs. */
      readonly allowed?: readonly string[];
      readonly nearest?: readonly LearnedStep[];
      /** Of a blocked call: it is not blocked if it starts after the other calls have returned. */
      readonly isLostWakeUp?: boolean;
      /** With `fair`: the results need a call that takes effect later than it started. */
      readonly isUnfair?: boolean;
      /** With `exclusive`: the resources that other calls hold. */
      readonly exclusive?: HeldResources;
      /** Of an uncaught error: its source and text. */
      readonly error?: string;
      /** Only with atomic blocks: the deadlock exists because of a block. */
      readonly blocked?: BlockedThread;
    }
  | { readonly kind: 'nondeterminism'; readonly histories: readonly [History, History] };

/** The result of exploring one test. Statistics are sums over all engines. */
export interface TestResult extends Readonly<Omit<ExplorationStats, 'depth'>>, BackendNotes {
  readonly test: TestCase;
  readonly backend: Backend;
  readonly violation: Violation | undefined;
  /** Executions of concurrent schedules; the others are sequential runs. */
  readonly schedules: number;
  /** What each engine covered, in the order in which they ran. */
  readonly coverage: readonly Coverage[];
  /** Steps of learned runs; 0 if there is a spec. */
  readonly sequential: number;
  /** The outcomes of learned runs, by method. */
  readonly methodResults: readonly MethodResult[];
  /** What threads hold in learned runs, if the test shows it. */
  readonly held: Held | undefined;
  /** The learned runs as text, if `showLearned`. */
  readonly learned: LearnedTest | undefined;
  /** The learned runs as an observation set, if `isObserving`. */
  readonly observations: string | undefined;
}

/**
 * Why an exploration is undecided: a limit, abandoned tests, a size with too many tests to run them all, code whose accesses were not
 * observed, which differs when it is instrumented or could not be compared, calls that block in every learned run, or a proof that was
 * asked for and not found.
 */
export type UndecidedReason =
  | LimitReason
  | 'executions'
  | 'abandoned'
  | 'tests'
  | 'differs'
  | 'uncompared'
  | 'unobserved'
  | 'blocked'
  | 'unproved';

/**
 * A condition under which "every schedule of all tests" is true.
 *
 *   tests         all tests of the requested sizes have a result
 *   steps         no run was abandoned at the limit of steps
 *   limits        no limit of time or executions ended the exploration, and nothing interrupted it
 *   preemptions   schedules may have any number of preemptions
 *   instrumentation   run one at a time, the calls of instrumented code do what the code itself does
 *   accesses      all accesses to shared state were observed, or conflict with everything
 *   memory        threads see memory accesses in one order
 *   repetition    the same schedule has the same accesses and results in every execution
 *   inputs        time and random numbers have no other values, and repeating timers fire no more often, than in the runs
 *   fairness      a thread that spins continues when a location that it reads has changed; in asynchronous code, what can run
 *                 does so sooner or later
 *   starts        calls of asynchronous code start only where the report says
 */
export interface Assumption {
  readonly name:
    | 'tests'
    | 'steps'
    | 'limits'
    | 'preemptions'
    | 'instrumentation'
    | 'accesses'
    | 'memory'
    | 'repetition'
    | 'inputs'
    | 'fairness'
    | 'starts';
  /**
   * `waived`: the request excludes it. `limited`: the code can do more than our model of its inputs lets it do, so not every
   * schedule was run. `unchecked`: no run can check it.
   */
  readonly status: 'held' | 'failed' | 'waived' | 'limited' | 'unchecked';
  /** Why it failed, and which number of steps was the limit. After a violation no further schedule of its test is run. */
  readonly reason?: UndecidedReason | 'violation';
  readonly limit?: number;
  /** Where it failed; if it is unchecked, where it matters. */
  readonly places: readonly NamedPlace[];
}

/** What an exploration has done, and what it was asked for. */
export interface Explored {
  readonly scenario: Pick<Scenario, 'backend'>;
  readonly batches: readonly (Batch & { readonly results: readonly TestResult[] })[];
  readonly isInterrupted: boolean;
  readonly hasAbandoned: boolean;
  /** Did random tests take the place of a size that was asked for? Because it has too many tests? */
  readonly isCut: boolean;
  readonly hasTooManyTests: boolean;
  /** The limit that explains what was not covered, if nothing else does. */
  readonly limit: 'time' | 'executions';
  readonly maxPreemptions: number | undefined;
  readonly maxSteps: number;
  readonly notes: Notes;
}

/** Observations about the code under test. */
export interface Notes {
  /** Functions that ran atomically because they are not instrumented; sources of time and randomness that were replaced. */
  readonly atomic: readonly CalledFunction[];
  readonly controlled: readonly CalledFunction[];
}

/** The assumptions of an exploration. The first that failed is the reason of the verdict. */
export function assumptionsOf(explored: Explored): Assumption[] {
  const { batches, isInterrupted, hasAbandoned, isCut, hasTooManyTests, limit, maxPreemptions } = explored;
  const results = batches.flatMap((batch) => batch.results);
  const required = batches.filter(({ isRequired }) => isRequired);
  const isWhole =
    !isCut &&
    required.every(({ results: own, tests }) => {
      return own.length === tests.length && own.every((one) => isCovered(one, maxPreemptions));
    });
  const unfinished = isWhole ? [] : results.filter((one) => one.unfinished > 0);
  const hasViolation = results.some(({ violation }) => violation);
  // the other schedules of a test with a violation were not run
  const missing = hasViolation
    ? 'violation'
    : !isWhole && (hasAbandoned ? 'abandoned' : hasTooManyTests && 'tests');
  // a limit explains what is missing, unless something else does: not to be whole is never without a failure
  const isLimited = !isWhole && missing === false && unfinished.length === 0;
  const isBounded = maxPreemptions !== undefined && !results.every((one) => isCovered(one, undefined));
  const unobserved = explored.notes.atomic.filter(({ isObserved }) => !isObserved);
  return [
    assumption('limits', isInterrupted ? 'interrupted' : isLimited && limit),
    assumption('tests', missing, {
      isWaived: required.some(({ choice }) => choice === 'random'),
    }),
    assumption('steps', unfinished.length > 0 && 'steps', {
      places: unfinished.flatMap(({ unfinishedAt }) => unfinishedAt),
      limit: explored.maxSteps,
    }),
    assumption('preemptions', false, { isWaived: isBounded }),
    ...(explored.scenario.backend === 'instrumented'
      ? [comparison(results, explored.notes.controlled.length > 0)]
      : []),
    assumption('accesses', unobserved.length > 0 && 'unobserved', { places: unobserved }),
    ...unchecked(explored, results),
  ];
}

/** A test with a violation needs no more coverage. */
export function isCovered(
  { coverage, violation }: Pick<TestResult, 'coverage' | 'violation'>,
  maxPreemptions: number | undefined,
): boolean {
  if (violation) return true;
  return coverage.some(({ kind }) => kind === 'all' || (kind === 'bound' && maxPreemptions !== undefined));
}

/** It holds only if all tests were compared of which something is claimed. Time and random numbers have other values in the code itself. */
function comparison(results: readonly TestResult[], isControlled: boolean): Assumption {
  const places = results.flatMap(({ difference }) => difference?.place ?? []);
  if (places.length > 0) return assumption('instrumentation', 'differs', { places });
  const claimed = results.filter((one) => isCovered(one, 0) && !one.violation);
  if (claimed.every(({ isCompared }) => isCompared)) return assumption('instrumentation', false);
  if (isControlled) return { name: 'instrumentation', status: 'limited', places: [] };
  return assumption('instrumentation', 'uncompared');
}

interface Details {
  readonly isWaived?: boolean;
  readonly places?: readonly NamedPlace[];
  readonly limit?: number;
}

function assumption(
  name: Assumption['name'],
  reason: Assumption['reason'] | false,
  { isWaived = false, places = [], limit }: Details = {},
): Assumption {
  if (!reason) return { name, status: isWaived ? 'waived' : 'held', places: [] };
  const own = { name, status: 'failed', reason, places: distinctPlaces(places) } as const;
  return limit === undefined ? own : { ...own, limit };
}

/** What no run can check, and what our model limits. */
function unchecked(
  { scenario: { backend }, notes: { controlled } }: Explored,
  results: readonly TestResult[],
): Assumption[] {
  const stated = (
    name: Assumption['name'],
    places: readonly NamedPlace[] = [],
    status: Assumption['status'] = 'unchecked',
  ): Assumption => ({ name, status, places: distinctPlaces(places) });
  const races = results.flatMap((one) => one.races);
  return [
    stated('repetition'),
    ...(controlled.length > 0 || results.some(({ replaced }) => replaced.length > 0)
      ? [stated('inputs', controlled, 'limited')]
      : []),
    ...(backend === 'async'
      ? [stated('starts')]
      : [
          stated(
            'memory',
            races.flatMap(({ name, places }) => places.map((place) => ({ ...place, name }))),
          ),
        ]),
    ...(results.some(({ spins }) => spins) ? [stated('fairness')] : []),
  ];
}

/** Each line and name once, in order, with paths from the working folder. */
function distinctPlaces(places: readonly NamedPlace[]): NamedPlace[] {
  const all = places.map(({ file, line, column, name }) => ({
    file: relative('.', file),
    line,
    column,
    name,
  }));
  return [...new Map(all.map((place) => [`${place.file}:${place.line} ${place.name}`, place])).values()];
}

/** The first assumption that failed is the reason why an exploration without a violation is undecided. */
export function conclusionOf(
  assumptions: readonly Assumption[],
  results: readonly Pick<TestResult, 'violation'>[],
): { verdict: 'holds' | 'violation' | 'undecided'; reason?: UndecidedReason } {
  if (results.some(({ violation }) => violation)) return { verdict: 'violation' };
  const failed = assumptions.find(({ status }) => status === 'failed');
  return failed ? { verdict: 'undecided', reason: failed.reason as UndecidedReason } : { verdict: 'holds' };
}

/** Was every schedule of every test explored, under the assumptions that no run can check? */
export const isExhaustive = (assumptions: readonly Assumption[]): boolean =>
  assumptions.length > 0 && assumptions.every(({ status }) => status === 'held' || status === 'unchecked');

/** Did the code use the clock, random numbers or repeating timers, of which only some behaviours were run? */
export const hasLimitedInputs = (assumptions: readonly Assumption[]): boolean =>
  assumptions.some(({ status }) => status === 'limited');

/** What the code used of these, if nothing else is missing for every schedule; undefined if more is missing. */
export function limitedInputs({
  assumptions,
  results,
}: {
  readonly assumptions: readonly Assumption[];
  readonly results: readonly Pick<TestResult, 'replaced'>[];
}): readonly string[] | undefined {
  if (assumptions.some(({ status }) => status === 'failed' || status === 'waived')) return undefined;
  const places = assumptions.flatMap((one) => (one.status === 'limited' ? one.places : []));
  return [...new Set([...results.flatMap(({ replaced }) => replaced), ...places.map(({ name }) => name)])];
}

export const hasFailed = (assumptions: readonly Assumption[], name: Assumption['name']): boolean =>
  assumptions.some((one) => one.name === name && one.status === 'failed');

/** What can be claimed for a test of which every schedule was run. */
export function wholeCoverage(assumptions: readonly Assumption[]): 'observed' | 'limited' | 'exhaustive' {
  if (hasFailed(assumptions, 'accesses') || hasFailed(assumptions, 'instrumentation')) return 'observed';
  return hasLimitedInputs(assumptions) ? 'limited' : 'exhaustive';
}
