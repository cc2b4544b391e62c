/**
 * What an exploration does next, and what came of it so far: one test after another, until one is wrong or the time is over.
 *
 * Growing sizes have half of the time, and end with the first test of which not every schedule could
 * be tried: larger ones would take longer still. The others share what is left in equal parts, so that none takes it all.
 *
 * Tests may be handed out to several at once. What counts is their order, not who is done first: of several that are wrong,
 * the first one is told, and those after it have never been.
 */
import { type Batch, type BatchOptions, batchesOf } from './batches.js';
import { Patience } from './model/deadline.js';
import type { Explored } from './result.js';
import type { Matrix } from './scenario/matrix.js';
import type { Scenario } from './scenario/scenario.js';

export interface AgendaOptions extends BatchOptions {
  readonly preemptions?: number | undefined;
  readonly milliseconds: number;
  /** Does a violation not end it? */
  readonly keepGoing?: boolean | undefined;
  readonly interrupted?: (() => boolean) | undefined;
  /** Called from time to time, with what there is so far. */
  readonly onProgress?: ((batches: readonly ExploredBatch[]) => void) | undefined;
}

/** A batch, and what came of those of its tests that were begun. */
export interface ExploredBatch extends Batch {
  readonly explored: readonly Explored[];
}

/** A test of which nobody could tell what comes of it, and why. */
export interface SetAside {
  readonly batch: Batch;
  readonly test: number;
  readonly why: string;
}

/** A test to explore: which one, and how. */
export interface Task {
  readonly batch: number;
  readonly test: number;
  readonly matrix: Matrix;
  readonly options: { readonly seed: number; readonly isExhaustive: boolean };
  readonly patience: Patience;
}

/** The share of the time in which sizes grow; and of that, what one test may take. */
const GROWING = 0.5;
const ONE_TEST = 0.5;
/** Milliseconds that a random test gets that nobody has asked for. */
const LEAST = 2_000;

/** More than any number of a test, and still one of 32 bits. */
const NONE_WRONG = 2 ** 31 - 1;

/** A batch with what came of each test; holes where it is not known yet. */
interface Page extends Batch {
  readonly explored: (Explored | undefined)[];
}

export class Agenda {
  readonly patience: Patience;
  readonly #options: AgendaOptions;
  readonly #growing: Patience;
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
  readonly #setAside: (SetAside & { readonly page: number })[] = [];
  /** The first test of the last batch that is known to be wrong: those after it are of no use. */
  firstWrong: number = NONE_WRONG;

  constructor(scenario: Scenario, options: AgendaOptions) {
    this.#options = options;
    this.#coming = batchesOf(scenario, options, () => this.#seesThreads);
    const { milliseconds, interrupted, onProgress } = options;
    this.patience = new Patience(milliseconds, interrupted, () => onProgress?.(this.batches));
    this.#growing = this.patience.part(GROWING);
  }

  /** The next test; undefined where there is none, or none yet as long as others are under way. `jobs`: how many share the time. */
  next(jobs = 1): Task | undefined {
    if (!this.#hasTests() && !this.#turnPage()) return undefined;
    const page = this.#pages[this.#pages.length - 1];
    const isAll = isOfGrowing(page);
    if (this.patience.isOver() || (isAll && this.#growing.isOver())) {
      this.#isClosed = true;
      return this.next(jobs);
    }
    const test = this.#handedOut++;
    this.#underWay++;
    const equal = jobs / (page.matrices.length - test);
    // a few that are explored tell more than many that were hardly begun
    const least = page.isAskedFor ? 0 : LEAST / this.patience.left;
    const share = Math.min(1, Math.max(equal, least));
    return {
      batch: this.#pages.length - 1,
      test,
      matrix: page.matrices[test],
      options: { seed: this.#options.seed + this.#before + test, isExhaustive: isAll },
      patience: isAll ? this.#growing.part(ONE_TEST) : this.patience.part(share),
    };
  }

  done({ batch, test }: Task, explored: Explored): void {
    const page = this.#pages[batch];
    this.#underWay--;
    if (test > this.firstWrong) return;
    page.explored[test] = explored;
    this.#seesThreads ||= explored.seesThreads;
    const isEnding = explored.violation !== undefined && !this.#options.keepGoing;
    if (isEnding) {
      this.firstWrong = test;
      page.explored.length = test + 1;
    }
    if (isEnding || (isOfGrowing(page) && !this.#isCovered(explored))) this.#isClosed = true;
  }

  /** Nobody could tell what comes of it. */
  isSetAside({ batch, test }: Task, why: string): void {
    this.#underWay--;
    if (test > this.firstWrong) return;
    this.#setAside.push({ batch: this.#pages[batch], page: batch, test, why });
    if (isOfGrowing(this.#pages[batch])) this.#isClosed = true;
  }

  batchOf({ batch }: Task): Batch {
    return this.#pages[batch];
  }

  /** Are tests under way? */
  get isWaiting(): boolean {
    return this.#underWay > 0;
  }

  get batches(): ExploredBatch[] {
    return this.#pages.map((page) => ({
      ...page,
      explored: page.explored.filter((one) => one !== undefined),
    }));
  }

  /** In the order of the tests. */
  get setAside(): SetAside[] {
    const inOrder = [...this.#setAside].sort((a, b) => a.page - b.page || a.test - b.test);
    return inOrder.map(({ batch, test, why }) => ({ batch, test, why }));
  }

  get verdict(): {
    verdict: 'holds' | 'violation' | 'undecided';
    reason?: 'time' | 'interrupted' | 'steps' | 'set aside';
  } {
    const { batches } = this;
    if (batches.some(({ explored }) => explored.some(({ violation }) => violation)))
      return { verdict: 'violation' };
    if (this.patience.isInterrupted) return { verdict: 'undecided', reason: 'interrupted' };
    if (batches.every((batch) => !batch.isAskedFor || this.#isWhole(batch))) return { verdict: 'holds' };
    if (this.#setAside.length > 0) return { verdict: 'undecided', reason: 'set aside' };
    const isGivenUp = batches.some(({ explored }) => explored.some(({ unfinished }) => unfinished > 0));
    return { verdict: 'undecided', reason: isGivenUp ? 'steps' : 'time' };
  }

  #hasTests(): boolean {
    const page = this.#pages.at(-1);
    return page !== undefined && !this.#isClosed && this.#handedOut < page.matrices.length;
  }

  /** Goes to the next batch, when all of the last one is done. */
  #turnPage(): boolean {
    if (this.#underWay > 0) return false;
    if (this.firstWrong < NONE_WRONG) return false;
    const last = this.#pages.at(-1);
    if (last) this.#before += last.matrices.length;
    if (last)
      this.#isGrowing &&= this.#isWhole({
        ...last,
        explored: last.explored.filter((one) => one !== undefined),
      });
    for (let { done, value } = this.#coming.next(); !done; { done, value } = this.#coming.next()) {
      const batch = value as Batch;
      // sizes end where one was not covered; random tests are for whoever has not had all of their size
      if (isOfGrowing(batch) ? !this.#isGrowing : this.#isGrowing && isOfSize(last, batch)) continue;
      if (batch.matrices.length === 0) continue;
      this.#pages.push({ ...batch, explored: [] });
      this.#handedOut = 0;
      this.#isClosed = false;
      return true;
    }
    return false;
  }

  #isWhole({ explored, matrices }: ExploredBatch): boolean {
    return explored.length === matrices.length && explored.every((one) => this.#isCovered(one));
  }

  /** What is wrong is known: there is no more to cover. */
  #isCovered({ coverage, violation }: Explored): boolean {
    if (violation) return true;
    const isBounded = this.#options.preemptions !== undefined;
    return coverage.some(({ kind }) => kind === 'all' || (kind === 'bound' && isBounded));
  }
}

/** Every test of a size. */
const isOfGrowing = ({ choice }: Batch): boolean => choice === 'all' || choice === 'orders';

const isOfSize = (batch: Batch | undefined, { threads, callsPerThread }: Batch): boolean =>
  batch?.threads === threads && batch.callsPerThread === callsPerThread;
