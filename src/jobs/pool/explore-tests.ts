/**
 * The tests of an exploration as tasks. The agenda hands out tests and takes their results in the order of the tests.
 *
 * A Redis task has several tests of one batch, so that small ones are worth the transport. If it is abandoned, each of its
 * tests becomes a task; a test that is abandoned alone is reported so. A task for threads has one test.
 *
 * Code cannot be sent, so the other thread or machine loads the scenario itself and finds each test by its number: the same
 * scenario with the same seed has the same tests. Results return as plain data; the coordinator recreates what cannot be sent.
 */
import { relative, resolve } from 'node:path';
import { invariant } from '../../base/errors.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { Agenda, type TestTask as Test, type TestTask } from '../../explore/agenda.js';

import { type Batch, type BatchOptions, batchesOf } from '../../explore/batches.js';
import { backendFor, backendNameOf } from '../../explore/choose-backend.js';
import {
  clearNotes,
  type Exploration,
  type ExploreSyncOptions,
  explorationOf,
  exploreTask,
  notes,
} from '../../explore/explore.js';
import { lineUp } from '../../explore/line-up.js';
import { Deadline } from '../../explore/model/deadline.js';
import type { Notes, TestResult } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { TestCase } from '../../explore/scenario/test-case.js';
import { loadScenario } from '../load/scenario.js';
import { codeOf, pathFromHere, rebaseNotes } from '../model/code-mismatch.js';
import type { ExploreJob } from '../model/job.js';
import {
  type BatchName,
  type Executor,
  type ExploreSetup,
  type ExploreTask,
  piecesInTask,
  type RemoteResult,
  type RunControl,
  runOf,
  silenceIn,
  type TaskOutcome,
  type TaskSource,
  type TestsResult,
  type ThreadData,
} from '../model/task.js';

type TestOptions = ExploreSyncOptions & { readonly seed: number; readonly timeout: number };

/** Explores a scenario. `job.redis` determines the form of the tasks. */
export async function exploreBy(
  executor: Executor,
  scenario: Scenario,
  job: ExploreJob,
  options: TestOptions,
  onNews: RunControl['onNews'] = () => {},
): Promise<Exploration> {
  const agenda = new Agenda(scenario, options);
  const tests = new ExploreTests(scenario, job, agenda, options);
  const isOver = () => options.shouldStop?.() === true || agenda.deadline.left <= 0;
  // tests on threads watch the time and the interruption themselves, and report what they have covered
  await executor.run(tests, { isOver: job.redis ? isOver : () => false, onNews });
  // if time ran out between two batches, this records that the next one was not started
  agenda.next();
  return explorationOf(scenario, options.seed, agenda, tests.notes);
}

class ExploreTests implements TaskSource<ExploreTask> {
  readonly notes: Notes[] = [];
  readonly #scenario: Scenario;
  readonly #agenda: Agenda;
  readonly #options: TestOptions;
  readonly #isRemote: boolean;
  readonly #until: number;
  readonly #common: Omit<ExploreTask, 'name' | 'batch' | 'tests'>;
  /** The name of a task to its tests. */
  readonly #testsOf = new Map<string, readonly Test[]>();
  /** Tests of abandoned tasks. */
  readonly #alone: Test[] = [];

  constructor(scenario: Scenario, job: ExploreJob, agenda: Agenda, options: TestOptions) {
    this.#scenario = scenario;
    this.#agenda = agenda;
    this.#options = options;
    this.#isRemote = job.redis !== undefined;
    this.#until = Date.now() + agenda.deadline.left;
    const file = this.#isRemote ? pathFromHere(job.file) : job.file;
    const code = this.#isRemote ? codeOf([job.file]) : '';
    const { spuriousWakeups } = scenario;
    this.#common = {
      kind: 'explore',
      run: runOf('explore', file, code, job.hasConfig, job.options, spuriousWakeups),
      file,
      hasConfig: job.hasConfig,
      code,
      setup: { options: job.options, spuriousWakeups },
      silence: this.#isRemote ? silenceIn(job.limits.timeout) : Number.POSITIVE_INFINITY,
    };
  }

  next(workers: number): ExploreTask | undefined {
    const alone = this.#alone.shift();
    if (alone !== undefined) return this.#taskOf([alone], 'alone');
    const tests: Test[] = [];
    for (let test = this.#agenda.next(workers); test !== undefined; test = this.#agenda.next(workers)) {
      tests.push(test);
      const { length } = this.#agenda.batchOf(test).tests;
      if (!this.#isRemote || (test.test + 1) % piecesInTask(length) === 0) break;
    }
    return tests.length === 0 ? undefined : this.#taskOf(tests, `${tests.length}`);
  }

  /** Tests after the first violation are not reported. */
  isObsolete({ name }: ExploreTask): boolean {
    return this.#tests(name).every(({ test }) => test > this.#agenda.firstViolation);
  }

  async complete({ name }: ExploreTask, outcome: TaskOutcome<ExploreTask>): Promise<void> {
    const tests = this.#tests(name);
    if (outcome.kind === 'refused') throw new ScenarioError(outcome.message);
    if (outcome.kind === 'abandoned') {
      if (outcome.isNotStarted) return;
      if (tests.length > 1) this.#alone.push(...tests);
      else this.#agenda.abandon(tests[0], outcome.reason);
      return;
    }
    for (const [i, result] of outcome.result.tests.entries()) {
      const explore = () => fromRemote(this.#scenario, tests[i], result);
      this.#agenda.complete(tests[i], result.isUndetermined ? await inOwnTask(explore) : explore());
    }
    this.notes.push(rebaseNotes(outcome.result.notes, (file) => resolve(file)));
  }

  async runHere({ name }: ExploreTask): Promise<void> {
    const [test] = this.#tests(name);
    await inOwnTask(() => exploreTask(this.#scenario, this.#agenda, test, this.#options));
  }

  #tests(name: string): readonly Test[] {
    return this.#testsOf.get(name) ?? [];
  }

  #taskOf(tests: readonly Test[], kind: string): ExploreTask {
    const [{ batch, test, deadline }] = tests;
    const name = `${batch}-${test}-${kind}`;
    this.#testsOf.set(name, tests);
    const { choice, threads, callsPerThread } = this.#agenda.batchOf(tests[0]);
    return {
      ...this.#common,
      name,
      batch: { choice, threads, callsPerThread },
      tests: tests.map((one) => ({ test: one.test, options: one.options })),
      ...(!this.#isRemote && { time: { milliseconds: deadline.left, until: this.#until } }),
    };
  }
}

/** The tests of batches by name, in the order in which the agenda has them. */
class NamedTests {
  readonly #inOrder: BatchList;
  readonly #reordered: BatchList;

  constructor(scenario: Scenario, options: BatchOptions) {
    const listOf = (seesThreads: boolean) => ({
      remaining: batchesOf(scenario, options, {
        threads: () => seesThreads,
        isSynchronous: () => false,
        isExplored: () => false,
      }),
      made: [],
    });
    this.#inOrder = listOf(false);
    this.#reordered = listOf(true);
  }

  testCaseOf({ choice, threads, callsPerThread }: BatchName, test: number): TestCase {
    const { remaining, made } = choice === 'orders' ? this.#reordered : this.#inOrder;
    const isIt = (batch: Batch) =>
      batch.choice === choice && batch.threads === threads && batch.callsPerThread === callsPerThread;
    let found = made.find(isIt);
    while (found === undefined) {
      const { done, value } = remaining.next();
      invariant(!done, 'the agenda has only batches of these options');
      made.push(value);
      if (isIt(value)) found = value;
    }
    return found.tests[test];
  }
}

interface BatchList {
  readonly remaining: Iterator<Batch, undefined>;
  readonly made: Batch[];
}

function toRemote({ test: _, backend: __, ...explored }: TestResult): RemoteResult {
  const isUndetermined = explored.violation?.kind === 'nondeterminism';
  return { explored: isUndetermined ? { ...explored, violation: undefined } : explored, isUndetermined };
}

/**
 * Recreates what was not sent. A nondeterministic test runs again, since its histories are not plain data.
 */
function fromRemote(
  scenario: Scenario,
  { testCase, options }: Pick<TestTask, 'testCase' | 'options'>,
  { explored, isUndetermined }: RemoteResult,
): TestResult {
  if (isUndetermined)
    return lineUp(
      scenario,
      testCase,
      { ...options, isCompared: true },
      new Deadline(Number.POSITIVE_INFINITY),
    );
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
      const all = { ...options, ...own, isCompared: true };
      return toRemote(lineUp({ ...scenario, spuriousWakeups }, testCase, all, deadline));
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
