/**
 * Why no block of source removes all violations of a test.
 *
 * A violation without a repair (repairs/causes.ts) is equivalent to a run of one call at a time, as far as the accesses are recorded.
 * Those of threads are all recorded. Those of asynchronous code are not: no call owns the code that it leaves behind, or what a
 * timer of the object does. So the calls are run one at a time before the report says that this fails too.
 */
import { ResultReference } from '../base/values/result-reference.js';
import { stepsFor } from '../explore/backend.js';
import { lineUp } from '../explore/line-up.js';
import type { Deadline } from '../explore/model/deadline.js';
import type { Trace } from '../explore/model/trace-types.js';
import type { TestResult } from '../explore/result.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import type { PlainCall } from '../instrument/instrumented-program.js';
import type { BlamedBlock } from './blamed-block.js';
import type { Causes } from './repairs/causes.js';
import type { BlockDeadlock, RepairOptions } from './trials.js';

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

export function failingRun(result: TestResult): FailingRun | undefined {
  const { violation, backend } = result;
  if (violation === undefined || violation.kind === 'nondeterminism') return undefined;
  return { result, operation: violation.operation, trace: backend.trace(violation.schedule) };
}

/** The reason of a violation that no block removes; `found` is undefined if its schedule is not known. */
export function withoutRepair(
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
