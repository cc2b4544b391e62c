/** A whole exploration: one test after another (agenda.ts), and the result of all of them. */

import { resolveLimits } from '../check/model/budget.js';
import { inOwnTask } from '../event-loop/own-task.js';
import { LostThreadError, ScenarioError } from '../execution/memory/program-error.js';
import type { CalledFunction } from '../instrument/runtime/calls.js';
import { runtime } from '../instrument/runtime/runtime.js';
import {
  type AbandonedTest,
  Agenda,
  type AgendaOptions,
  type ExploredBatch,
  type TestTask,
} from './agenda.js';
import { doubtful, type Held } from './async/quiescent-runs.js';
import type { LineUpOptions } from './backend.js';
import { backendNameOf } from './choose-backend.js';
import { allWarnings, type RacePlaces, type Warnings } from './classes/data-races.js';
import {
  alwaysThrew,
  type BlockedCall,
  blockedInSequence,
  type LearnedTest,
  type MethodResult,
  neverEnded,
  returnNothing,
} from './learning/learned-results.js';
import { lineUp } from './line-up.js';
import { Deadline } from './model/deadline.js';
import type { ProveOptions, Schedule } from './model/engine.js';
import type { Trace } from './model/trace-types.js';
import { type Counterexample, type Proof, prove } from './prove/prove.js';
import {
  type Assumption,
  conclusionOf,
  type Notes,
  type TestResult,
  type UndecidedReason,
} from './result.js';
import type { Scenario, Signal } from './scenario/scenario.js';
import type { Size } from './scenario/test-case.js';
import { differenceInSmallTests } from './thread-backend.js';

/** What to explore, and for how long. */
export interface ExploreOptions {
  /** Size of the largest tests; the scenario says it otherwise. */
  readonly threads?: number | undefined;
  readonly callsPerThread?: number | undefined;
  /** Explore this many random tests of the full size, instead of all small tests in order of size. */
  readonly randomTests?: number | undefined;
  /** Explore only schedules with at most this many preemptions. */
  readonly maxPreemptions?: number | undefined;
  /** Continue after a violation. */
  readonly keepGoing?: boolean | undefined;
  /** Accept learned runs with different results. */
  readonly allowNondeterminism?: boolean | undefined;
  /** Also check every execution for conflict serializability; `Exploration.warnings` has the result. */
  readonly warnRaces?: boolean | undefined;
  /** Also return the learned runs: `Exploration.learned`. */
  readonly showLearned?: boolean | undefined;
  /** Wall-clock time: milliseconds, or a text such as `'60s'`. Without it, everything is explored. */
  readonly timeout?: number | string | undefined;
  /** Abandon a run after this many steps. Default: 2,000 accesses of threads, or 100 macrotasks of asynchronous code. */
  readonly maxSteps?: number | undefined;
  /** Stop after about this many executions of concurrent schedules; what was covered until then is reported. */
  readonly maxExecutions?: number | undefined;
  /** Stops the exploration between two tests. */
  readonly signal?: Signal | undefined;
  /** Seed of random choices. Default: 1. */
  readonly seed?: number | undefined;
  /** First try to prove the scenario for any number of calls. `true`: as the scenario says. */
  readonly prove?: boolean | ProveOptions | undefined;
  /** Called from time to time with the tests explored so far. */
  readonly onProgress?: ((batches: readonly ExploredBatch[]) => void) | undefined;
}

type Omitted = 'schedule' | 'isExhaustive' | 'onClass' | 'blocks';
export interface ExploreSyncOptions
  extends Partial<AgendaOptions>,
    Partial<Omit<LineUpOptions, Omitted>>,
    Pick<ExploreOptions, 'prove'> {}

/**
 * The result of an exploration.
 *
 *   holds       no schedule that was asked for violates the spec
 *   violation   the last test has a violation; with `keepGoing`, any test
 *   undecided   no violation was found, but less was covered than was asked for, or code ran that was not observed
 */
export interface Exploration {
  readonly verdict: 'holds' | 'violation' | 'undecided';
  /** Why it is undecided. */
  readonly reason?: UndecidedReason;
  /** Under which assumptions every schedule was explored, and which of them failed. The verdict follows from this list. */
  readonly assumptions: readonly Assumption[];
  readonly scenario: Scenario;
  readonly seed: number;
  readonly batches: readonly ExploredBatch[];
  /** The verdict holds only if all tests up to this size were covered, unless the tests were given or are random. */
  readonly requiredSize: Size;
  /** The results of all tests, in their order. */
  readonly results: readonly TestResult[];
  /** Tests without a result, each with the reason. */
  readonly abandoned: readonly AbandonedTest[];
  /** Without a spec: the methods that threw in every sequential run, with the error. */
  readonly alwaysThrew: readonly { readonly method: string; readonly threw: string }[];
  /** Without a spec: calls that a sequential run blocks forever, so that blocking them is no violation. */
  readonly blockedInSequence: readonly BlockedCall[];
  /** Without a spec: calls that end in no learned run, so that blocking them is no violation. */
  readonly neverEnded: readonly string[];
  /** Without a spec: every call returned undefined in each learned run, so results show nothing of the state. */
  readonly hasNoResults: boolean;
  /** Without a spec: what threads hold in learned runs, where that is doubtful for a lock. */
  readonly held: readonly Held[];
  /** With `showLearned`: the learned runs of each test; there are none if a spec gives the expected results. */
  readonly learned: readonly LearnedTest[];
  /** Pairs of accesses that race, by their places. */
  readonly races: readonly RacePlaces[];
  /** Executions that are not conflict serializable, if `warnRaces` was set. */
  readonly warnings: Warnings | undefined;
  /** Functions that ran atomically because they are not instrumented; sources of time and randomness that were replaced. */
  readonly atomic: readonly CalledFunction[];
  /** Async: every call returned without waiting, so no two calls can interleave. */
  readonly isSynchronous: boolean;
  readonly controlled: readonly CalledFunction[];
  /** What was proved, or why nothing was, if `prove` was set. */
  readonly proof?: Proof;
}

const SEED = 1;
/** The share of the time in which a proof is attempted. */
const PROVING = 0.5;
/** Calls of a test that is run again. */
const MOST_CALLS = 24;
/** Milliseconds after which other tasks of the event loop run. Real threads live as long as a task, so it is not short. */
const SLICE = 500;

/**
 * Explores the schedules of a scenario and returns the first violation, or what was covered without one.
 *
 * Small tests come first. They run in tasks of the event loop of their own, so that asynchronous code can be explored too.
 *
 * @example
 * const { verdict } = await explore(
 *   scenario({ backend: 'instrumented', create: () => new Set<number>(), calls: [['add', 1], ['has', 1]], threads: 2, callsPerThread: 1 }),
 * );
 * assert.equal(verdict, 'holds');
 */
export async function explore(given: Scenario, options: ExploreOptions = {}): Promise<Exploration> {
  const { signal, seed = SEED, ...others } = options;
  const { timeout = Number.POSITIVE_INFINITY } = resolveLimits({ timeout: others.timeout });
  const shouldStop = () => signal?.aborted ?? false;
  const scenario: Scenario = { ...given, backend: await inOwnTask(() => backendNameOf(given)) };
  const deadline = new Deadline(timeout, shouldStop);
  const first = await inOwnTask(() => proveFirst(scenario, { ...others, seed }, deadline));
  if (first?.exploration) return first.exploration;
  const agenda = await inOwnTask(
    () => new Agenda(scenario, { ...others, seed, timeout: deadline.left, shouldStop }),
  );
  const exploreSlice = (): boolean => {
    const slice = new Deadline(SLICE);
    for (let task = agenda.next(); task !== undefined; task = agenda.next()) {
      exploreTask(scenario, agenda, task, { ...others, seed });
      if (slice.hasExpired()) return true;
    }
    return false;
  };
  while (await inOwnTask(exploreSlice));
  return withProof(explorationOf(scenario, seed, agenda), first?.proof);
}

/**
 * Runs a schedule of a test again, step by step. Without a schedule, that of the violation.
 *
 * @example
 * const [found] = exploration.results.slice(-1);
 * const { steps, history } = await trace(found);
 */
export async function trace(
  { backend, violation }: TestResult,
  schedule: Schedule | undefined = violation && 'schedule' in violation ? violation.schedule : undefined,
): Promise<Trace> {
  if (schedule === undefined)
    throw new ScenarioError('this test has no violation with a schedule; expected a schedule to trace');
  return inOwnTask(() => backend.trace(schedule));
}

/** `explore` in the current task. Asynchronous code needs `inOwnTask` around it. */
export function exploreSync(given: Scenario, options: ExploreSyncOptions = {}): Exploration {
  const scenario: Scenario = { ...given, backend: backendNameOf(given) };
  const { seed = SEED, timeout = Number.POSITIVE_INFINITY } = options;
  const deadline = new Deadline(timeout, options.shouldStop);
  const first = proveFirst(scenario, { ...options, seed }, deadline);
  if (first?.exploration) return first.exploration;
  const agenda = new Agenda(scenario, { ...options, seed, timeout: deadline.left });
  for (let task = agenda.next(); task !== undefined; task = agenda.next())
    exploreTask(scenario, agenda, task, { ...options, seed });
  return withProof(explorationOf(scenario, seed, agenda), first?.proof);
}

/**
 * Tries to prove a scenario, if that is asked for. Nothing is left to explore if it is proved, or a violation was found;
 * undefined if it is not asked for.
 */
export function proveFirst(
  scenario: Scenario,
  { prove: asked, seed, threads }: Pick<ExploreOptions, 'prove' | 'threads'> & { readonly seed: number },
  deadline: Deadline,
): { readonly proof: Proof; readonly exploration?: Exploration } | undefined {
  if (asked === undefined || asked === false) return undefined;
  const own = { ...scenario.prove, ...(asked === true ? {} : asked) };
  clearNotes();
  const found = prove(scenario, { ...own, seed, threads }, deadline.fraction(PROVING));
  const differing = found.isProved ? differenceInSmallTests(scenario, seed, deadline) : undefined;
  const proof = differing ? { ...found, isProved: false, problem: differing } : found;
  const { counterexample, isProved } = proof;
  const violation = counterexample && confirmed(scenario, counterexample, seed, deadline);
  if (!isProved && violation === undefined)
    return { proof: counterexample ? { ...proof, problem: unconfirmedText(counterexample) } : proof };
  const test = violation?.test.threads;
  const agenda = new Agenda(test ? { ...scenario, test } : scenario, {
    seed,
    timeout: Number.POSITIVE_INFINITY,
  });
  const task = violation && agenda.next();
  if (violation && task) agenda.complete(task, violation);
  agenda.noted.push(notes());
  const exploration = explorationOf(scenario, seed, agenda);
  return { proof, exploration: { ...exploration, proof, races: racesIn(exploration, proof) } };
}

/** A violation that was run again as a test; undefined if it was not reproduced, or the test is too large. */
function confirmed(
  scenario: Scenario,
  { test, schedule }: Counterexample,
  seed: number,
  deadline: Deadline,
): TestResult | undefined {
  if (test.threads.flat().length > MOST_CALLS) return undefined;
  const result = lineUp(scenario, test, { seed, schedule, allowNondeterminism: true }, deadline);
  // the search found it, so the execution is not a random one
  return result.violation && { ...result, coverage: [] };
}

const unconfirmedText = ({ kind, schedule, test }: Counterexample): string =>
  `a path of ${schedule.length} steps and ${test.threads.flat().length} calls leads to ${kind === 'wait' ? 'a call that never returns' : 'a result without a linearization'}, but no bounded test shows it`;

/** What was explored after an attempt to prove. Without a proof, less was established than was asked for. */
export function withProof(exploration: Exploration, proof: Proof | undefined): Exploration {
  if (proof === undefined) return exploration;
  const isLess = exploration.verdict === 'holds' || exploration.reason === 'executions';
  const races = racesIn(exploration, proof);
  return { ...exploration, ...(isLess && { verdict: 'undecided', reason: 'unproved' }), proof, races };
}

const racesIn = (exploration: Exploration, proof: Proof): readonly RacePlaces[] =>
  distinct([...exploration.races, ...proof.races]);

/** Explores a test of an agenda. A test whose thread is lost is abandoned. */
export function exploreTask(
  scenario: Scenario,
  agenda: Agenda,
  task: TestTask,
  options: LineUpOptions,
): void {
  clearNotes();
  try {
    const own = { ...options, ...task.options, shared: agenda.shared, isCompared: true };
    agenda.complete(task, lineUp(scenario, task.testCase, own, task.deadline));
  } catch (error) {
    if (!(error instanceof LostThreadError)) throw error;
    agenda.abandon(task, error.message);
  } finally {
    agenda.noted.push(notes());
  }
}

/** What is noted from now on is of the next test: other explorations share the runtime. */
export function clearNotes(): void {
  runtime.atomic.clear();
  runtime.controlled.clear();
}

/** What was noted since `clearNotes`. */
export const notes = (): Notes => ({
  atomic: [...runtime.atomic.values()],
  controlled: [...runtime.controlled.values()],
});

export function explorationOf(
  scenario: Scenario,
  seed: number,
  agenda: Agenda,
  remote: readonly Notes[] = [],
): Exploration {
  const noted = [...agenda.noted, ...remote];
  const { batches } = agenda;
  const results = batches.flatMap((batch) => batch.results);
  const methodResults = results.flatMap((result) => result.methodResults);
  const atomic = distinct(noted.flatMap((notes) => notes.atomic));
  const controlled = distinct(noted.flatMap((notes) => notes.controlled));
  const assumptions = agenda.assumptions({ atomic, controlled });
  const conclusion = conclusionOf(assumptions, results);
  const hasCovered = conclusion.verdict === 'holds' || conclusion.reason === 'unobserved';
  return {
    ...(hasCovered && allBlocked(methodResults) ? BLOCKED : conclusion),
    assumptions,
    scenario,
    seed,
    batches,
    requiredSize: agenda.requiredSize,
    results,
    abandoned: agenda.abandoned,
    alwaysThrew: alwaysThrew(methodResults),
    blockedInSequence: blockedInSequence(methodResults),
    neverEnded: neverEnded(methodResults),
    hasNoResults: scenario.exclusive === undefined && returnNothing(methodResults),
    held: doubtful(results.flatMap(({ held }) => held ?? [])),
    learned: results.flatMap(({ learned }) => learned ?? []),
    races: distinct(results.flatMap(({ races }) => races)),
    warnings: allWarnings(results.flatMap(({ warnings }) => warnings ?? [])),
    atomic,
    isSynchronous: results.length > 0 && results.every((result) => result.isSynchronous),
    controlled,
  };
}

const BLOCKED = { verdict: 'undecided', reason: 'blocked' } as const;

/**
 * Does no call return in any learned run, because some block? Then the absence of a violation proves nothing. If all
 * calls throw, that is an error: the object is probably incomplete.
 */
function allBlocked(results: readonly MethodResult[]): boolean {
  if (results.length === 0 || results.some(({ hasReturned }) => hasReturned)) return false;
  if (results.some(({ blocked }) => blocked !== undefined)) return true;
  const reasons = alwaysThrew(results).map(({ method, threw }) => `${method} always threw ${threw}`);
  throw new ScenarioError(
    `nothing can be learned, because no call returns, even if one call runs at a time: ${reasons.join('; ')}. Is what \`create\` makes complete? If this is intended, give the scenario a \`spec\``,
  );
}

/** Each item once, even if several tests report it. */
const distinct = <T extends object>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];
