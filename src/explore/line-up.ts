/**
 * Explores one test: runs of one call at a time give the expected results, then concurrent schedules are checked against them.
 *
 *   S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up: a complete and automatic
 *   linearizability checker. PLDI 2010.
 *
 * Phase 1 learns an automaton: of threads from sequential runs, of asynchronous code from quiescent runs, in which a later
 * call may complete an earlier one. A spec or an observation file takes its place. If two runs of the same steps
 * disagree, the object is nondeterministic, and no deterministic spec explains it. Phase 2 gives one engine after
 * another its share of the time. A violation is run twice more: a schedule that gives other results proves nothing.
 */

import { formatPosition } from '../base/source-position.js';
import { Canonical } from '../base/values/canonical.js';
import { ScenarioError, untilValid } from '../execution/memory/program-error.js';
import type { Outcomes } from '../execution/outcomes.js';
import type { History } from '../history/history.js';
import { describeOutcome } from '../history/model/operation.js';
import { runtime } from '../instrument/runtime/runtime.js';
import { IncompleteLearning } from './async/quiescent-runs.js';
import type { Automaton } from './automata/configurations.js';
import { givenAutomaton } from './automata/spec-automaton.js';
import type { Backend, Expected, LineUpOptions, Session, Stage } from './backend.js';
import { backendFor, reloaded } from './choose-backend.js';
import { drawnHistory, learnedTest, methodResults, nearestRun } from './learning/learned-results.js';
import { LearnedAutomaton, LearnedRuns } from './learning/learned-runs.js';
import { observedRuns, setFor } from './learning/read-observations.js';
import { observationSet } from './learning/write-observations.js';
import type { Deadline } from './model/deadline.js';
import type { Coverage, ExplorationStats, Schedule, ScheduleViolation } from './model/engine.js';
import type { Trace } from './model/trace-types.js';
import type { TestResult, Violation } from './result.js';
import type { Scenario } from './scenario/scenario.js';
import { randomTests, type TestCase } from './scenario/test-case.js';

/** With a limit on executions: up to this many sequential runs are allowed per execution. */
const RUNS_PER_EXECUTION = 100;

export function lineUp(
  scenario: Scenario,
  matrix: TestCase,
  options: LineUpOptions,
  deadline: Deadline,
): TestResult {
  try {
    return untilValid(() => new LineUp(scenario, matrix, options, deadline).run());
  } finally {
    // no thread runs any more: instrumented code behaves like plain code
    runtime.leave();
  }
}

/** Runs the calls of a test one at a time, to judge another version of the object by the results. Undefined if there are too many runs. */
export function learnExpected(
  scenario: Scenario,
  matrix: TestCase,
  options: LineUpOptions,
  deadline: Deadline,
): Expected | undefined {
  try {
    return untilValid(() => new LineUp(scenario, matrix, options, deadline).learnExpected());
  } finally {
    runtime.leave();
  }
}

class LineUp {
  readonly #scenario: Scenario;
  readonly #matrix: TestCase;
  readonly #options: LineUpOptions;
  readonly #deadline: Deadline;
  readonly #backend: Backend;
  readonly #session: Session;
  readonly #parts: { readonly stats: ExplorationStats }[] = [];
  readonly #coverage: Coverage[] = [];
  /** Runs that were learned or observed. */
  #learned: LearnedRuns;
  #shown: Pick<TestResult, 'methodResults' | 'held'> = { methodResults: [], held: undefined };
  #observations: string | undefined;

  constructor(scenario: Scenario, matrix: TestCase, options: LineUpOptions, deadline: Deadline) {
    this.#scenario = scenario;
    this.#matrix = matrix;
    this.#options = options;
    this.#deadline = deadline;
    this.#backend = backendFor(scenario, matrix);
    this.#session = this.#backend.start(options, () => this.#hasExpired(1));
    this.#learned = new LearnedRuns(this.#backend.calls.length, this.#session.hasWaiters);
  }

  run(): TestResult {
    const given = this.#given();
    const automaton = given ?? this.#learn();
    if (automaton === undefined) return this.#result();
    if (this.#options.isCompared && this.#session.compare?.(given ? undefined : this.#learned) === false)
      return this.#result();
    if ('kind' in automaton) {
      this.#assertFresh([]);
      return this.#result(automaton);
    }
    const found = this.#stagesOf(automaton);
    if (found === undefined && this.#backend.calls.length <= SMALL)
      for (const schedule of [[], [0, 1]]) this.#assertFresh(schedule);
    // a deadlock of an atomic block cannot be repeated without the block
    if (found === undefined || found.blocked !== undefined) return this.#result(found);
    const went = assertDeterministic(this.#backend, found.schedule);
    this.#assertFresh(found.schedule, went);
    if (given === undefined) this.#assertLearned();
    const { spec, exclusive } = this.#scenario;
    if (spec !== undefined || exclusive !== undefined || found.isUnfair) return this.#result(found);
    const { calls } = this.#backend;
    const near = nearestRun(found.operation, went, this.#learned, calls, this.#session.outcomes);
    return this.#result({ ...found, ...near });
  }

  learnExpected(): Expected | undefined {
    if (this.#learn() === undefined) return undefined;
    const { outcomes } = this.#session;
    return { learned: this.#learned, outcomes, seesThreads: this.#session.notes().seesThreads };
  }

  /** What an observation file, the spec or another version of the object says. */
  #given(): Automaton | undefined {
    const { calls } = this.#backend;
    const { outcomes } = this.#session;
    const observed = setFor(this.#matrix, this.#options.observed);
    if (observed !== undefined) {
      this.#learned = observedRuns(observed, calls, outcomes, this.#session.hasWaiters);
      return new LearnedAutomaton(this.#learned);
    }
    const { spec, exclusive } = this.#scenario;
    if (exclusive !== undefined) return UNCONSTRAINED;
    if (spec !== undefined) return givenAutomaton(spec, calls, outcomes);
    const { expected } = this.#options;
    if (expected === undefined) return undefined;
    this.#learned = renumbered(expected, outcomes);
    return new LearnedAutomaton(this.#learned);
  }

  /** What learned runs show. Undefined if they could not all be finished: an incomplete automaton explains nothing. */
  #learn(): Automaton | Violation | undefined {
    const session = this.#session;
    const { calls } = this.#backend;
    const learned = this.#learned;
    const learner = session.learn(learned);
    this.#parts.push(learner);
    const { maxExecutions = Number.POSITIVE_INFINITY } = this.#options;
    while (!learner.advance(session.stepsPerSlice))
      if (this.#hasExpired(1) || learner.stats.executions >= RUNS_PER_EXECUTION * maxExecutions)
        return undefined;
    if (learner.stats.unfinished > 0) return undefined;
    this.#shown = {
      methodResults: methodResults(learned, calls, session.thrown, session.outcomes),
      held: session.held?.(learned),
    };
    if (this.#options.isObserving)
      this.#observations = observationSet(this.#matrix, calls, session.outcomes, learned);
    if (learned.nondeterminism === undefined || this.#options.allowNondeterminism)
      return new LearnedAutomaton(learned);
    const [one, other] = learned.nondeterminism.map((run) => drawnHistory(run, calls, session.outcomes));
    return { kind: 'nondeterminism', histories: [one, other] };
  }

  /**
   * Refuses asynchronous code that keeps state outside of the object: after other executions, or in modules that were
   * just loaded, a schedule must give the same results. What is initialised once is so in the first execution only.
   */
  #assertFresh(schedule: Schedule, went: Trace = this.#backend.trace(schedule)): void {
    if (this.#backend.name !== 'async' || !this.#options.isCompared) return;
    const scenario = this.#scenario;
    const matrix = this.#matrix;
    const assertSame = (again: Trace, when: string): void => {
      const difference = differenceOf(went.history, again.history);
      if (difference !== undefined) throw keptState(when, difference);
    };
    const size = { threads: 2, callsPerThread: 3 };
    const others = scenario.calls.length === 0 ? [] : randomTests(scenario, size, OTHERS, this.#options.seed);
    for (const { threads } of others) attempt(() => backendFor(scenario, { ...matrix, threads }).trace([]));
    assertSame(this.#backend.trace(schedule), 'after other calls');
    const again = attempt(() => reloaded(scenario, matrix)?.trace(schedule));
    if (again) assertSame(again, 'in modules that were loaded again');
  }

  /** The runs from which the results were learned must give the same results again. */
  #assertLearned(): void {
    if (this.#backend.name !== 'async' || !this.#options.isCompared || this.#options.allowNondeterminism)
      return;
    const { steps } = this.#learned.count();
    const learner = this.#session.learn(this.#learned);
    while (!learner.advance(this.#session.stepsPerSlice)) if (this.#hasExpired(1)) break;
    const runs = this.#learned.nondeterminism;
    const histories = runs?.map((run) => drawnHistory(run, this.#backend.calls, this.#session.outcomes));
    if (histories) throw keptState('after other calls', differenceOf(histories[0], histories[1]));
    if (this.#learned.count().steps !== steps) throw keptState('after other calls', undefined);
  }

  /** Undefined also if a limit was reached while more runs were learned. */
  #stagesOf(automaton: Automaton): ScheduleViolation | undefined {
    try {
      return this.#runStages(this.#session.stages(automaton));
    } catch (error) {
      if (error instanceof IncompleteLearning) return undefined;
      throw error;
    }
  }

  /** Runs each engine until its share of the time is over, until one finds a violation or has covered everything. */
  #runStages(stages: readonly Stage[]): ScheduleViolation | undefined {
    const { stepsPerSlice } = this.#session;
    const { onClass, isSmallest } = this.#options;
    const continues = onClass !== undefined || isSmallest;
    for (const { until, begin } of stages) {
      const engine = begin();
      this.#parts.push(engine);
      let found = engine.advance(stepsPerSlice);
      let last = found;
      while ((found === undefined || (continues && found !== 'done')) && !this.#hasExpired(until)) {
        found = engine.advance(stepsPerSlice);
        if (found !== undefined && found !== 'done') last = found;
      }
      if (engine.coverage !== undefined) this.#coverage.push(engine.coverage);
      this.#session.audit?.();
      const isWhole = found === 'done' && engine.stats.unfinished === 0 && isObserved();
      // a smaller one may be left, unless the engine has run all
      if (isSmallest && last !== undefined && last !== 'done')
        return { ...last, smallest: isWhole ? last.smallest : undefined };
      if (found !== undefined) return found === 'done' ? undefined : found;
    }
    return undefined;
  }

  #hasExpired(share: number): boolean {
    const { stepBudget = Number.POSITIVE_INFINITY, maxExecutions = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#sum('steps') >= stepBudget || this.#schedules >= share * maxExecutions) return true;
    return this.#deadline.hasExpired(share);
  }

  /** Executions of concurrent schedules: not those of the learner. */
  get #schedules(): number {
    const engines = this.#parts.filter((part) => 'coverage' in part);
    return engines.reduce((total, { stats }) => total + stats.executions, 0);
  }

  #sum(of: keyof ExplorationStats): number {
    return this.#parts.reduce((total, { stats }) => total + stats[of], 0);
  }

  #result(violation?: Violation): TestResult {
    const sum = (of: keyof ExplorationStats) => this.#sum(of);
    return {
      test: this.#matrix,
      backend: this.#backend,
      violation,
      coverage: this.#coverage,
      sequential: this.#learned.count().steps,
      ...this.#shown,
      learned: this.#options.showLearned
        ? learnedTest(this.#learned, this.#backend.calls, this.#session.outcomes)
        : undefined,
      observations: this.#observations,
      ...this.#session.notes(),
      executions: sum('executions'),
      schedules: this.#schedules,
      steps: sum('steps'),
      unfinished: sum('unfinished'),
      states: sum('states'),
      classes: sum('classes'),
      histories: sum('histories'),
    };
  }
}

/** Did all code announce its accesses? Otherwise there may be more schedules. */
const isObserved = (): boolean => [...runtime.atomic.values()].every((called) => called.isObserved);

/** Of `exclusive`, whose judge looks at no results. */
const UNCONSTRAINED: Automaton = { initial: 0, moves: () => [], unblocked: () => -1 };

/** The same runs, with the numbers that another session has for their outcomes. */
function renumbered({ learned, outcomes }: Expected, own: Outcomes): LearnedRuns {
  const copy = new LearnedRuns(learned.operations, learned.hasWaiters);
  // negative numbers are no outcomes: the call failed, or its effect is unknown
  const numberOf = (outcome: number): number => (outcome < 0 ? outcome : own.numberOf(outcomes.at(outcome)));
  const steps = learned.steps.map((step) => ({
    ...step,
    delivered: new Map(Array.from(step.delivered, ([operation, outcome]) => [operation, numberOf(outcome)])),
  }));
  const nodes = new Map([[learned.root, copy.root]]);
  const visit = (from: number): void => {
    const to = nodes.get(from)!;
    if (learned.stuck.has(from)) copy.stuck.add(to);
    for (const letter of learned.edges[from]) {
      const child = learned.child(from, letter);
      const known = nodes.get(child);
      nodes.set(child, copy.add(to, steps[letter], known));
      if (known === undefined) visit(child);
    }
  };
  visit(learned.root);
  return copy;
}

/** A test without a violation of at most this many calls is also run in modules that are loaded again: one call at a time, and together. */
const SMALL = 2;
/** Other tests whose calls may change what is kept outside of the object. */
const OTHERS = 3;

/** Undefined if the code of the user throws. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

const keptState = (when: string, difference: string | undefined): ScenarioError =>
  new ScenarioError(
    `the same schedule has given other results ${when}${difference ? `: ${difference}` : ''}. Something keeps state from one execution to the next: perhaps a static field, a variable of a module or of a closure, or a cache. Reset it in \`create\`, or make it part of the object`,
  );

/** Runs a schedule twice. If the results differ, the program depends on something that is not controlled. */
function assertDeterministic(backend: Backend, schedule: Schedule): Trace {
  const [one, other] = [backend.trace(schedule), backend.trace(schedule)];
  const difference = differenceOf(one.history, other.history);
  if (one.followed === schedule.length && difference === undefined) return one;
  if (backend.name === 'async') throw keptState('when it was run again', difference);
  const foreign = Array.from(
    runtime.atomic.values(),
    (called) => `${called.name} (${formatPosition(called)})`,
  );
  throw new ScenarioError(
    `the same schedule has given other results when it was run again${difference ? `: ${difference}` : ''}. Something keeps state from one execution to the next, or depends on more than its arguments${foreign.length > 0 ? `, maybe code that is not instrumented: ${foreign.join(', ')}` : ''}. Make it part of the object, or name its file in \`instrument\``,
  );
}

/** The first call that differs. */
function differenceOf(one: History, other: History): string | undefined {
  const others = [...other];
  const values = new Canonical();
  for (const [i, { process, method, outcome }] of [...one].entries()) {
    const again = others[i];
    if (again?.process !== process || again.method !== method)
      return `${method} by ${process} came elsewhere`;
    if (values.key(outcome) !== values.key(again.outcome))
      return `${method} by ${process} gave ${describeOutcome(outcome)}, then ${describeOutcome(again.outcome)}`;
  }
  return others.length > one.length ? `${others[one.length].method} was not called before` : undefined;
}
