/**
 * Why a test goes wrong: the smallest blocks of source that would have to be run in one step, and whether that helps.
 *
 * The traces of all violations give repairs (causes.ts), those of what was right put them in order (ranking.ts). Each is
 * then tried (verify.ts). Where one does not help, its violation joins the others and all is computed again, as
 * CAV 2020 proposes in §4 with an oracle that we have: the explorer. It ends when what comes first is
 * confirmed, on the test and on larger ones, or when time is over.
 */
import { invariant } from '../base/index.js';
import { type LineUpOptions, type Matrix, type Patience, runtime, type Scenario } from '../explore/index.js';
import type { AccessTrace } from './access-trace.js';
import { type BlamedBlock, blamed } from './blamed-block.js';
import { Causes } from './causes.js';
import { type Collected, collect } from './collect.js';
import { forbids } from './forbids.js';
import { largerTests } from './larger-tests.js';
import { type Partial, partialRepairs } from './partial-repairs.js';
import { type Ranked, ranked } from './ranking.js';
import { type Repair, repairKey } from './repair.js';
import type { PlaceOf } from './source-block.js';
import { type Verification, verify } from './verify.js';

export interface TriedRepair extends Ranked {
  readonly repair: readonly BlamedBlock[];
  /** Undefined where there was no time for it. */
  readonly verification: Verification | undefined;
  /** How many larger tests it was confirmed on. */
  readonly larger: number;
}

/** What removes only some of the violations. */
export interface PartialRepair extends Partial {
  readonly repair: readonly BlamedBlock[];
}

export interface Explanation {
  readonly collected: Collected;
  /** The best first: those that help, then those of which that is not known. */
  readonly repairs: readonly TriedRepair[];
  readonly partial: readonly PartialRepair[];
  /** Were some left out because there are too many? */
  readonly isCut: boolean;
  /** No block helps: calls that come one after another are wrong. */
  readonly isBeyondRepair: boolean;
}

/** Shares of the time that is left: to collect traces, and then to try each repair. */
const COLLECTING = 0.4;
const TRYING = 0.4;
/** Repairs after these are told, but not tried. */
const MOST_TRIED = 5;
const LARGER = 20;
/** Traces that are asked whether a block is all of its method. */
const LOOKED_AT = 200;

export interface ExplainOptions extends LineUpOptions {
  /** How many larger tests are tried. */
  readonly larger?: number;
}

/** `shown` is the failure that it is all about, if it is known. */
export function explain(
  scenario: Scenario,
  matrix: Matrix,
  shown: AccessTrace | undefined,
  options: ExplainOptions,
  patience: Patience,
): Explanation {
  return new Explaining(scenario, matrix, options, patience).run(shown);
}

class Explaining {
  readonly #scenario: Scenario;
  readonly #options: ExplainOptions;
  readonly #patience: Patience;
  readonly #placeOf: PlaceOf = (site) => runtime.sites.placeOf(site);
  readonly #causes = new Causes(this.#placeOf);
  /** The test that went wrong, and those that a repair was refuted by. */
  readonly #tests: Matrix[];
  readonly #tried = new Map<string, Verification>();
  readonly #larger = new Map<string, number>();

  constructor(scenario: Scenario, matrix: Matrix, options: ExplainOptions, patience: Patience) {
    this.#scenario = scenario;
    this.#options = options;
    this.#patience = patience;
    this.#tests = [matrix];
  }

  run(shown: AccessTrace | undefined): Explanation {
    const part = this.#patience.part(COLLECTING);
    const collected = collect(this.#scenario, this.#tests[0], this.#options, part);
    if (shown !== undefined) this.#causes.add(shown);
    for (const trace of collected.violating) this.#causes.add(trace);
    let repairs = this.#ranked(collected);
    while (this.#tryAll(repairs)) repairs = this.#ranked(collected);
    const order = { confirmed: 0, undecided: 1, refuted: 2 };
    const place = ({ verification }: TriedRepair) => order[verification?.kind ?? 'undecided'];
    const partial = partialRepairs(this.#causes, repairs, collected, this.#placeOf);
    return {
      collected,
      repairs: repairs.map((one) => this.#told(one, collected)).sort((a, b) => place(a) - place(b)),
      partial: partial.map((one) => ({ ...one, repair: this.#blamed(one.repair, collected) })),
      isCut: this.#causes.isCut,
      isBeyondRepair: this.#causes.isBeyondRepair,
    };
  }

  #ranked({ passing }: Collected): Ranked[] {
    return ranked(this.#causes.combined(), passing, this.#placeOf);
  }

  /** Tries the first repairs. Tells whether a violation was found that asks for others. */
  #tryAll(repairs: readonly Ranked[]): boolean {
    for (const { repair } of repairs.slice(0, MOST_TRIED)) if (this.#try(repair)) return true;
    const first = repairs.find(({ repair }) => this.#tried.get(repairKey(repair))?.kind === 'confirmed');
    return first !== undefined && this.#tryLarger(first.repair);
  }

  #try(repair: Repair): boolean {
    const key = repairKey(repair);
    if (this.#tried.has(key) || this.#patience.isOver()) return false;
    const part = this.#patience.part(TRYING);
    const verification = verify(this.#scenario, this.#tests, repair, this.#options, part);
    this.#tried.set(key, verification);
    return this.#joins(repair, verification);
  }

  /** A repair that stands the test, on larger ones. */
  #tryLarger(repair: Repair): boolean {
    const key = repairKey(repair);
    if (this.#larger.has(key)) return false;
    this.#larger.set(key, 0);
    const { seed, larger = LARGER } = this.#options;
    const tests = largerTests(this.#scenario, this.#tests[0], seed, larger);
    for (const [i, matrix] of tests.entries()) {
      if (this.#patience.isOver()) return false;
      const part = this.#patience.part(1 / (tests.length - i));
      const verification = verify(this.#scenario, [matrix], repair, this.#options, part);
      if (verification.kind === 'confirmed') this.#larger.set(key, this.#larger.get(key)! + 1);
      if (verification.kind !== 'refuted') continue;
      this.#tried.set(key, verification);
      return this.#joins(repair, verification);
    }
    return false;
  }

  /** A violation that a repair leaves joins the others, if that asks for another repair. */
  #joins(repair: Repair, verification: Verification): boolean {
    if (verification.kind !== 'refuted' || verification.trace === undefined) return false;
    const { matrix, trace } = verification;
    if (forbids(repair, trace, this.#placeOf) || !this.#causes.add(trace)) return false;
    if (!this.#tests.includes(matrix)) {
      this.#tests.push(matrix);
      // what was confirmed was not asked about this test
      for (const [key, { kind }] of this.#tried) if (kind === 'confirmed') this.#tried.delete(key);
    }
    return true;
  }

  #told(one: Ranked, collected: Collected): TriedRepair {
    const key = repairKey(one.repair);
    return {
      ...one,
      repair: this.#blamed(one.repair, collected),
      verification: this.#tried.get(key),
      larger: this.#larger.get(key) ?? 0,
    };
  }

  #blamed(repair: Repair, { violating, passing, explored }: Collected): BlamedBlock[] {
    const { program } = explored;
    invariant(!('backend' in program), 'threads are explained, tasks are not');
    const traces = [...violating, ...passing].slice(0, LOOKED_AT);
    return repair.map((block) => blamed(block, traces, program, this.#placeOf));
  }
}
