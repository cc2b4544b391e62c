/**
 * The tests of an exploration in order, and their results: until a test has a violation or the time is over.
 *
 * Growing sizes have half of the time. They end with the first test whose schedules could not all be explored, because
 * larger tests would take longer still. The other tests share the rest of the time in equal parts.
 *
 * Several threads may explore tests at once. The order of the tests counts, not the order of results: of several
 * violations the first is reported, and results of later tests are dropped.
 */
import type { LimitReason } from '../check/model/verdict.js';
import type { CalledFunction } from '../instrument/runtime/calls.js';
import { type Batch, type BatchOptions, batchesOf, isSizeGiven } from './batches.js';
import { Deadline } from './model/deadline.js';
import type { TestResult } from './result.js';
import type { Scenario } from './scenario/scenario.js';
import type { TestCase } from './scenario/test-case.js';

export interface AgendaOptions extends BatchOptions {
  readonly maxPreemptions?: number | undefined;
  readonly timeout: number;
  /** Does a violation not end it? */
  readonly keepGoing?: boolean | undefined;
  readonly shouldStop?: (() => boolean) | undefined;
  /** Called from time to time, with what there is so far. */
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

/**
 * Why an exploration is undecided: a limit, abandoned tests, a size with too many tests to run them all, or code whose
 * accesses were not observed.
 */
export type UndecidedReason = LimitReason | 'abandoned' | 'tests' | 'unobserved';

/** What the code under test did that is no result. */
export interface Notes {
  /** Functions that ran atomically because they are not instrumented; sources of time and randomness that were replaced. */
  readonly atomic: readonly CalledFunction[];
  readonly controlled: readonly CalledFunction[];
}

/** A test to explore: which one, and how. */
export interface TestTask {
  readonly batch: number;
  readonly test: number;
  readonly testCase: TestCase;
  readonly options: { readonly seed: number; readonly isExhaustive: boolean };
  readonly deadline: Deadline;
}

/** The share of the time in which sizes grow; and of that, what one test may take. */
const GROWING = 0.5;
const ONE_TEST = 0.5;
/** Milliseconds for a random test that was not requested. */
const LEAST = 2_000;

/** More than any number of a test, and still one of 32 bits. */
const NONE_WRONG = 2 ** 31 - 1;

/** A batch with the result of each test; holes where it is not known yet. */
interface Page extends Batch {
  readonly results: (TestResult | undefined)[];
}

export class Agenda {
  readonly deadline: Deadline;
  readonly #options: AgendaOptions;
  readonly #growing: Deadline;
  readonly #isSizeGiven: boolean;
  readonly #coming: Iterator<Batch>;
  readonly #pages: Page[] = [];
  /** How many tests of the last batch were handed out, and how many of those are not done. */
  #handedOut = 0;
  #underWay = 0;
  #isGrowing = true;
  #seesThreads = false;
  /** No test of the last batch is handed out any more. */
  #isClosed = false;
  /** How many tests the batches before the last one have. */
  #before = 0;
  /** What each test noted. */
  readonly noted: Notes[] = [];
  readonly #abandoned: (AbandonedTest & { readonly page: number })[] = [];
  /** The first test of the last batch that is known to be wrong: those after it are of no use. */
  firstViolation: number = NONE_WRONG;

  constructor(scenario: Scenario, options: AgendaOptions) {
    this.#options = options;
    this.#isSizeGiven = isSizeGiven(scenario, options);
    this.#coming = batchesOf(scenario, options, () => this.#seesThreads);
    const { timeout, shouldStop, onProgress } = options;
    this.deadline = new Deadline(timeout, shouldStop, () => onProgress?.(this.batches));
    this.#growing = this.deadline.fraction(GROWING);
  }

  /** The next test; undefined where there is none, or none yet as long as others are under way. `jobs`: how many share the time. */
  next(jobs = 1): TestTask | undefined {
    if (!this.#hasTests() && !this.#turnPage()) return undefined;
    const page = this.#pages[this.#pages.length - 1];
    const isAll = isOfGrowing(page);
    if (this.deadline.hasExpired() || (isAll && this.#growing.hasExpired())) {
      this.#isClosed = true;
      return this.next(jobs);
    }
    const test = this.#handedOut++;
    this.#underWay++;
    const equal = jobs / (page.tests.length - test);
    // a few that are explored tell more than many that were hardly begun
    const least = page.isAskedFor ? 0 : LEAST / this.deadline.left;
    const share = Math.min(1, Math.max(equal, least));
    return {
      batch: this.#pages.length - 1,
      test,
      testCase: page.tests[test],
      options: { seed: this.#options.seed + this.#before + test, isExhaustive: isAll },
      deadline: isAll ? this.#growing.fraction(ONE_TEST) : this.deadline.fraction(share),
    };
  }

  complete({ batch, test }: TestTask, explored: TestResult): void {
    const page = this.#pages[batch];
    this.#underWay--;
    if (test > this.firstViolation) return;
    page.results[test] = explored;
    this.#seesThreads ||= explored.seesThreads;
    const isEnding = explored.violation !== undefined && !this.#options.keepGoing;
    if (isEnding) {
      this.firstViolation = test;
      page.results.length = test + 1;
    }
    if (isEnding || (isOfGrowing(page) && !this.#isCovered(explored))) this.#isClosed = true;
  }

  /** The result of a test cannot be known. */
  abandon({ batch, test }: TestTask, reason: string): void {
    this.#underWay--;
    if (test > this.firstViolation) return;
    this.#abandoned.push({ batch: this.#pages[batch], page: batch, test, reason });
    if (isOfGrowing(this.#pages[batch])) this.#isClosed = true;
  }

  batchOf({ batch }: TestTask): Batch {
    return this.#pages[batch];
  }

  /** Are tests under way? */
  get isWaiting(): boolean {
    return this.#underWay > 0;
  }

  get batches(): ExploredBatch[] {
    return this.#pages.map((page) => ({
      ...page,
      results: page.results.filter((one) => one !== undefined),
    }));
  }

  /** In the order of the tests. */
  get abandoned(): AbandonedTest[] {
    const inOrder = [...this.#abandoned].sort((a, b) => a.page - b.page || a.test - b.test);
    return inOrder.map(({ batch, test, reason }) => ({ batch, test, reason }));
  }

  get verdict(): { verdict: 'holds' | 'violation' | 'undecided'; reason?: UndecidedReason } {
    const { batches } = this;
    if (batches.some(({ results }) => results.some(({ violation }) => violation)))
      return { verdict: 'violation' };
    if (this.deadline.isInterrupted) return { verdict: 'undecided', reason: 'interrupted' };
    // random tests that were not asked for replace a size that was not covered
    const isCut =
      this.#isSizeGiven && batches.some(({ choice, isAskedFor }) => choice === 'random' && !isAskedFor);
    if (!isCut && batches.every((batch) => !batch.isAskedFor || this.#isWhole(batch)))
      return { verdict: 'holds' };
    if (this.#abandoned.length > 0) return { verdict: 'undecided', reason: 'abandoned' };
    if (this.#isGrowing && isCut) return { verdict: 'undecided', reason: 'tests' };
    const isGivenUp = batches.some(({ results }) => results.some(({ unfinished }) => unfinished > 0));
    return { verdict: 'undecided', reason: isGivenUp ? 'steps' : 'time' };
  }

  #hasTests(): boolean {
    const page = this.#pages.at(-1);
    return page !== undefined && !this.#isClosed && this.#handedOut < page.tests.length;
  }

  /** Goes to the next batch, when all of the last one is done. */
  #turnPage(): boolean {
    if (this.#underWay > 0) return false;
    if (this.firstViolation < NONE_WRONG) return false;
    const last = this.#pages.at(-1);
    if (last) this.#before += last.tests.length;
    if (last)
      this.#isGrowing &&= this.#isWhole({
        ...last,
        results: last.results.filter((one) => one !== undefined),
      });
    for (let { done, value } = this.#coming.next(); !done; { done, value } = this.#coming.next()) {
      const batch = value as Batch;
      // sizes end where one was not covered; random tests follow unless all of their size was covered
      if (isOfGrowing(batch) ? !this.#isGrowing : this.#isGrowing && isOfSize(last, batch)) continue;
      if (batch.tests.length === 0) continue;
      this.#pages.push({ ...batch, results: [] });
      this.#handedOut = 0;
      this.#isClosed = false;
      return true;
    }
    return false;
  }

  #isWhole({ results, tests }: ExploredBatch): boolean {
    return results.length === tests.length && results.every((one) => this.#isCovered(one));
  }

  /** What is wrong is known: there is no more to cover. */
  #isCovered({ coverage, violation }: TestResult): boolean {
    if (violation) return true;
    const isBounded = this.#options.maxPreemptions !== undefined;
    return coverage.some(({ kind }) => kind === 'all' || (kind === 'bound' && isBounded));
  }
}

/** Every test of a size. */
const isOfGrowing = ({ choice }: Batch): boolean => choice === 'all' || choice === 'orders';

const isOfSize = (batch: Batch | undefined, { threads, callsPerThread }: Batch): boolean =>
  batch?.threads === threads && batch.callsPerThread === callsPerThread;
