/**
 * The traces of a test that goes wrong: all classes of executions that violate it, and some of those that do not.
 *
 * Of the latter a sample is kept that is as likely as any other (J. Vitter, Random sampling with a
 * reservoir, 1985), since those found one after another are alike.
 */
import { Random } from '../base/random.js';
import type { LineUpOptions } from '../explore/backend.js';
import { lineUp } from '../explore/line-up.js';
import type { Deadline } from '../explore/model/deadline.js';
import type { Schedule } from '../explore/model/engine.js';
import type { TestResult } from '../explore/result.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import type { TestCase } from '../explore/scenario/test-case.js';
import { type AccessTrace, accessTrace } from './repairs/access-trace.js';

const MOST_PASSING = 500;

export interface Collected {
  readonly result: TestResult;
  readonly violating: readonly AccessTrace[];
  readonly passing: readonly AccessTrace[];
  /** How many classes passed, of which `passing` are some. */
  readonly passed: number;
  /** Are these all classes that there are? */
  readonly isWhole: boolean;
}

export function collect(
  scenario: Scenario,
  matrix: TestCase,
  options: LineUpOptions,
  patience: Deadline,
): Collected {
  const random = new Random(options.seed);
  const wrong: Schedule[] = [];
  const right: Schedule[] = [];
  let passed = 0;
  const result = lineUp(
    scenario,
    matrix,
    {
      ...options,
      onClass: (finding, schedule) => {
        if (finding) wrong.push(finding.schedule);
        else if (++passed <= MOST_PASSING) right.push(schedule());
        else {
          const place = random.below(passed);
          if (place < MOST_PASSING) right[place] = schedule();
        }
      },
    },
    patience,
  );
  const traced = (schedules: readonly Schedule[], isTimed: boolean): AccessTrace[] =>
    schedules.map((schedule) => accessTrace(result.backend.trace(schedule), isTimed));
  return {
    result,
    violating: traced(wrong, true),
    passing: traced(right, false),
    passed,
    isWhole: result.coverage.some(({ kind }) => kind === 'all'),
  };
}
