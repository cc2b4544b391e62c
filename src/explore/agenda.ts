/**
 * The tests of an exploration in order, and their results: until a test has a violation or the time limit is reached.
 *
 * Growing sizes have half of the time. They end with the first test whose schedules could not all be explored, because
 * larger tests would take longer still; sizes that have to be covered are tried even if another one was not covered. The other
 * tests share the rest of the time in equal parts. A limit on executions is shared in the same way.
 *
 * Several threads may explore tests at once. The order of the tests counts, not the order of results: of several
 * violations the first is reported, and results of later tests are dropped.
 */
import { SharedStates } from './async/client-names.js';
import { type Batch, type BatchOptions, batchesOf, requiredSize } from './batches.js';
import { Deadline } from './model/deadline.js';
import { DEFAULT_MAX_STEPS } from './model/engine.js';
import { type Assumption, assumptionsOf, isCovered, type Notes, type TestResult } from './result.js';
import type { Scenario } from './scenario/scenario.js';
import type { Size, TestCase } from './scenario/test-case.js';

export interface AgendaOptions extends BatchOptions {
  readonly maxPreemptions?: number | undefined;
  /** Abandon a run after this many steps. */
  readonly maxSteps?: number | undefined;
  readonly timeout: number;
  /** Stop after about this many executions. */
  readonly maxExecutions?: number | undefined;
  /** Continue after a violation. */
  readonly keepGoing?: boolean | undefined;
  readonly shouldStop?: (() => boolean) | undefined;
  /** Called from time to time with the results so far. */
  readonly onProgress?: ((batches: readonly ExploredBatch[]) => void) | undefined;
}

/** A batch, and the results of its tests that were started. */
export interface ExploredBatch extends Batch {
  readonly results: readonly TestResult[];
}

/** A test without a result, and the reason. */
export interface AbandonedTest {
  readonly batch: Batch;
  readonly test: number;
  readonly reason: string;
}

/** A test to explore: which one, and how. */
export interface TestTask {
  readonly batch: number;
  readonly test: number;
  readonly testCase: TestCase;
  readonly options: {
    readonly seed: number;
    readonly isExhaustive: boolean;
    readonly maxExecutions?: number | undefined;
  };
  readonly deadline: Deadline;
}

/** The share of the time in which sizes grow; and of that, what one test may take. */
const GROWING = 0.5;
const ONE_TEST = 0.5;
/** Milliseconds for a random test that was not requested. */
const LEAST = 2_000;

/** States that tests share, at most: some hundred megabytes. */
const MOST_SHARED = 500_000;

/** Larger than any test number; fits in 32 bits. */
const NO_VIOLATION = 2 ** 31 - 1;

/** A batch and the results of its tests; undefined where there is none yet. */
interface BatchState extends Batch {
  readonly results: (TestResult | undefined)[];
}

export class Agenda {
  readonly deadline: Deadline;
  readonly #scenario: Scenario;
  readonly #options: AgendaOptions;
  readonly #growing: Deadline;
  /** All tests up to this size have to be covered. */
  readonly requiredSize: Size;
  readonly #remaining: Iterator<Batch>;
  readonly #states: BatchState[] = [];
  #shared: SharedStates;
  /** How many tests of the last batch were started, and how many of those have not finished. */
  #handedOut = 0;
  #underWay = 0;
  /** Was every size covered so far; and if not, was one of the others required? */
  #uncovered: 'none' | 'optional' | 'required' = 'none';
  /** Tests of a required size were left out, because others were not covered, or because there are too many. */
  #isCut = false;
  #hasTooManyTests = false;
  #seesThreads = false;
  /** Has every call returned without waiting so far? */
  #isSynchronous: boolean;
  /** No more tests of the last batch are started. */
  #isClosed = false;
  /** How many tests the batches before the last one have. */
  #before = 0;
  /** The observations of each test. */
  readonly noted: Notes[] = [];
  readonly #abandoned: (AbandonedTest & { readonly position: number })[] = [];
  /** The first test of the last batch with a violation; later tests are obsolete. */
  firstViolation: number = NO_VIOLATION;

  constructor(scenario: Scenario, options: AgendaOptions) {
    this.#scenario = scenario;
    this.#options = options;
    this.#isSynchronous = scenario.backend === 'async';
    this.#shared = new SharedStates(scenario.spec !== undefined);
    this.requiredSize = requiredSize(scenario, options);
    this.#remaining = batchesOf(scenario, options, {
      threads: () => this.#seesThreads,
      isSynchronous: () => this.#isSynchronous,
      isExplored: () => this.#states.at(-1)?.results.some((one) => one && isExplored(one)) ?? false,
    });
    const { timeout, shouldStop, onProgress } = options;
    this.deadline = new Deadline(timeout, shouldStop, () => onProgress?.(this.batches));
    this.#growing = this.deadline.fraction(GROWING);
  }

  /** For the next test, which then does not explore what earlier tests have explored. */
  get shared(): SharedStates {
    if (this.#shared.states.size > MOST_SHARED)
      this.#shared = new SharedStates(this.#scenario.spec !== undefined);
    return this.#shared;
  }

  /** The next test; undefined if there is none, or none until the running ones finish. `jobs`: how many share the time. */
  next(jobs = 1): TestTask | undefined {
    if (!this.#hasTests() && !this.#nextBatch()) return undefined;
    const state = this.#states[this.#states.length - 1];
    const isAll = isExhaustiveBatch(state);
    const executions = this.#executionsLeft;
    if (this.deadline.hasExpired() || executions === 0 || (isAll && this.#growing.hasExpired())) {
      this.#isClosed = true;
      return this.next(jobs);
    }
    const test = this.#handedOut++;
    this.#underWay++;
    const equal = jobs / (state.tests.length - test);
    // few well-explored tests are better than many barely started
    const least = state.isRequired ? 0 : LEAST / this.deadline.left;
    const share = Math.min(1, Math.max(equal, least));
    return {
      batch: this.#states.length - 1,
      test,
      testCase: state.tests[test],
      options: {
        seed: this.#options.seed + this.#before + test,
        isExhaustive: isAll,
        ...(executions !== undefined && {
          maxExecutions: Math.ceil(executions * (isAll ? ONE_TEST : Math.min(1, equal))),
        }),
      },
      deadline: isAll ? this.#growing.fraction(ONE_TEST) : this.deadline.fraction(share),
    };
  }

  complete({ batch, test }: TestTask, explored: TestResult): void {
    const state = this.#states[batch];
    this.#underWay--;
    if (test > this.firstViolation) return;
    state.results[test] = explored;
    this.#seesThreads ||= explored.seesThreads;
    this.#isSynchronous &&= explored.isSynchronous;
    if (state.choice === 'random' && !state.isRequired)
      this.#isClosed = !state.results.some((one) => one && isExplored(one));
    const isEnding = explored.violation !== undefined && !this.#options.keepGoing;
    if (isEnding) {
      this.firstViolation = test;
      state.results.length = test + 1;
    }
    if (isEnding || (isExhaustiveBatch(state) && !isCovered(explored, this.#options.maxPreemptions)))
      this.#isClosed = true;
  }

  /** Records that a test has no result. */
  abandon({ batch, test }: TestTask, reason: string): void {
    this.#underWay--;
    if (test > this.firstViolation) return;
    this.#abandoned.push({ batch: this.#states[batch], position: batch, test, reason });
    if (isExhaustiveBatch(this.#states[batch])) this.#isClosed = true;
  }

  batchOf({ batch }: TestTask): Batch {
    return this.#states[batch];
  }

  /** Are tests running? */
  get isWaiting(): boolean {
    return this.#underWay > 0;
  }

  get batches(): ExploredBatch[] {
    return this.#states.map((state) => ({
      ...state,
      results: state.results.filter((one) => one !== undefined),
    }));
  }

  /** In the order of the tests. */
  get abandoned(): AbandonedTest[] {
    const inOrder = [...this.#abandoned].sort((a, b) => a.position - b.position || a.test - b.test);
    return inOrder.map(({ batch, test, reason }) => ({ batch, test, reason }));
  }

  /** Under which assumptions the results so far cover all that was asked for. `notes`: of all tests. */
  assumptions(notes: Notes): Assumption[] {
    const { batches } = this;
    const { maxPreemptions, maxExecutions } = this.#options;
    const { backend } = this.#scenario;
    const { maxSteps = DEFAULT_MAX_STEPS[backend === 'async' ? 'async' : 'threads'] } = this.#options;
    return assumptionsOf({
      scenario: this.#scenario,
      batches,
      isInterrupted: this.deadline.isInterrupted,
      hasAbandoned: this.#abandoned.length > 0,
      isCut: this.#isCut || this.#hasTooManyTests,
      hasTooManyTests: this.#hasTooManyTests && this.#uncovered !== 'required',
      limit: maxExecutions === undefined || this.deadline.left <= 0 ? 'time' : 'executions',
      maxPreemptions,
      maxSteps,
      notes,
    });
  }

  /** Undefined without a limit. */
  get #executionsLeft(): number | undefined {
    const { maxExecutions } = this.#options;
    if (maxExecutions === undefined) return undefined;
    const results = this.#states.flatMap((state) => state.results);
    return Math.max(
      0,
      results.reduce((left, one) => left - (one?.schedules ?? 0), maxExecutions),
    );
  }

  #hasTests(): boolean {
    const state = this.#states.at(-1);
    return state !== undefined && !this.#isClosed && this.#handedOut < state.tests.length;
  }

  /** Starts the next batch once all tests of the last one have finished. */
  #nextBatch(): boolean {
    if (this.#underWay > 0) return false;
    if (this.firstViolation < NO_VIOLATION) return false;
    const last = this.#states.at(-1);
    if (last) this.#before += last.tests.length;
    if (last && isExhaustiveBatch(last) && this.#uncovered !== 'required')
      if (!this.#isWhole(last)) this.#uncovered = last.isRequired ? 'required' : 'optional';
    for (let next = this.#remaining.next(); !next.done; next = this.#remaining.next()) {
      const batch = next.value;
      if (batch.isTooLarge) this.#hasTooManyTests = true;
      else if (!this.#isNeeded(batch, last)) this.#isCut ||= batch.isRequired;
      else if (batch.tests.length > 0) {
        this.#states.push({ ...batch, results: [] });
        this.#handedOut = 0;
        this.#isClosed = false;
        return true;
      }
    }
    return false;
  }

  /** Sizes end where one was not covered; random tests follow unless all of their size was covered, or nothing is left for them. */
  #isNeeded(batch: Batch, last: Batch | undefined): boolean {
    if (last?.choice === 'random' && (this.deadline.hasExpired() || this.#executionsLeft === 0)) return false;
    if (!isExhaustiveBatch(batch)) {
      const own = this.#states.filter((state) => isExhaustiveBatch(state) && isOfSize(state, batch));
      return own.length === 0 || !own.every((state) => this.#isWhole(state));
    }
    return this.#uncovered === 'none' || (this.#uncovered === 'optional' && batch.isRequired);
  }

  #isWhole({ results, tests }: BatchState): boolean {
    const { maxPreemptions } = this.#options;
    const own = results.filter((one) => one !== undefined);
    return own.length === tests.length && own.every((one) => isCovered(one, maxPreemptions));
  }
}

/** Was a schedule run? Otherwise the expected results could not be learned: because there are too many runs, unless one does not end. */
const isExplored = ({ schedules, violation, unfinished }: TestResult): boolean =>
  schedules !== 0 || violation !== undefined || unfinished > 0;

/** Are these all tests of a size? */
const isExhaustiveBatch = ({ choice }: Batch): boolean => choice === 'all' || choice === 'orders';

const isOfSize = (batch: Batch | undefined, { threads, callsPerThread }: Batch): boolean =>
  batch?.threads === threads && batch.callsPerThread === callsPerThread;
