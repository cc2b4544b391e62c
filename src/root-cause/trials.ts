/**
 * Repairs that were tried: on the test that went wrong, and on larger ones. What was tried is known, until
 * another test joins in: then what was confirmed has not been asked about that.
 */

import type { LineUpOptions } from '../explore/backend.js';
import { lineUp } from '../explore/line-up.js';
import type { Deadline } from '../explore/model/deadline.js';
import type { TestResult } from '../explore/result.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import { randomTests, type TestCase } from '../explore/scenario/test-case.js';
import { type AccessTrace, accessTrace } from './repairs/access-trace.js';
import { type Repair, repairKey } from './repairs/repair.js';

/*
 * Tests that a repair has to stand as well: random ones of the scenario's calls, with more calls than
 * the one that went wrong, by two threads and by three.
 */

function testsLargerThan(failing: TestCase, scenario: Scenario, seed: number, count: number): TestCase[] {
  const { threads, before, after } = failing;
  const calls = new Map(threads.flat().map((call) => [JSON.stringify(call), call]));
  const chosen: Scenario = {
    ...scenario,
    test: undefined,
    calls: scenario.calls.length > 0 ? scenario.calls : [...calls.values()],
    before,
    after,
  };
  const larger = threads.flat().length + 1;
  return [2, 3].flatMap((clients) =>
    randomTests(
      chosen,
      { threads: clients, callsPerThread: Math.ceil(larger / clients) },
      Math.ceil(count / 2),
      seed,
    ),
  );
}

/*
 * A repair tried: its blocks are run in one step, and everything is explored again.
 *
 *   confirmed   no violation in any schedule of the tests
 *   refuted     a test still goes wrong, and how
 *   stuck       whoever is in a block waits there for ever: it can not be run in one step
 *   undecided   time was over before all schedules were tried
 */

export type Verification =
  | { readonly kind: 'confirmed'; readonly tests: number }
  | { readonly kind: 'refuted'; readonly matrix: TestCase; readonly trace: AccessTrace | undefined }
  | { readonly kind: 'stuck' | 'undecided'; readonly tests: number };

function verify(
  scenario: Scenario,
  tests: readonly TestCase[],
  repair: Repair,
  options: LineUpOptions,
  patience: Deadline,
): Verification {
  let confirmed = 0;
  for (const [i, matrix] of tests.entries()) {
    if (patience.hasExpired()) return { kind: 'undecided', tests: confirmed };
    const part = patience.fraction(1 / (tests.length - i));
    const explored = lineUp(scenario, matrix, { ...options, blocks: repair }, part);
    if (explored.violation) return { kind: 'refuted', matrix, trace: violationTrace(explored) };
    if (!explored.coverage.some(({ kind }) => kind === 'all'))
      return {
        kind: part.hasExpired() || explored.unfinished > 0 ? 'undecided' : 'stuck',
        tests: confirmed,
      };
    confirmed++;
  }
  return { kind: 'confirmed', tests: confirmed };
}

/** How a test went wrong; undefined where no schedule tells. */
export function violationTrace({ violation, backend }: TestResult): AccessTrace | undefined {
  if (violation === undefined || violation.kind === 'nondeterminism') return undefined;
  return accessTrace(backend.trace(violation.schedule), true);
}

/** The share of the time that is left that a repair may take. */
const TRYING = 0.4;
const LARGER = 20;
/** Larger tests that there is no time for, after which the others are taken to be no smaller. */
const MOST_UNDECIDED = 3;

export interface RepairOptions extends LineUpOptions {
  /** How many larger tests are tried. */
  readonly largerTests?: number | undefined;
}

export class Trials {
  readonly #scenario: Scenario;
  readonly #options: RepairOptions;
  readonly #patience: Deadline;
  /** The test that went wrong, and those that a repair was refuted by. */
  readonly #tests: TestCase[];
  readonly #tried = new Map<string, Verification>();
  /** Repair to how many larger tests it was confirmed on. */
  readonly #larger = new Map<string, number>();

  constructor(scenario: Scenario, matrix: TestCase, options: RepairOptions, patience: Deadline) {
    this.#scenario = scenario;
    this.#options = options;
    this.#patience = patience;
    this.#tests = [matrix];
  }

  /** What is known of a repair. */
  of(repair: Repair): { readonly verification: Verification | undefined; readonly larger: number } {
    const key = repairKey(repair);
    return { verification: this.#tried.get(key), larger: this.#larger.get(key) ?? 0 };
  }

  /** Tries a repair, if there is time and it is not known. Tells what is new. */
  try(repair: Repair): Verification | undefined {
    const key = repairKey(repair);
    if (this.#tried.has(key) || this.#patience.hasExpired()) return undefined;
    const part = this.#patience.fraction(TRYING);
    const verification = verify(this.#scenario, this.#tests, repair, this.#options, part);
    this.#tried.set(key, verification);
    return verification;
  }

  /** Tries a repair on larger tests, once. Tells of one that it does not stand. */
  tryLarger(repair: Repair): Verification | undefined {
    const key = repairKey(repair);
    if (this.#larger.has(key)) return undefined;
    this.#larger.set(key, 0);
    const { seed, largerTests = LARGER } = this.#options;
    let undecided = 0;
    const tests = testsLargerThan(this.#tests[0], this.#scenario, seed, largerTests);
    for (const [i, matrix] of tests.entries()) {
      if (this.#patience.hasExpired() || undecided === MOST_UNDECIDED) return undefined;
      const part = this.#patience.fraction(1 / (tests.length - i));
      const verification = verify(this.#scenario, [matrix], repair, this.#options, part);
      if (verification.kind === 'confirmed') this.#larger.set(key, this.#larger.get(key)! + 1);
      if (verification.kind === 'undecided') undecided++;
      if (verification.kind !== 'refuted') continue;
      this.#tried.set(key, verification);
      return verification;
    }
    return undefined;
  }

  /** From now on repairs have to stand this test, too. */
  add(matrix: TestCase): void {
    if (this.#tests.includes(matrix)) return;
    this.#tests.push(matrix);
    for (const [key, { kind }] of this.#tried) if (kind === 'confirmed') this.#tried.delete(key);
  }
}
