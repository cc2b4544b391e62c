/**
 * Tests that another thread or machine explores. Code cannot be sent, so it loads the scenario itself and finds each test by
 * its number: the same scenario with the same seed has the same tests. Results return as plain data; the coordinator
 * recreates what cannot be sent.
 */
import { relative } from 'node:path';
import { inOwnTask } from '../../event-loop/own-task.js';
import type { TestTask } from '../../explore/agenda.js';
import { type Batch, type BatchOptions, batchesOf } from '../../explore/batches.js';
import { backendFor, backendNameOf } from '../../explore/choose-backend.js';
import { clearNotes, notes } from '../../explore/explore.js';
import { lineUp } from '../../explore/line-up.js';
import { Deadline } from '../../explore/model/deadline.js';
import type { TestResult } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { TestCase } from '../../explore/scenario/test-case.js';
import { loadScenario } from '../load/scenario.js';
import { rebaseNotes } from '../model/code-mismatch.js';
import type {
  BatchName,
  ExploreSetup,
  ExploreTask,
  RemoteResult,
  TestsResult,
  ThreadData,
} from '../model/task.js';

class NamedTests {
  readonly #remaining: Iterator<Batch>;
  readonly #batches: Batch[] = [];

  constructor(scenario: Scenario, options: BatchOptions) {
    this.#remaining = batchesOf(scenario, options, () => true);
  }

  testCaseOf({ choice, threads, callsPerThread }: BatchName, test: number): TestCase {
    const isIt = (batch: Batch) =>
      batch.choice === choice && batch.threads === threads && batch.callsPerThread === callsPerThread;
    let found = this.#batches.find(isIt);
    while (found === undefined) {
      const batch = this.#remaining.next().value as Batch;
      this.#batches.push(batch);
      if (isIt(batch)) found = batch;
    }
    return found.tests[test];
  }
}

function toRemote({ test: _, backend: __, ...explored }: TestResult): RemoteResult {
  const isUndetermined = explored.violation?.kind === 'nondeterminism';
  return { explored: isUndetermined ? { ...explored, violation: undefined } : explored, isUndetermined };
}

/** Recreates what was not sent. A nondeterministic test runs again, since its histories are not plain data. */
export function fromRemote(
  scenario: Scenario,
  { testCase, options }: Pick<TestTask, 'testCase' | 'options'>,
  { explored, isUndetermined }: RemoteResult,
): TestResult {
  if (isUndetermined) return lineUp(scenario, testCase, options, new Deadline(Number.POSITIVE_INFINITY));
  // undefined fields do not survive JSON
  return {
    ...explored,
    violation: explored.violation,
    warnings: explored.warnings,
    test: testCase,
    backend: backendFor(scenario, testCase),
  };
}

/** Without a clock, a test may check its deadline this often, about every 2,000 steps. */
const DEADLINE_CHECKS = 500;

/** In the thread of the tests: loads and instruments a scenario, and explores tests of it. `onMove` is called whenever a test makes progress. */
export async function exploreTasks(
  { file, hasConfig, stop }: ThreadData,
  onMove: () => void,
): Promise<(task: ExploreTask) => Promise<TestsResult>> {
  const given = await loadScenario(file, hasConfig);
  const scenario = { ...given, backend: await inOwnTask(() => backendNameOf(given)) };
  const runs = new Map<string, { readonly tests: NamedTests; readonly setup: ExploreSetup }>();
  const exploreTests = ({ run, setup, batch, tests, time }: ExploreTask): TestsResult => {
    if (setup) runs.set(run, { tests: new NamedTests(scenario, setup.options), setup });
    const known = runs.get(run);
    if (!known) throw new Error(`the setup of run ${run} is missing`);
    const { options, spuriousWakeups } = known.setup;
    clearNotes();
    const results = tests.map(({ test, options: own }) => {
      const testCase = known.tests.testCaseOf(batch, test);
      const deadline = time ? timedDeadline(time, stop, onMove) : countedDeadline(onMove);
      return toRemote(lineUp({ ...scenario, spuriousWakeups }, testCase, { ...options, ...own }, deadline));
    });
    return { tests: results, notes: rebaseNotes(notes(), (path) => relative('.', path)) };
  };
  return (task) => inOwnTask(() => exploreTests(task));
}

function timedDeadline(
  { milliseconds, until }: NonNullable<ExploreTask['time']>,
  stop: ThreadData['stop'],
  onMove: () => void,
): Deadline {
  const left = Math.max(0, Math.min(milliseconds, until - Date.now()));
  return new Deadline(left, () => Atomics.load(stop, 0) !== 0, onMove);
}

function countedDeadline(onMove: () => void): Deadline {
  let checks = 0;
  const count = () => {
    checks++;
    onMove();
  };
  return new Deadline(DEADLINE_CHECKS, undefined, count, () => checks);
}
