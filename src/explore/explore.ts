/** A whole exploration, from one test to the next (agenda.ts), and what is told of it in the end. */
import type { LimitReason } from '../check/model/verdict.js';
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
import type { LineUpOptions } from './backend.js';
import { backendNameOf } from './choose-backend.js';
import { allWarnings, type Warnings } from './classes/atomicity.js';
import type { RacePlaces } from './classes/data-races.js';
import { alwaysThrew, type MethodResult } from './learning/sequential-results.js';
import { lineUp } from './line-up.js';
import type { TestResult } from './result.js';
import type { Scenario } from './scenario/scenario.js';

type Omitted = 'schedule' | 'isExhaustive' | 'onClass' | 'blocks';
export interface ExploreOptions extends Partial<AgendaOptions>, Partial<Omit<LineUpOptions, Omitted>> {}

/**
 *   holds       no violation in what was asked for
 *   violation   a test has one: the last, unless all were to be explored
 *   undecided   no violation in what was covered, but that is less than was asked for
 */
export interface Exploration {
  readonly verdict: 'holds' | 'violation' | 'undecided';
  readonly reason?: LimitReason | 'abandoned';
  readonly scenario: Scenario;
  readonly seed: number;
  readonly batches: readonly ExploredBatch[];
  /** What came of all tests, one after another. */
  readonly results: readonly TestResult[];
  readonly abandoned: readonly AbandonedTest[];
  /** Without a spec: the methods that threw in every serial run, and what. */
  readonly alwaysThrew: readonly Required<MethodResult>[];
  /** Pairs of plain accesses that race, by their places. */
  readonly races: readonly RacePlaces[];
  /** Of executions that are not serializable, where that was asked for. */
  readonly warnings: Warnings | undefined;
  /** Functions that ran in one step because they were not transformed; sources of luck or time that were replaced. */
  readonly atomic: readonly CalledFunction[];
  readonly controlled: readonly CalledFunction[];
}

/** What the code under test did that is no result. */
export type Notes = Pick<Exploration, 'atomic' | 'controlled'>;

const SEED = 1;

/** A scenario of asynchronous code is explored in a task of its own (`inOwnTask`). */
export function explore(given: Scenario, options: ExploreOptions = {}): Exploration {
  const scenario: Scenario = { ...given, backend: backendNameOf(given) };
  const { seed = SEED, milliseconds = Number.POSITIVE_INFINITY } = options;
  const agenda = new Agenda(scenario, { ...options, seed, milliseconds });
  for (let task = agenda.next(); task !== undefined; task = agenda.next())
    exploreTask(scenario, agenda, task, { ...options, seed });
  return explorationOf(scenario, seed, agenda, [notes()]);
}

/** What comes of a test goes into the agenda; one whose thread is lost is set aside. */
export function exploreTask(
  scenario: Scenario,
  agenda: Agenda,
  task: TestTask,
  options: LineUpOptions,
): void {
  try {
    agenda.complete(task, lineUp(scenario, task.testCase, { ...options, ...task.options }, task.deadline));
  } catch (error) {
    if (!(error instanceof LostThreadError)) throw error;
    agenda.abandon(task, error.message);
  }
}

/** What was noted since the code was loaded. */
export const notes = (): Notes => ({
  atomic: [...runtime.atomic.values()],
  controlled: [...runtime.controlled.values()],
});

export function explorationOf(
  scenario: Scenario,
  seed: number,
  agenda: Agenda,
  noted: readonly Notes[],
): Exploration {
  const { batches } = agenda;
  const results = batches.flatMap((batch) => batch.results);
  const threw = alwaysThrew(results.flatMap(({ methodResults }) => methodResults));
  if (agenda.verdict.verdict === 'holds') checkNotAllThrew(results, threw);
  return {
    ...agenda.verdict,
    scenario,
    seed,
    batches,
    results,
    abandoned: agenda.abandoned,
    alwaysThrew: threw,
    races: distinct(results.flatMap(({ races }) => races)),
    warnings: allWarnings(results.flatMap(({ warnings }) => warnings ?? [])),
    atomic: distinct(noted.flatMap(({ atomic }) => atomic)),
    controlled: distinct(noted.flatMap(({ controlled }) => controlled)),
  };
}

/** Where threads do nothing but throw, that nothing is wrong says nothing. */
function checkNotAllThrew(explored: readonly TestResult[], threw: Exploration['alwaysThrew']): void {
  const called = explored.flatMap(({ test }) => test.threads.flat().map(([method]) => method));
  if (threw.length === 0 || called.some((name) => !threw.some(({ method }) => method === name))) return;
  const told = threw.map(({ method, threw: error }) => `${method} always threw ${error}`);
  throw new ScenarioError(
    `nothing can be learnt, since all calls throw, even one after another: ${told.join('; ')}. Is what \`create\` makes complete? Where calls are meant to throw, give the scenario a \`spec\``,
  );
}

/** Each once, whoever has told it. */
const distinct = <T extends object>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];
