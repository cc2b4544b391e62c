/**
 * Tries repairs: explores the failing test, and larger tests, with the blocks of a repair atomic.
 *
 *   confirmed   no schedule fails, and all were explored
 *   refuted     a schedule still fails
 *   deadlocks   a thread waits inside a block for another call, or threads wait before blocks for each other's locks
 *   undecided   a limit was reached before all schedules were explored
 *
 * Threads are run with atomic blocks (execution/atomic-blocks.ts). Tasks of an event loop cannot be delayed that way, so asynchronous
 * code is run as it is. The repair is confirmed if it forbids every execution that fails, and no call waits inside a block for another
 * call. That is necessary and not sufficient: a lock would delay calls, and the delayed executions were not run.
 *
 * Results are kept until a test is added: then what was confirmed is tried on that test as well.
 *
 * Repairs come from the executions of a test: all that violate it, and a sample of those that pass (`collect`). The sample is
 * uniform (J. Vitter, Random sampling with a reservoir, 1985), because executions that are found in sequence resemble each
 * other. The search is limited in steps, so a busy machine finds what an idle one finds; the deadline is a second limit.
 */
import { Random } from '../base/random.js';
import { Blocks, NO_RUN } from '../execution/atomic-blocks.js';
import { type LineUpOptions, stepsFor } from '../explore/backend.js';
import { lineUp } from '../explore/line-up.js';
import type { Deadline } from '../explore/model/deadline.js';
import type { Schedule, ScheduleViolation } from '../explore/model/engine.js';
import type { Trace, TraceStep, WakeUp } from '../explore/model/trace-types.js';
import type { TestResult } from '../explore/result.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import { areEqual, randomTests, type TestCase } from '../explore/scenario/test-case.js';
import { type AccessTrace, accessTrace } from './repairs/access-trace.js';
import type { PlaceOf } from './repairs/causes.js';
import { forbids } from './repairs/forbids.js';
import { type Repair, repairKey } from './repairs/repair.js';

/** A call waits inside an atomic block, so that other calls wait forever. */
export interface BlockDeadlock {
  readonly test: TestCase;
  /** A run of the program without the block that is equal up to the wait, and its steps up to there. */
  readonly trace: Trace;
  readonly steps: readonly TraceStep[];
  /** The operation that waits inside or before a block, and where. */
  readonly operation: number;
  readonly site: number;
  /** An operation that may not wait here: it waits for the first one. */
  readonly victim: number;
}

export type Verification =
  | { readonly kind: 'confirmed' | 'undecided'; readonly tests: number }
  | { readonly kind: 'refuted'; readonly result: TestResult; readonly trace: AccessTrace | undefined }
  | { readonly kind: 'deadlocks'; readonly deadlock: BlockDeadlock };

/** The trace of a violation; undefined if it has no schedule. */
export function violationTrace({ violation, backend }: TestResult): AccessTrace | undefined {
  if (violation === undefined || violation.kind === 'nondeterminism') return undefined;
  return accessTrace(backend.trace(violation.schedule), true);
}

/** The share of the remaining time for one repair. */
const TRYING = 0.4;
const LARGER = 20;
/** The share of the steps for one larger test, and its passing executions that are looked through for waits. */
const LARGER_SHARE = 0.25;
const MOST_PASSING = 10;
/** Larger tests that exceed their limit before the others are taken to be no smaller. */
const MOST_UNDECIDED = 3;

export interface RepairOptions extends LineUpOptions {
  /** The number of larger tests. */
  readonly largerTests?: number | undefined;
}

export class Trials {
  readonly #scenario: Scenario;
  readonly #options: RepairOptions;
  readonly #deadline: Deadline;
  readonly #placeOf: PlaceOf;
  readonly #first: TestCase;
  /** Tests that a repair was refuted by. */
  readonly #added: TestCase[] = [];
  readonly #tried = new Map<string, Verification>();
  /** Repair to the number of larger tests that it was confirmed on. */
  readonly #larger = new Map<string, number>();
  /** Async: the executions of each test. */
  readonly #collected = new Map<TestCase, Collected>();

  constructor(
    scenario: Scenario,
    first: Collected,
    options: RepairOptions,
    deadline: Deadline,
    placeOf: PlaceOf,
  ) {
    this.#scenario = scenario;
    this.#options = options;
    this.#deadline = deadline;
    this.#placeOf = placeOf;
    this.#first = first.result.test;
    this.#collected.set(this.#first, first);
  }

  /** What is known of a repair. */
  of(repair: Repair): { readonly verification: Verification | undefined; readonly larger: number } {
    const key = repairKey(repair);
    return { verification: this.#tried.get(key), larger: this.#larger.get(key) ?? 0 };
  }

  /** Tries a repair that was not tried yet. Returns the result. */
  try(repair: Repair): Verification | undefined {
    const key = repairKey(repair);
    if (this.#tried.has(key) || this.#deadline.hasExpired()) return undefined;
    const deadline = this.#deadline.fraction(TRYING);
    const tests = [this.#first, ...this.#added];
    let verification: Verification = { kind: 'confirmed', tests: tests.length };
    for (const [i, test] of tests.entries()) {
      const part = deadline.fraction(1 / (tests.length - i));
      const one = deadline.hasExpired() ? UNDECIDED : this.#verify(test, repair, part, 1);
      if (one.kind === 'confirmed') continue;
      verification = one.kind === 'undecided' ? { kind: 'undecided', tests: i } : one;
      break;
    }
    this.#tried.set(key, verification);
    return verification;
  }

  /** Tries a repair on larger tests, once. Returns the first result that contradicts it. */
  tryLarger(repair: Repair): Verification | undefined {
    const key = repairKey(repair);
    if (this.#larger.has(key)) return undefined;
    this.#larger.set(key, 0);
    const { seed, largerTests = LARGER } = this.#options;
    let undecided = 0;
    const tests = this.#scenario.tests
      ? otherTests(this.#scenario.tests, this.#first).slice(0, largerTests)
      : testsLargerThan(this.#first, this.#scenario, seed, largerTests);
    for (const test of tests) {
      if (this.#deadline.hasExpired() || undecided === MOST_UNDECIDED) return undefined;
      // steps limit each test; a share of the time would make the number of confirmed tests depend on the machine
      const verification = this.#verify(test, repair, this.#deadline, LARGER_SHARE);
      if (verification.kind === 'confirmed') this.#larger.set(key, this.#larger.get(key)! + 1);
      else if (verification.kind === 'undecided') undecided++;
      else {
        this.#tried.set(key, verification);
        return verification;
      }
    }
    return undefined;
  }

  /** From now on, repairs have to hold for this test, too. */
  add(test: TestCase): void {
    if (this.#added.includes(test)) return;
    this.#added.push(test);
    for (const [key, { kind }] of this.#tried) if (kind === 'confirmed') this.#tried.delete(key);
  }

  #verify(test: TestCase, repair: Repair, deadline: Deadline, share: number): Verification {
    if (this.#scenario.backend === 'async')
      return this.#judge(this.#collectedOf(test, deadline, share), repair);
    const result = lineUp(
      this.#scenario,
      test,
      { ...this.#options, blocks: repair, stepBudget: stepsFor(this.#scenario, share) },
      deadline,
    );
    const { violation, coverage } = result;
    if (violation !== undefined && violation.kind !== 'nondeterminism') {
      const { blocked, schedule, operation: victim } = violation;
      if (blocked) {
        const trace = result.backend.trace(schedule);
        const steps = trace.steps.slice(0, schedule.length);
        return { kind: 'deadlocks', deadlock: { test, trace, steps, victim, ...blocked } };
      }
      return { kind: 'refuted', result, trace: violationTrace(result) };
    }
    return coverage.some(({ kind }) => kind === 'all') ? { kind: 'confirmed', tests: 1 } : UNDECIDED;
  }

  #collectedOf(test: TestCase, deadline: Deadline, share: number): Collected {
    const known = this.#collected.get(test);
    if (known !== undefined) return known;
    const collected = collect(this.#scenario, test, this.#options, deadline, share, MOST_PASSING);
    this.#collected.set(test, collected);
    return collected;
  }

  /** Does a repair forbid every execution that fails, without a wait for another call inside a block? */
  #judge({ result, violating, violations, waits, isWhole }: Collected, repair: Repair): Verification {
    const blocks = new Blocks(repair, this.#placeOf);
    const wait = waits.find(
      ({ levels, before }) => blocks.runOf(levels) !== NO_RUN && !forbids(repair, before(), this.#placeOf),
    );
    if (wait !== undefined) {
      const { operation, by: victim, levels, trace, start } = wait;
      const site = levels[levels.length - 1].site;
      const steps = trace.awaits!.slice(0, start);
      return { kind: 'deadlocks', deadlock: { test: result.test, trace, steps, operation, site, victim } };
    }
    const left = violating.findIndex((trace) => !forbids(repair, trace, this.#placeOf));
    if (left >= 0)
      return { kind: 'refuted', result: { ...result, violation: violations[left] }, trace: violating[left] };
    return isWhole ? { kind: 'confirmed', tests: 1 } : UNDECIDED;
  }
}

const UNDECIDED: Verification = { kind: 'undecided', tests: 0 };

/** Those of a kit: its calls mean something only in its own tests. */
const otherTests = (tests: readonly TestCase[], failing: TestCase): TestCase[] =>
  tests.filter((test) => !areEqual(test, failing));

/** Random tests of the scenario's calls, with more calls than the failing test, on two threads and on three. */
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

const MOST_VIOLATING = 1_000;
const PASSING_SAMPLE = 500;

/** A call waits during an await, and another call ends this wait. */
interface WaitForCall extends WakeUp {
  readonly trace: Trace;
  /** The execution up to the start of the wait. */
  before(): AccessTrace;
}

export interface Collected {
  readonly result: TestResult;
  readonly violating: readonly AccessTrace[];
  /** The violation of each of them. */
  readonly violations: readonly ScheduleViolation[];
  readonly passing: readonly AccessTrace[];
  /** The number of equivalence classes that pass; `passing` is a sample of them. */
  readonly passed: number;
  /** Async: waits that ended because of another call. */
  readonly waits: readonly WaitForCall[];
  /** Are these all equivalence classes? */
  readonly isWhole: boolean;
}

/** `share`: the part of the steps and of the violating executions that may be used. `mostPassing`: the size of the sample. */
export function collect(
  scenario: Scenario,
  test: TestCase,
  options: LineUpOptions,
  deadline: Deadline,
  share = 1,
  mostPassing: number = PASSING_SAMPLE,
): Collected {
  const random = new Random(options.seed);
  const violations: ScheduleViolation[] = [];
  const passes: Schedule[] = [];
  const mostViolating = MOST_VIOLATING * share;
  let passed = 0;
  let isCut = false;
  const result = lineUp(
    scenario,
    test,
    {
      ...options,
      stepBudget: stepsFor(scenario, share),
      onClass: (found, schedule) => {
        if (found && violations.length >= mostViolating) isCut = true;
        else if (found) violations.push(found);
        else if (++passed <= mostPassing) passes.push(schedule());
        else {
          const place = random.below(passed);
          if (place < mostPassing) passes[place] = schedule();
        }
      },
    },
    deadline,
  );
  const waits: WaitForCall[] = [];
  const traced = (schedules: readonly Schedule[], isTimed: boolean): AccessTrace[] =>
    schedules.flatMap((schedule, i) => {
      // the first one is always traced: without it nothing is known
      if (i > 0 && deadline.hasExpired()) {
        isCut = true;
        return [];
      }
      const trace = result.backend.trace(schedule);
      waits.push(...waitsIn(trace));
      return accessTrace(trace, isTimed);
    });
  const violating = traced(
    violations.map(({ schedule }) => schedule),
    true,
  );
  const passing = traced(passes, false);
  return {
    result,
    violating,
    violations: violations.slice(0, violating.length),
    passing,
    passed,
    waits,
    isWhole: !isCut && result.coverage.some(({ kind }) => kind === 'all'),
  };
}

function waitsIn(trace: Trace): WaitForCall[] {
  const { awaits = [], wakeUps = [] } = trace;
  return wakeUps.map((wakeUp) => ({
    ...wakeUp,
    trace,
    before: () => accessTrace({ ...trace, awaits: awaits.slice(0, wakeUp.start) }, true),
  }));
}
