/**
 * The executions of a test as traces: all that violate it, and a sample of those that pass.
 *
 * The sample is uniform (J. Vitter, Random sampling with a reservoir, 1985), because executions that are found in sequence
 * resemble each other. The search is limited in steps, so a busy machine finds what an idle one finds; the deadline is a second
 * limit.
 */
import { Random } from '../base/random.js';
import { type LineUpOptions, stepsFor } from '../explore/backend.js';
import { lineUp } from '../explore/line-up.js';
import type { Deadline } from '../explore/model/deadline.js';
import type { Schedule, ScheduleViolation } from '../explore/model/engine.js';
import type { Trace, WakeUp } from '../explore/model/trace-types.js';
import type { TestResult } from '../explore/result.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import type { TestCase } from '../explore/scenario/test-case.js';
import { type AccessTrace, accessTrace } from './repairs/access-trace.js';

const MOST_VIOLATING = 1_000;
const MOST_PASSING = 500;

/** A call waits during an await, and another call ends this wait. */
interface WaitForCall extends WakeUp {
  readonly trace: Trace;
  /** The execution up to the start of the wait. */
  before(): AccessTrace;
}

export interface Collected {
  readonly result: TestResult;
  readonly violating: readonly AccessTrace[];
  /** The violation of each of them. */
  readonly violations: readonly ScheduleViolation[];
  readonly passing: readonly AccessTrace[];
  /** The number of equivalence classes that pass; `passing` is a sample of them. */
  readonly passed: number;
  /** Async: waits that ended because of another call. */
  readonly waits: readonly WaitForCall[];
  /** Are these all equivalence classes? */
  readonly isWhole: boolean;
}

/** `share`: the part of the steps and of the violating executions that may be used. `mostPassing`: the size of the sample. */
export function collect(
  scenario: Scenario,
  test: TestCase,
  options: LineUpOptions,
  deadline: Deadline,
  share = 1,
  mostPassing: number = MOST_PASSING,
): Collected {
  const random = new Random(options.seed);
  const violations: ScheduleViolation[] = [];
  const passes: Schedule[] = [];
  const mostViolating = MOST_VIOLATING * share;
  let passed = 0;
  let isCut = false;
  const result = lineUp(
    scenario,
    test,
    {
      ...options,
      stepBudget: stepsFor(scenario, share),
      onClass: (found, schedule) => {
        if (found && violations.length >= mostViolating) isCut = true;
        else if (found) violations.push(found);
        else if (++passed <= mostPassing) passes.push(schedule());
        else {
          const place = random.below(passed);
          if (place < mostPassing) passes[place] = schedule();
        }
      },
    },
    deadline,
  );
  const waits: WaitForCall[] = [];
  const traced = (schedules: readonly Schedule[], isTimed: boolean): AccessTrace[] =>
    schedules.flatMap((schedule, i) => {
      // the first one is always traced: without it nothing is known
      if (i > 0 && deadline.hasExpired()) {
        isCut = true;
        return [];
      }
      const trace = result.backend.trace(schedule);
      waits.push(...waitsIn(trace));
      return accessTrace(trace, isTimed);
    });
  const violating = traced(
    violations.map(({ schedule }) => schedule),
    true,
  );
  const passing = traced(passes, false);
  return {
    result,
    violating,
    violations: violations.slice(0, violating.length),
    passing,
    passed,
    waits,
    isWhole: !isCut && result.coverage.some(({ kind }) => kind === 'all'),
  };
}

function waitsIn(trace: Trace): WaitForCall[] {
  const { awaits = [], wakeUps = [] } = trace;
  return wakeUps.map((wakeUp) => ({
    ...wakeUp,
    trace,
    before: () => accessTrace({ ...trace, awaits: awaits.slice(0, wakeUp.start) }, true),
  }));
}
