/**
 * Some tests of an exploration, explored anywhere with the same result: what is asked and what is answered are plain data.
 *
 * A test is told by its batch and its number there, since both follow from the scenario and the seed. How long it is
 * explored is counted in steps and not by the clock, which is another one elsewhere.
 */
import { invariant } from '../base/index.js';
import { type Batch, type BatchOptions, batchesOf } from './batches.js';
import { type Explored, type LineUpOptions, lineUp, programOfMatrix } from './line-up.js';
import { Patience } from './patience.js';
import type { Scenario } from './scenario.js';
import { type Called, runtime } from './transform/index.js';

/** Tests `from` up to, and without, `to` of a batch. */
export interface TestRange {
  readonly batch: number;
  readonly from: number;
  readonly to: number;
}

/** What tells, with the scenario, what comes of a test. */
export type TestOptions = BatchOptions & Pick<LineUpOptions, 'preemptions' | 'allowNondeterminism'>;

type Told = Exclude<Explored['violation'], undefined>;

/** What came of a test, without what follows from the scenario. */
export type TestResult = Omit<Explored, 'matrix' | 'program' | 'violation'> & {
  readonly violation: Exclude<Told, { kind: 'nondeterminism' }> | { readonly kind: 'nondeterminism' } | null;
};

export interface RangeResult {
  readonly tests: readonly TestResult[];
  readonly atomic: readonly Called[];
  readonly controlled: readonly Called[];
}

/** So often may a test look at the clock; between two looks are about 2,000 steps. */
const LOOKS = 500;

export class Tests {
  readonly #scenario: Scenario;
  readonly #options: TestOptions;
  readonly #rest: Iterator<Batch>;
  readonly #batches: Batch[] = [];
  /** Batch to how many tests come before it. */
  readonly #before: number[] = [0];

  constructor(scenario: Scenario, options: TestOptions) {
    this.#scenario = scenario;
    this.#options = options;
    this.#rest = batchesOf(scenario, options);
  }

  /** Undefined where there are no more. */
  batch(number: number): Batch | undefined {
    while (this.#batches.length <= number) {
      const next = this.#rest.next();
      if (next.done) return undefined;
      this.#batches.push(next.value);
      this.#before.push(this.#before[this.#before.length - 1] + next.value.matrices.length);
    }
    return this.#batches[number];
  }

  /** `onLook` is called often, as long as something moves. */
  explore({ batch, from, to }: TestRange, onLook: () => void): RangeResult {
    runtime.atomic.clear();
    runtime.controlled.clear();
    const tests: TestResult[] = [];
    for (let test = from; test < to; test++) tests.push(resultOf(this.#one(batch, test, onLook)));
    return {
      tests,
      atomic: [...runtime.atomic.values()],
      controlled: [...runtime.controlled.values()],
    };
  }

  /** What `resultOf` has left out. */
  restore(result: TestResult, number: number, test: number): Explored {
    const { violation } = result;
    if (violation?.kind === 'nondeterminism') return this.#one(number, test, () => {});
    const matrix = this.#matrix(number, test);
    const program = programOfMatrix(this.#scenario, matrix);
    return { ...result, matrix, program, violation: violation ?? undefined };
  }

  #one(number: number, test: number, onLook: () => void): Explored {
    let looks = 0;
    const look = () => {
      looks++;
      onLook();
    };
    const patience = new Patience(LOOKS, undefined, look, () => looks);
    const seed = this.#options.seed + this.#before[number] + test;
    const isExhaustive = this.batch(number)?.choice === 'all';
    return lineUp(
      this.#scenario,
      this.#matrix(number, test),
      { ...this.#options, seed, isExhaustive },
      patience,
    );
  }

  #matrix(number: number, test: number): Explored['matrix'] {
    const matrix = this.batch(number)?.matrices[test];
    invariant(matrix !== undefined, `test ${test} of batch ${number} is not there`);
    return matrix;
  }
}

function resultOf({ matrix: _, program: __, violation, ...rest }: Explored): TestResult {
  if (violation?.kind === 'nondeterminism') return { ...rest, violation: { kind: 'nondeterminism' } };
  return { ...rest, violation: violation ?? null };
}
