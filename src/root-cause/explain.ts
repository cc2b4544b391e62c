/**
 * Why a test goes wrong: the smallest blocks of source that would have to be run in one step, and whether that helps.
 *
 * The traces of all violations give repairs (root-cause/repairs/causes.ts), those of what was right put them in order (root-cause/repairs/ranking.ts). Each is
 * then tried (trials.ts). Where one does not help, its violation joins the others and all is computed again, as
 * CAV 2020 proposes in §4 with an oracle that we have: the explorer. It ends when what comes first is
 * confirmed, on the test and on larger ones, or when time is over.
 */
import { resolveLimits } from '../check/model/budget.js';
import { inOwnTask } from '../event-loop/own-task.js';
import { type Block, Blocks, NO_RUN } from '../execution/atomic-blocks.js';
import { Deadline } from '../explore/model/deadline.js';
import type { TestResult } from '../explore/result.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import type { TestCase } from '../explore/scenario/test-case.js';
import { runtime } from '../instrument/runtime/runtime.js';
import { type BlamedBlock, blamed } from './blamed-block.js';
import { type Collected, collect } from './collect.js';
import { type Partial, partialRepairs, type Ranked, ranked } from './partial-repairs.js';
import { type AccessTrace, operationsOf } from './repairs/access-trace.js';
import { Causes } from './repairs/causes.js';
import { forbids } from './repairs/forbids.js';
import { type Repair, repairKey } from './repairs/repair.js';
import type { PlaceOf } from './repairs/source-block.js';
import { type RepairOptions, Trials, type Verification, violationTrace } from './trials.js';

/*
 * Blocks of one function made one where nobody can come between them: where all that was seen is forbidden by both, or by
 * neither.
 *
 * Asynchronous code is only interrupted during its awaits. So of two awaits that follow each other each may have to be
 * uninterrupted; but a lock around each of them would let others in between, where they never were.
 */

function joined(repair: Repair, traces: readonly AccessTrace[], placeOf: PlaceOf): Repair {
  let result = repair;
  for (let i = 1; i < result.length; ) {
    const [before, block] = [result[i - 1], result[i]];
    const one = [...result.slice(0, i - 1), { ...before, end: block.end }, ...result.slice(i + 1)];
    const isOne =
      traces.some((trace) => isRunWith(before, block, trace, placeOf)) &&
      traces.every((trace) => forbids(one, trace, placeOf) === forbids(result, trace, placeOf));
    if (isOne) result = one;
    else i++;
  }
  return result;
}

/** Does a call of a function run both blocks? */
function isRunWith(a: Block, b: Block, trace: AccessTrace, placeOf: PlaceOf): boolean {
  const [inA, inB] = [new Blocks([a], placeOf), new Blocks([b], placeOf)];
  return operationsOf(trace).some((events) => {
    const levels = events.flatMap((event) => event.levels);
    const frames = new Set(levels.filter((level) => inA.runOf([level]) !== NO_RUN).map(({ frame }) => frame));
    return levels.some((level) => frames.has(level.frame) && inB.runOf([level]) !== NO_RUN);
  });
}

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

/** Blocks of source that must be atomic, and how well that is verified. */
export interface Explanation {
  readonly collected: Collected;
  /** The best first: those that help, then those of which that is not known. */
  readonly repairs: readonly TriedRepair[];
  readonly partial: readonly PartialRepair[];
  /** Were some left out because there are too many? */
  readonly isCut: boolean;
  /** No block helps: calls that come one after another are wrong. */
  readonly isBeyondRepair: boolean;
  /** No block helps: those that would are waited in for others, so they can not be run in one step. */
  readonly isWaiting: boolean;
}

/** The share of the time in which traces are collected. */
const COLLECTING = 0.4;
/** Repairs after these are told, but not tried. */
const MOST_TRIED = 5;
/** Traces that are asked whether a block is all of its method. */
const LOOKED_AT = 200;

const placeOf: PlaceOf = (site) => runtime.sites.placeOf(site);

/** Options of `explain`. */
export interface ExplainOptions {
  /** Wall-clock time: milliseconds, or a text such as `'60s'`. Default: 60 seconds. */
  readonly timeout?: number | string | undefined;
  /** Seed of random choices. Default: 1. */
  readonly seed?: number | undefined;
  /** How many larger tests a repair is verified on. */
  readonly largerTests?: number | undefined;
}

const EXPLAINING = 60_000;

/**
 * Finds the smallest blocks of source that must be atomic for a failing test to pass, and verifies them by exploring again.
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
  matrix: TestCase,
  shown: AccessTrace | undefined,
  options: RepairOptions,
  patience: Deadline,
): Explanation {
  const collected = collect(scenario, matrix, options, patience.fraction(COLLECTING));
  const causes = new Causes(placeOf);
  if (shown !== undefined) causes.add(shown);
  for (const trace of collected.violating) causes.add(trace);
  const trials = new Trials(scenario, matrix, options, patience);
  const inOrder = () => ranked(toldAsOne(causes.combined(), collected), collected.passing, placeOf);
  let repairs = inOrder();
  while (asksForMore(repairs, trials, causes)) repairs = inOrder();
  const tried = repairs.map((one) => ({ ...one, ...trials.of(one.repair) }));
  // nothing repairs all, if there is one that nothing repairs
  const whole = causes.isBeyondRepair ? [] : tried;
  const left = whole.filter(({ verification }) => verification?.kind !== 'stuck');
  return {
    collected,
    repairs: left
      .map((one) => ({ ...one, repair: toldOf(one.repair, collected) }))
      .sort((a, b) => placeAmong(a) - placeAmong(b)),
    partial: partialRepairs(causes, whole, collected, placeOf).map((one) => ({
      ...one,
      repair: toldOf(one.repair, collected),
    })),
    isCut: causes.isCut,
    isBeyondRepair: causes.isBeyondRepair,
    isWaiting: left.length === 0 && whole.length > 0,
  };
}

/** Awaits that nobody can come between belong together. */
function toldAsOne(repairs: readonly Repair[], { violating, passing, result }: Collected): readonly Repair[] {
  if (result.backend.name !== 'async') return repairs;
  const traces = [...violating, ...passing];
  const one = repairs.map((repair) => joined(repair, traces, placeOf));
  return [...new Map(one.map((repair) => [repairKey(repair), repair])).values()];
}

const placeAmong = ({ verification }: TriedRepair): number =>
  ({ confirmed: 0, undecided: 1, refuted: 2, stuck: 2 })[verification?.kind ?? 'undecided'];

/** Tries the first repairs, and the best that helps on larger tests. Does what goes wrong ask for other repairs? */
function asksForMore(repairs: readonly Ranked[], trials: Trials, causes: Causes): boolean {
  for (const { repair } of repairs.slice(0, MOST_TRIED))
    if (joins(repair, trials.try(repair), trials, causes)) return true;
  const first = repairs.find(({ repair }) => trials.of(repair).verification?.kind === 'confirmed');
  return first !== undefined && joins(first.repair, trials.tryLarger(first.repair), trials, causes);
}

/** A violation that a repair leaves joins the others, if it has other causes. */
function joins(
  repair: Repair,
  verification: Verification | undefined,
  trials: Trials,
  causes: Causes,
): boolean {
  if (verification?.kind !== 'refuted' || verification.trace === undefined) return false;
  const { matrix, trace } = verification;
  if (forbids(repair, trace, placeOf) || !causes.add(trace)) return false;
  trials.add(matrix);
  return true;
}

function toldOf(repair: Repair, { violating, passing, result: { backend } }: Collected): BlamedBlock[] {
  const traces = [...violating, ...passing].slice(0, LOOKED_AT);
  return repair.map((block) => blamed(block, traces, backend.calls, placeOf));
}
