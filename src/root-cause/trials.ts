/**
 * Repairs that were tried: on the test that went wrong, and on larger ones. What was tried is known, until
 * another test joins in: then what was confirmed has not been asked about that.
 */
import type { Patience } from '../explore/model/deadline.js';
import type { LineUpOptions } from '../explore/result.js';
import type { Matrix } from '../explore/scenario/matrix.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import { largerTests } from './larger-tests.js';
import { type Repair, repairKey } from './repairs/repair.js';
import { type Verification, verify } from './verify.js';

/** The share of the time that is left that a repair may take. */
const TRYING = 0.4;
const LARGER = 20;
/** Larger tests that there is no time for, after which the others are taken to be no smaller. */
const MOST_UNDECIDED = 3;

export interface ExplainOptions extends LineUpOptions {
  /** How many larger tests are tried. */
  readonly larger?: number;
}

export class Trials {
  readonly #scenario: Scenario;
  readonly #options: ExplainOptions;
  readonly #patience: Patience;
  /** The test that went wrong, and those that a repair was refuted by. */
  readonly #tests: Matrix[];
  readonly #tried = new Map<string, Verification>();
  /** Repair to how many larger tests it was confirmed on. */
  readonly #larger = new Map<string, number>();

  constructor(scenario: Scenario, matrix: Matrix, options: ExplainOptions, patience: Patience) {
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
    if (this.#tried.has(key) || this.#patience.isOver()) return undefined;
    const part = this.#patience.part(TRYING);
    const verification = verify(this.#scenario, this.#tests, repair, this.#options, part);
    this.#tried.set(key, verification);
    return verification;
  }

  /** Tries a repair on larger tests, once. Tells of one that it does not stand. */
  tryLarger(repair: Repair): Verification | undefined {
    const key = repairKey(repair);
    if (this.#larger.has(key)) return undefined;
    this.#larger.set(key, 0);
    const { seed, larger = LARGER } = this.#options;
    let undecided = 0;
    const tests = largerTests(this.#scenario, this.#tests[0], seed, larger);
    for (const [i, matrix] of tests.entries()) {
      if (this.#patience.isOver() || undecided === MOST_UNDECIDED) return undefined;
      const part = this.#patience.part(1 / (tests.length - i));
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
  add(matrix: Matrix): void {
    if (this.#tests.includes(matrix)) return;
    this.#tests.push(matrix);
    for (const [key, { kind }] of this.#tried) if (kind === 'confirmed') this.#tried.delete(key);
  }
}
