/**
 * Tests that another thread or machine explores. It has the scenario for itself, since code can not be sent, and finds
 * each test by its number: the same scenario with the same seed has the same tests. What came of it is sent back as
 * plain data, and what can not be sent is made again by whoever asked.
 */
import type { TestTask } from '../../explore/agenda.js';
import { type Batch, type BatchOptions, batchesOf } from '../../explore/batches.js';
import { backendFor } from '../../explore/choose-backend.js';
import { lineUp } from '../../explore/line-up.js';
import { Deadline } from '../../explore/model/deadline.js';
import type { TestResult } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { TestCase } from '../../explore/scenario/test-case.js';
import type { BatchName, Sent } from '../model/task.js';

export class NamedTests {
  readonly #coming: Iterator<Batch>;
  readonly #batches: Batch[] = [];

  constructor(scenario: Scenario, options: BatchOptions) {
    this.#coming = batchesOf(scenario, options, () => true);
  }

  matrixOf({ choice, threads, callsPerThread }: BatchName, test: number): TestCase {
    const isIt = (batch: Batch) =>
      batch.choice === choice && batch.threads === threads && batch.callsPerThread === callsPerThread;
    let found = this.#batches.find(isIt);
    while (found === undefined) {
      const batch = this.#coming.next().value as Batch;
      this.#batches.push(batch);
      if (isIt(batch)) found = batch;
    }
    return found.tests[test];
  }
}

export function sentOf({ test: _, backend: __, ...explored }: TestResult): Sent {
  const isUndetermined = explored.violation?.kind === 'nondeterminism';
  return { explored: isUndetermined ? { ...explored, violation: undefined } : explored, isUndetermined };
}

/** With what could not be sent. */
export function madeOf(
  scenario: Scenario,
  { testCase, options }: Pick<TestTask, 'testCase' | 'options'>,
  { explored, isUndetermined }: Sent,
): TestResult {
  if (isUndetermined) return lineUp(scenario, testCase, options, new Deadline(Number.POSITIVE_INFINITY));
  // what is undefined does not survive JSON
  return {
    ...explored,
    violation: explored.violation,
    warnings: explored.warnings,
    test: testCase,
    backend: backendFor(scenario, testCase),
  };
}
