/**
 * A failure run again: it happens again, it passes now, or the code no longer follows its schedule.
 *
 * Code follows if each step is of the same thread and accesses the same. A changed program that
 * does not follow shows nothing, for better or worse; where it left is told.
 */

import type { Explored } from './explored.js';
import { type Failure, type FailureStep, stepsOf } from './failure.js';
import { lineUp, programOfMatrix } from './line-up.js';
import { Patience } from './patience.js';
import type { Scenario } from './scenario.js';

export type Replayed =
  | { readonly kind: 'reproduced' | 'passes'; readonly explored: Explored }
  | {
      readonly kind: 'diverged';
      /** The number of the step, from 0; what it was, and what it is now. */
      readonly step: number;
      readonly before: FailureStep | undefined;
      readonly now: FailureStep | undefined;
    };

export function replayFailure(scenario: Scenario, { matrix, schedule, steps }: Failure): Replayed {
  const now = stepsOf(programOfMatrix(scenario, matrix), schedule);
  for (let step = 0; step < Math.max(now.length, steps.length); step++) {
    const [own, other] = [steps[step], now[step]] as (FailureStep | undefined)[];
    if (own?.thread !== other?.thread || own?.access !== other?.access)
      return { kind: 'diverged', step, before: own, now: other };
  }
  const explored = lineUp(
    scenario,
    matrix,
    { seed: 0, schedule, allowNondeterminism: true },
    new Patience(Number.POSITIVE_INFINITY),
  );
  return { kind: explored.violation ? 'reproduced' : 'passes', explored };
}
