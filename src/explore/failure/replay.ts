/**
 * A failure run again: it happens again, it passes now, or the code no longer follows its schedule.
 *
 * Code follows if each step is of the same thread and accesses the same. A changed program that
 * does not follow shows nothing, for better or worse; where it left is told.
 */

import { lineUp, programOfMatrix } from '../line-up.js';
import { Patience } from '../model/deadline.js';
import type { Explored } from '../result.js';
import type { Scenario } from '../scenario/scenario.js';
import { type Failure, type FailureStep, stepsOf } from './failure.js';
import { markOf, type TokenFailure } from './token.js';

export type Replayed =
  | { readonly kind: 'reproduced' | 'passes'; readonly explored: Explored }
  | {
      readonly kind: 'diverged';
      /** The number of the step, from 0; what it was, if that is known, and what it is now. */
      readonly step: number;
      readonly before: FailureStep | undefined;
      readonly now: FailureStep | undefined;
    };

export function replayFailure(given: Scenario, failure: Failure | TokenFailure): Replayed {
  const scenario = { ...given, spuriousWakeups: given.spuriousWakeups || failure.spuriousWakeups === true };
  const { matrix, schedule } = failure;
  const now = stepsOf(programOfMatrix(scenario, matrix), schedule);
  const before = 'steps' in failure ? failure.steps : undefined;
  const count = before?.length ?? (failure as TokenFailure).marks.length;
  for (let step = 0; step < Math.max(now.length, count); step++)
    if (!isSame(failure, step, now[step]))
      return { kind: 'diverged', step, before: before?.[step], now: now[step] };
  const explored = lineUp(
    scenario,
    matrix,
    { seed: 0, schedule, allowNondeterminism: true },
    new Patience(Number.POSITIVE_INFINITY),
  );
  return { kind: explored.violation ? 'reproduced' : 'passes', explored };
}

/** Is a step what it was? */
function isSame(failure: Failure | TokenFailure, step: number, now: FailureStep | undefined): boolean {
  if ('marks' in failure) return failure.marks[step] === (now && markOf(now));
  const before = failure.steps[step] as FailureStep | undefined;
  return before?.thread === now?.thread && before?.access === now?.access;
}
