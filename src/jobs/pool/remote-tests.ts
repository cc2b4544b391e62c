/**
 * Tests that another thread or machine explores. Code cannot be sent, so it loads the scenario itself and finds each test by
 * its number: the same scenario with the same seed has the same tests. Results return as plain data; the coordinator
 * recreates what cannot be sent.
 */
import type { TestTask } from '../../explore/agenda.js';
import { type Batch, type BatchOptions, batchesOf } from '../../explore/batches.js';
import { backendFor } from '../../explore/choose-backend.js';
import { lineUp } from '../../explore/line-up.js';
import { Deadline } from '../../explore/model/deadline.js';
import type { TestResult } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { TestCase } from '../../explore/scenario/test-case.js';
import type { BatchName, RemoteResult } from '../model/task.js';

export class NamedTests {
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

export function toRemote({ test: _, backend: __, ...explored }: TestResult): RemoteResult {
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
