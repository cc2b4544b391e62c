/**
 * A test body under every schedule: the engines of asynchronous code choose the schedules, a failure is made small, and its
 * schedule is run once more for the report.
 *
 * Limits count executions, so a result does not depend on the speed of the machine; the time limit only ends a test that
 * would take too long. Few deviations from Node's own order come first, because such failures are the easiest to read. Then
 * all schedules are run, and random ones if there are too many.
 */
import { control } from '../event-loop/control.js';
import { inOwnTask } from '../event-loop/own-task.js';
import { errorText } from '../execution/comparable.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import { AsyncPlanned, AsyncSamples, AsyncTree, planned } from './async/engines.js';
import { BodyRun, type TestBody } from './async/test-body.js';
import { bodyTrace, type FailedSchedule } from './async/trace.js';
import { Deadline } from './model/deadline.js';
import {
  type Coverage,
  type Engine,
  type Schedule,
  type ScheduleViolation,
  withoutStacks,
} from './model/engine.js';

export interface BodyExploreOptions {
  /** In milliseconds. */
  readonly timeout: number;
  /** At most this many executions. */
  readonly maxExecutions: number;
  readonly seed: number;
  /** How many calls of stubs may fail in an execution. */
  readonly failures: number;
  /** Is a part that has not ended when the test ends a failure? */
  readonly isStrict: boolean;
  /** How many parts of an execution may start between microtasks. */
  readonly maxMicrotaskStarts: number;
}

export interface BodyResult {
  readonly failed: FailedSchedule | undefined;
  /** Did every schedule run to its end, with the time, random numbers and firings of repeating timers of the exploration? */
  readonly isWhole: boolean;
  /** `isWhole`, and the test used none of these (`replaced`). */
  readonly isExhaustive: boolean;
  /** Was there a pair of macrotasks that can run in either order? */
  readonly isConcurrent: boolean;
  /** What each engine covered, in order. */
  readonly coverage: readonly Coverage[];
  readonly executions: number;
  /** Executions that were abandoned because they did not end. */
  readonly unfinished: number;
  /** The limit that ended the exploration before every schedule was run. */
  readonly limit: 'executions' | 'time' | undefined;
  /** Parts that had not ended at the end of some execution. */
  readonly pending: readonly string[];
  /** Sources of time and randomness that the test used. */
  readonly replaced: readonly string[];
}

/** The most deviations from Node's order in the first stage, and the shares of the executions at which stages end. */
const FEW = 2;
const STAGES = { few: 0.3, all: 0.8, samples: 1 } as const;
/** Executions to look for a smaller failure. */
const SHRINKING = 1_000;
/** Milliseconds after which other macrotasks of the runner run. */
const SLICE = 100;

export async function exploreBody(body: TestBody, options: BodyExploreOptions): Promise<BodyResult> {
  const exploration = await inOwnTask(() => new BodyExploration(body, options));
  while (await inOwnTask(() => exploration.advance()));
  return inOwnTask(() => exploration.result());
}

/** Runs one schedule; undefined if the test passes. */
export function replayBody(
  body: TestBody,
  options: BodyExploreOptions,
  schedule: Schedule,
): Promise<{ readonly failed: FailedSchedule | undefined; readonly steps: FailedSchedule['steps'] }> {
  return inOwnTask(() => {
    control();
    const traced = bodyTrace(new BodyRun(body, options), schedule);
    return { failed: traced.failure && (traced as FailedSchedule), steps: traced.steps };
  });
}

interface BodyStage {
  readonly until: number;
  readonly begin: () => Engine;
}

class BodyExploration {
  readonly #run: BodyRun;
  readonly #options: BodyExploreOptions;
  readonly #deadline: Deadline;
  readonly #stages: BodyStage[];
  readonly #engines: Engine[] = [];
  readonly #pending = new Set<string>();
  #found: ScheduleViolation | undefined;
  #limit: BodyResult['limit'];

  constructor(body: TestBody, options: BodyExploreOptions) {
    control();
    this.#options = options;
    this.#deadline = new Deadline(options.timeout);
    const run = new BodyRun(body, options);
    this.#run = run;
    const look = () => {
      for (const name of run.pending) this.#pending.add(name);
      return found(run);
    };
    this.#stages = [
      { until: STAGES.few, begin: () => new AsyncTree(run, look, FEW) },
      { until: STAGES.all, begin: () => new AsyncTree(run, look) },
      { until: STAGES.samples, begin: () => new AsyncSamples(run, look, options.seed) },
    ];
  }

  /** Runs schedules for a while. Returns whether there are more. */
  advance(): boolean {
    const slice = new Deadline(SLICE);
    while (!slice.hasExpired()) {
      const stage = this.#stages[0];
      const engine = this.#engines.at(-1) ?? this.#begin(stage);
      const finding = withoutStacks(() => engine.advance(1));
      if (finding !== undefined && finding !== 'done') {
        this.#found = finding;
        return false;
      }
      if (engine.coverage?.kind === 'all') return false;
      if (this.#deadline.hasExpired()) {
        this.#limit = 'time';
        return false;
      }
      if (finding === 'done' || this.#executions >= stage.until * this.#options.maxExecutions) {
        this.#stages.shift();
        if (this.#stages.length === 0) {
          this.#limit = 'executions';
          return false;
        }
        this.#begin(this.#stages[0]);
      }
    }
    return true;
  }

  result(): BodyResult {
    const unfinished = this.#engines.reduce((sum, { stats }) => sum + stats.unfinished, 0);
    const coverage = this.#engines.flatMap((engine) => engine.coverage ?? []);
    const isWhole = this.#found === undefined && coverage.some(({ kind }) => kind === 'all');
    return {
      failed: this.#found && this.#smallest(this.#found),
      isWhole,
      isExhaustive: isWhole && this.#run.asked.size === 0,
      isConcurrent: this.#run.isConcurrent,
      coverage,
      executions: this.#executions,
      unfinished,
      limit: this.#limit,
      pending: [...this.#pending],
      replaced: [...this.#run.asked],
    };
  }

  get #executions(): number {
    return this.#engines.reduce((sum, { stats }) => sum + stats.executions, 0);
  }

  #begin({ begin }: BodyStage): Engine {
    const engine = begin();
    this.#engines.push(engine);
    return engine;
  }

  /** A failure of the same kind with fewer deviations from Node's order; then without each deviation that is not needed. */
  #smallest(first: ScheduleViolation): FailedSchedule {
    const run = this.#run;
    const expected = this.#kindOf(first.schedule);
    let smallest: Schedule = first.schedule;
    const look = () => (failureKind(run) === expected ? found(run) : undefined);
    const deviations = deviationsIn(smallest);
    if (deviations > 1) {
      const tree = new AsyncTree(run, look, deviations - 1);
      let better: ReturnType<Engine['advance']>;
      while (better === undefined && tree.stats.executions < SHRINKING && !this.#deadline.hasExpired())
        better = withoutStacks(() => tree.advance(1));
      if (better !== undefined && better !== 'done') smallest = better.schedule;
    }
    for (let i = 0; i < smallest.length; i++) {
      if (smallest[i] === 0) continue;
      const changed = smallest.slice().with(i, 0);
      const finding = withoutStacks(() => new AsyncPlanned(run, look, changed).advance());
      if (finding !== 'done' && deviationsIn(finding.schedule) < deviationsIn(smallest)) {
        smallest = finding.schedule;
        i = -1;
      }
    }
    const traced = bodyTrace(run, smallest);
    if (traced.failure === undefined || failureKind(run) !== expected)
      throw new ScenarioError(
        `the test body is not deterministic: the same schedule fails in one execution and ${traced.failure ? 'fails otherwise' : 'passes'} in another. The body must create everything that it uses`,
      );
    return traced as FailedSchedule;
  }

  #kindOf(schedule: Schedule): string {
    withoutStacks(() => this.#run.run(planned(schedule)));
    return failureKind(this.#run);
  }
}

const deviationsIn = (schedule: Schedule): number => schedule.filter((taken) => taken > 0).length;

const found = (run: BodyRun): ScheduleViolation | undefined =>
  run.failure && { kind: 'outcome', operation: 0, schedule: [...run.schedule] };

/** What a smaller schedule must preserve: the kind, and the first line of the message. */
function failureKind({ failure }: BodyRun): string {
  if (failure === undefined) return 'passes';
  const [line] = failure.error === undefined ? [''] : errorText(failure.error).split('\n');
  return line === '' ? failure.kind : `${failure.kind}: ${line}`;
}
