/**
 * Explains a failing test: the smallest blocks of source that must be atomic, or the reason why no block suffices.
 *
 * The traces of all violations give repairs (repairs/causes.ts), the traces of passing executions rank them (repairs/forbids.ts). Each
 * repair is then tried (trials.ts). The violation that refutes a repair joins the others, and the repairs are computed again, as
 * CAV 2020 proposes in §4 with an oracle; here the explorer is the oracle. The loop ends when the first repair is confirmed, on the
 * failing test and on larger ones, or at a limit.
 *
 * A block is a diagnosis: the text of a program with that block was not explored.
 */

import { ResultReference } from '../base/values/result-reference.js';
import { resolveLimits } from '../check/model/budget.js';
import { inOwnTask } from '../event-loop/own-task.js';
import { stepsFor } from '../explore/backend.js';
import { lineUp } from '../explore/line-up.js';
import { Deadline } from '../explore/model/deadline.js';
import type { Trace } from '../explore/model/trace-types.js';
import type { TestResult } from '../explore/result.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import type { TestCase } from '../explore/scenario/test-case.js';
import type { PlainCall } from '../instrument/instrumented-program.js';
import { runtime } from '../instrument/runtime/runtime.js';
import { type BlamedBlock, blamed, type TracedTest } from './blamed-block.js';
import type { AccessTrace } from './repairs/access-trace.js';
import { Causes, type PlaceOf } from './repairs/causes.js';
import {
  forbids,
  type Partial,
  partialRepairs,
  type Ranked,
  ranked,
  withJoinedBlocks,
} from './repairs/forbids.js';
import { linesKey, type Repair, repairKey } from './repairs/repair.js';
import {
  type BlockDeadlock,
  type Collected,
  collect,
  type RepairOptions,
  Trials,
  type Verification,
  violationTrace,
} from './trials.js';

export interface TriedRepair extends Ranked {
  readonly repair: readonly BlamedBlock[];
  /** Undefined if the limit was reached first. */
  readonly verification: Verification | undefined;
  /** The number of larger tests, or of other tests of a kit, that it was confirmed on. */
  readonly larger: number;
}

/** Removes only some of the violations. */
export interface PartialRepair extends Partial {
  readonly repair: readonly BlamedBlock[];
}

/** Another test than the given one that fails, and that a block of the first repair was added for. */
interface CauseTest {
  /** With its violation, so that it can be saved and run again. */
  readonly result: TestResult;
  /** The blocks of the first repair that this test needs, from 0. */
  readonly blocks: readonly number[];
}

/** Blocks of source that must be atomic, and how that was tried; or why no block suffices. */
export interface Explanation {
  readonly collected: Collected;
  /** Is the test one of a kit? Then blocks are tried on its other tests, not on larger ones. */
  readonly isKit: boolean;
  /** Confirmed repairs, then those that were not decided; of each the best first. */
  readonly repairs: readonly TriedRepair[];
  /** Repairs that do not suffice, or that would deadlock. */
  readonly refuted: readonly TriedRepair[];
  readonly partial: readonly PartialRepair[];
  readonly tests: readonly CauseTest[];
  /** Only if `repairs` is empty, and no limit was reached. */
  readonly reason: NoBlockReason | undefined;
  /** Were some left out because there are too many? */
  readonly isCut: boolean;
}

/** The share of the time in which traces are collected. */
const COLLECTING = 0.4;
/** Repairs after these are listed, but not tried. */
const MOST_TRIED = 5;
/** Traces that determine whether a block is all of its method. */
const MOST_TRACES = 200;

const placeOf: PlaceOf = (site) => runtime.sites.placeOf(site);

/** Options of `explain`. */
export interface ExplainOptions {
  /** Wall-clock time: milliseconds, or a text such as `'60s'`. Default: 60 seconds. */
  readonly timeout?: number | string | undefined;
  /** Seed of random choices. Default: 1. */
  readonly seed?: number | undefined;
  /** The number of larger tests that a repair is tried on. Default: 20. */
  readonly largerTests?: number | undefined;
}

const EXPLAINING = 60_000;

/**
 * Finds the smallest blocks of source that must be atomic for a failing test to pass, and tries them by exploring again.
 * Undefined if the violation has no schedule: then sequential runs differ.
 *
 * @example
 * const [found] = exploration.results.slice(-1);
 * const explanation = await explain(exploration.scenario, found, { timeout: '5s' });
 */
export async function explain(
  scenario: Scenario,
  found: TestResult,
  options: ExplainOptions = {},
): Promise<Explanation | undefined> {
  const { timeout = EXPLAINING } = resolveLimits({ timeout: options.timeout });
  const { seed = 1, largerTests } = options;
  const given = { ...scenario, backend: found.backend.name };
  return inOwnTask(() => {
    const shown = violationTrace(found);
    return shown && explainSync(given, found.test, shown, { seed, largerTests }, new Deadline(timeout));
  });
}

/** `explain` in the current task. `shown` is the violation to explain, if it is known. */
export function explainSync(
  scenario: Scenario,
  test: TestCase,
  shown: AccessTrace | undefined,
  options: RepairOptions,
  deadline: Deadline,
): Explanation {
  return new Explaining(scenario, test, shown, options, deadline).run();
}

class Explaining {
  readonly #collected: Collected;
  readonly #causes = new Causes(placeOf);
  readonly #trials: Trials;
  /** Tests that joined, with the trace of their violation. */
  readonly #joined: { readonly result: TestResult; readonly trace: AccessTrace }[] = [];
  /** The first violating execution that no block removes. */
  #irreparable: TestResult | undefined;
  readonly #given: Scenario;
  readonly #options: RepairOptions;
  readonly #deadline: Deadline;

  constructor(
    scenario: Scenario,
    test: TestCase,
    shown: AccessTrace | undefined,
    options: RepairOptions,
    deadline: Deadline,
  ) {
    const collected = collect(scenario, test, options, deadline.fraction(COLLECTING));
    this.#collected = collected;
    this.#given = { ...scenario, backend: collected.result.backend.name };
    this.#options = options;
    this.#deadline = deadline;
    this.#trials = new Trials(this.#given, collected, options, deadline, placeOf);
    if (shown !== undefined) this.#causes.add(shown);
    collected.violating.forEach((trace, i) => {
      if (this.#causes.add(trace) === 'none')
        this.#irreparable ??= { ...collected.result, violation: collected.violations[i] };
    });
  }

  run(): Explanation {
    let repairs = this.#ranked();
    while (this.#finds(repairs)) repairs = this.#ranked();
    const tried = repairs.map((one) => ({ ...one, ...this.#trials.of(one.repair) }));
    // no repair removes all violations if one violation has none
    const complete = this.#causes.isBeyondRepair ? [] : tried;
    const described = complete.map((one) => ({ ...one, repair: this.#described(one.repair) }));
    const isRefuted = ({ verification }: TriedRepair): boolean =>
      verification?.kind === 'refuted' || verification?.kind === 'deadlocks';
    const isConfirmed = ({ verification }: TriedRepair): boolean => verification?.kind === 'confirmed';
    const left = described.filter((one) => !isRefuted(one));
    const refuted = described.filter(isRefuted);
    const best = [...left.filter(isConfirmed), ...left.filter((one) => !isConfirmed(one))];
    const printed = new Set(described.map(({ repair }) => linesKey(repair)));
    return {
      collected: this.#collected,
      isKit: this.#given.tests !== undefined,
      repairs: best,
      refuted,
      partial: partialRepairs(this.#causes, complete, this.#collected, placeOf)
        .filter(({ repair }) => !printed.has(linesKey(repair)))
        .map((one) => ({ ...one, repair: this.#described(one.repair) })),
      tests: best.length === 0 ? [] : this.#testsOf(best[0].repair),
      reason: best.length > 0 ? undefined : this.#reason(refuted),
      isCut: this.#causes.isCut,
    };
  }

  #ranked(): Ranked[] {
    return ranked(this.#withJoinedAwaits(this.#causes.combined()), this.#collected.passing, placeOf);
  }

  /** Tries the first repairs, and the best confirmed one on larger tests. Does a violation ask for other repairs? */
  #finds(repairs: readonly Ranked[]): boolean {
    for (const { repair } of repairs.slice(0, MOST_TRIED))
      if (this.#joins(repair, this.#trials.try(repair))) return true;
    const first = repairs.find(({ repair }) => this.#trials.of(repair).verification?.kind === 'confirmed');
    if (first === undefined) return false;
    const larger = this.#trials.tryLarger(first.repair);
    // the next repair is the best one now
    return larger !== undefined && (this.#joins(first.repair, larger) || this.#finds(repairs));
  }

  /** A violation that a repair leaves joins the others, if it has other causes. */
  #joins(repair: Repair, verification: Verification | undefined): boolean {
    if (verification?.kind !== 'refuted' || verification.trace === undefined) return false;
    const { result, trace } = verification;
    if (forbids(repair, trace, placeOf) || this.#causes.add(trace) !== 'new') return false;
    if (result.test !== this.#collected.result.test) this.#joined.push({ result, trace });
    this.#trials.add(result.test);
    return true;
  }

  /** Awaits of one call between which no other call runs belong together. */
  #withJoinedAwaits(repairs: readonly Repair[]): readonly Repair[] {
    const { violating, passing, result } = this.#collected;
    if (result.backend.name !== 'async') return repairs;
    const traces = [...violating, ...passing];
    const joined = repairs.map((repair) => withJoinedBlocks(repair, traces, placeOf));
    return [...new Map(joined.map((repair) => [repairKey(repair), repair])).values()];
  }

  #described(repair: Repair): BlamedBlock[] {
    const { violating, passing, result } = this.#collected;
    const tests: TracedTest[] = [
      { traces: [...violating, ...passing].slice(0, MOST_TRACES), calls: result.backend.calls },
      ...this.#joined.map((joined) => ({ traces: [joined.trace], calls: joined.result.backend.calls })),
    ];
    return repair.map((block) => blamed(block, tests, placeOf));
  }

  /** The tests that joined and still need a block of the repair. */
  #testsOf(repair: Repair): CauseTest[] {
    return this.#joined
      .map(({ result, trace }) => {
        const isNeeded = (block: number): boolean =>
          !forbids(repair.toSpliced(block, 1), trace, placeOf) && forbids(repair, trace, placeOf);
        return { result, blocks: [...repair.keys()].filter(isNeeded) };
      })
      .filter(({ blocks }) => blocks.length > 0);
  }

  #reason(refuted: readonly TriedRepair[]): NoBlockReason | undefined {
    const unrepaired = (): NoBlockReason =>
      withoutRepair(this.#given, this.#irreparable, this.#causes, this.#options, this.#deadline);
    if (this.#causes.isBeyondRepair) return unrepaired();
    for (const { repair, verification } of refuted)
      if (verification?.kind === 'deadlocks')
        return { kind: 'wait', repair, deadlock: verification.deadlock };
    for (const { repair, verification } of refuted)
      if (verification?.kind === 'refuted') {
        const failing = failingRun(verification.result);
        if (failing) return { kind: 'insufficient', repair, failing };
      }
    return this.#causes.isUnplaced ? unrepaired() : undefined;
  }
}

/**
 * Why no block is confirmed.
 *
 *   sequential     the result is also incorrect if the calls run one at a time
 *   not recorded   no block removes a violation, and its calls overlap: what they share, or where, was not recorded
 *   wait           each block contains a wait for another call
 *   insufficient   blocks remove these violations, and another schedule still fails
 */
export type NoBlockReason =
  | { readonly kind: 'sequential' | 'not recorded'; readonly failing: FailingRun | undefined }
  | { readonly kind: 'wait'; readonly repair: readonly BlamedBlock[]; readonly deadlock: BlockDeadlock }
  | { readonly kind: 'insufficient'; readonly repair: readonly BlamedBlock[]; readonly failing: FailingRun };

/** A test with its violation, so that it can be saved and run again; and how it ran. */
export interface FailingRun {
  readonly result: TestResult;
  readonly operation: number;
  readonly trace: Trace;
}

function failingRun(result: TestResult): FailingRun | undefined {
  const { violation, backend } = result;
  if (violation === undefined || violation.kind === 'nondeterminism') return undefined;
  return { result, operation: violation.operation, trace: backend.trace(violation.schedule) };
}

/** The reason of a violation that no block removes; `found` is undefined if its schedule is not known. */
function withoutRepair(
  scenario: Scenario,
  found: TestResult | undefined,
  { isUnplaced }: Pick<Causes, 'isUnplaced'>,
  options: RepairOptions,
  deadline: Deadline,
): NoBlockReason {
  const failing = found && failingRun(found);
  if (scenario.backend !== 'async' && !isUnplaced) return { kind: 'sequential', failing };
  if (failing === undefined) return { kind: 'not recorded', failing };
  const alone = oneAtATime(scenario, failing, options, deadline);
  return alone ? { kind: 'sequential', failing: alone } : { kind: 'not recorded', failing };
}

/** The share of the steps and of the remaining time for running the calls one at a time. */
const SHARE = 0.25;

/** The calls of a failing run by one thread, in the order in which they began, or else in which they ended: if that fails too. */
function oneAtATime(
  scenario: Scenario,
  failing: FailingRun,
  options: RepairOptions,
  deadline: Deadline,
): FailingRun | undefined {
  const { test } = failing.result;
  if (test.threads.filter((calls) => calls.length > 0).length <= 1) return failing;
  // learned results are those of such runs; a result of another thread cannot be named
  const isComparable = scenario.spec !== undefined || scenario.exclusive !== undefined;
  if (!isComparable || test.threads.flat(2).some((arg) => arg instanceof ResultReference)) return undefined;
  for (const thread of new Set(ordersOf(failing))) {
    const result = lineUp(
      scenario,
      { ...test, threads: [thread] },
      { ...options, stepBudget: stepsFor(scenario, SHARE) },
      deadline.fraction(SHARE),
    );
    const found = failingRun(result);
    if (found) return found;
  }
  return undefined;
}

function ordersOf({ result: { test }, trace: { history, idOf } }: FailingRun): PlainCall[][] {
  const calls = test.threads.flat();
  const position = history.positionsById();
  const timesIn = (column: ArrayLike<number>): number[] =>
    calls.map((_, i) => column[position[idOf[test.before.length + i]]] ?? Number.POSITIVE_INFINITY);
  return [history.columns.call, history.columns.return].map((column) => {
    const times = timesIn(column);
    return [...calls.keys()].sort((a, b) => times[a] - times[b]).map((i) => calls[i]);
  });
}
