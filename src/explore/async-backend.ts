/** Asynchronous code on a virtual event loop: its steps are tasks, and schedules are orders of tasks. */
import type { NamedPlace } from '../base/source-position.js';
import { control, type Foreign, foreignIn } from '../event-loop/control.js';
import { checkOwnTask } from '../event-loop/own-task.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import { Outcomes } from '../execution/outcomes.js';
import { type JudgeMemory, SharedStates } from './async/client-names.js';
import { AsyncClasses } from './async/dpor.js';
import { AsyncPlanned, AsyncSamples, AsyncTree, CallOrders, type Look, planned } from './async/engines.js';
import { AsyncJudge, ExclusiveJudge } from './async/judge.js';
import { type AsyncProgram, asyncProgram } from './async/program.js';
import { type Held, heldIn, learnWithout, QuiescentRuns } from './async/quiescent-runs.js';
import { AsyncRun } from './async/run.js';
import { AsyncStates } from './async/stateful.js';
import { asyncTrace } from './async/trace.js';
import { type Automaton, Configurations } from './automata/configurations.js';
import {
  type Backend,
  type BackendNotes,
  BOUNDED,
  EXHAUSTIVE,
  type LineUpOptions,
  type Session,
  type Stage,
  type StepDescription,
} from './backend.js';
import { Competition } from './engines/engines.js';
import { LearnedAutomaton, LearnedRuns } from './learning/learned-runs.js';
import { DEFAULT_MAX_STEPS, type Engine, type Schedule } from './model/engine.js';
import type { Trace, TraceStep } from './model/trace-types.js';
import type { Scenario } from './scenario/scenario.js';
import { callsOf, type NumberedCall, type TestCase } from './scenario/test-case.js';

/** Tasks between two clock checks. */
const TASKS_PER_SLICE = 500;
/** Stateful search gets this many times the steps of partial-order reduction: it is cheaper for most objects. */
const FAVOUR = 4;
/** Of a run that was abandoned, the places of this many macrotasks are named. */
const LAST_TASKS = 5;

export class AsyncBackend implements Backend {
  readonly name = 'async';
  readonly spuriousWakeups: boolean = false;
  readonly calls: readonly NumberedCall[];
  readonly program: AsyncProgram;

  constructor(scenario: Scenario, test: TestCase) {
    this.calls = callsOf(test);
    this.program = asyncProgram(scenario, test);
  }

  trace(schedule: Schedule): Trace {
    control();
    return asyncTrace(this.program, schedule);
  }

  describe({ task, operation }: TraceStep): StepDescription {
    return {
      access: task?.does ?? `calls ${this.calls[operation].method}`,
      place: task?.place ?? '',
    };
  }

  start(options: LineUpOptions, hasExpired: () => boolean = () => false): Session {
    control();
    checkOwnTask();
    return new AsyncSession(this.program, options, hasExpired);
  }
}

class AsyncSession implements Session {
  readonly outcomes: Outcomes;
  readonly stepsPerSlice: number = TASKS_PER_SLICE;
  readonly hasWaiters: boolean = true;
  readonly #program: AsyncProgram;
  readonly #options: LineUpOptions;
  readonly #hasExpired: () => boolean;
  readonly #run: AsyncRun;
  readonly #outside: Outside;
  readonly #shared: SharedStates;
  #classes: AsyncClasses | undefined;
  #states: AsyncStates | undefined;
  #hasLearned = false;
  #fair: LearnedRuns | undefined;

  constructor(program: AsyncProgram, options: LineUpOptions, hasExpired: () => boolean) {
    this.#program = program;
    this.#hasExpired = hasExpired;
    this.#options = options;
    this.#shared = options.shared ?? new SharedStates(program.hasErrorsByName);
    this.outcomes = this.#shared.outcomes;
    this.#run = new AsyncRun(program, this.outcomes);
    this.#run.maxTasks = options.maxSteps ?? DEFAULT_MAX_STEPS.async;
    this.#outside = new Outside(this.#run);
  }

  get thrown(): readonly unknown[] {
    return this.#run.thrown;
  }

  held(learned: LearnedRuns): Held | undefined {
    const { calls, name } = this.#program;
    return heldIn(learned, calls, this.outcomes, `${name} ${this.#run.object.constructor?.name ?? ''}`);
  }

  learn(learned: LearnedRuns): QuiescentRuns {
    this.#hasLearned = true;
    const fair = this.#program.isFair ? new LearnedRuns(learned.operations, true) : undefined;
    this.#fair = fair;
    return new QuiescentRuns(this.#run, learned, { onStuck: () => this.#outside.check(true), fair });
  }

  stages(automaton: Automaton): readonly Stage[] {
    const { seed, maxPreemptions, isExhaustive = false, schedule, onClass } = this.#options;
    const run = this.#run;
    const judge = this.#judge(automaton);
    const look = this.#look(judge);
    if (schedule !== undefined) return [{ until: 1, begin: () => new AsyncPlanned(run, look, schedule) }];
    if (maxPreemptions !== undefined)
      return [{ until: 1, begin: () => new AsyncTree(run, look, maxPreemptions) }];
    const isReduced = canBeReduced(this.#program);
    const states = (): Engine => {
      this.#states = new AsyncStates(run, look, judge, this.#shared);
      return this.#states;
    };
    const classes = (): Engine => {
      this.#classes = new AsyncClasses(run, look);
      return this.#classes;
    };
    const orders = (): Engine => new CallOrders(run, look);
    const all = (): Engine => {
      if (onClass !== undefined) return isReduced ? classes() : new AsyncTree(run, look);
      const engines = isReduced ? [states, classes] : [() => new AsyncTree(run, look)];
      return new Competition(run.hasWaited ? engines : [orders, ...engines], FAVOUR);
    };
    if (isExhaustive || onClass !== undefined) return [{ until: 1, begin: all }];
    return [
      { until: EXHAUSTIVE, begin: all },
      { until: BOUNDED, begin: () => new AsyncTree(run, look, Number.POSITIVE_INFINITY) },
      { until: 1, begin: () => new AsyncSamples(run, look, seed) },
    ];
  }

  notes(): BackendNotes {
    return {
      races: [],
      warnings: undefined,
      replaced: [...this.#run.asked],
      ...(this.#states?.declined !== undefined && { hiddenState: this.#states.declined }),
      uninstrumented: [...(this.#classes?.footprints.strangers ?? [])],
      isSynchronous: !this.#run.hasWaited,
      seesThreads: false,
      isCompared: false,
      spins: this.#states?.isOnlyFair ?? false,
      unfinishedAt: this.#unfinishedAt(),
    };
  }

  /** The places that set the last macrotasks of the first run that was abandoned. */
  #unfinishedAt(): NamedPlace[] {
    const { firstAbandoned, maxTasks } = this.#run;
    if (firstAbandoned === undefined) return [];
    const { schedule, isQuiescent } = firstAbandoned;
    const { steps } = asyncTrace(this.#program, schedule, { maxTasks, isQuiescent });
    return steps.slice(-LAST_TASKS).flatMap(({ task }) => {
      const place = task && /^(.+?):(\d+)(?::(\d+))?$/.exec(task.place);
      if (!place) return [];
      return [{ file: place[1], line: Number(place[2]), column: Number(place[3] ?? 1), name: task.does }];
    });
  }

  #judge(automaton: Automaton): AsyncJudge | ExclusiveJudge {
    const run = this.#run;
    const program = this.#program;
    const outcomes = program.identitiesOf && this.outcomes;
    const { rows, images, shapes } = this.#shared;
    const configurationsOf = (one: Automaton, isFair = false) => {
      if (one instanceof LearnedAutomaton) one.shapes = shapes;
      return new Configurations(one, program.calls.length, { isFair, outcomes, rows, images });
    };
    const relearned = new Map<string, Configurations>();
    const relearn = (omitted: readonly number[]): Configurations | undefined => {
      if (!this.#hasLearned) return undefined;
      const known = relearned.get(omitted.join());
      if (known) return known;
      const learned = learnWithout(new Set(omitted), program, this.outcomes, this.#hasExpired);
      const made = configurationsOf(new LearnedAutomaton(learned));
      relearned.set(omitted.join(), made);
      return made;
    };
    const fair = this.#fair && configurationsOf(new LearnedAutomaton(this.#fair), true);
    return program.exclusive
      ? new ExclusiveJudge(run, program.exclusive)
      : new AsyncJudge(run, configurationsOf(automaton), { relearn, fair, scope: scopeOf(automaton) });
  }

  /** Judges each execution at its end. */
  #look(judge: AsyncJudge | ExclusiveJudge): Look {
    const { onClass } = this.#options;
    const run = this.#run;
    return (ending) => {
      if (ending === 'stuck' || run.blockedAt !== undefined) this.#outside.check(false);
      const finding = judge.judge(ending);
      if (ending !== 'unfinished') onClass?.(finding, () => [...run.schedule]);
      return finding;
    };
  }
}

/** States of a spec are numbered for each test. */
function scopeOf(automaton: Automaton): JudgeMemory['scope'] {
  if (automaton instanceof LearnedAutomaton) return 'exploration';
  return automaton.termOf ? 'test' : 'none';
}

/** Do tasks report what they read and write? An abort, or a call between microtasks, may conflict with any task. */
const canBeReduced = ({ isRecorded, abort, maxMicrotaskStarts }: AsyncProgram): boolean =>
  isRecorded && abort === undefined && !maxMicrotaskStarts;

/** Finds calls that wait for something outside the virtual event loop. Checked once for each set of waiting calls. */
class Outside {
  readonly #run: AsyncRun;
  readonly #asked = new Set<string>();
  #first: Foreign | undefined;

  constructor(run: AsyncRun) {
    this.#run = run;
    // a handle that is made only once, such as a connection, is made in the first execution
    this.#first = foreignIn(() => run.run(() => 0));
  }

  /** In the last execution, calls waited when nothing was left to do. */
  check(isQuiescent: boolean): void {
    const { blockedAt, schedule, program } = this.#run;
    const events = this.#run.events.slice(0, blockedAt);
    const waiting = events.filter((event) => event >= 0 && !events.includes(~event));
    if (this.#asked.has(waiting.join())) return;
    this.#asked.add(waiting.join());
    const again = new AsyncRun(program, new Outcomes());
    const choices = [...schedule];
    const foreign = foreignIn(() => again.run(planned(choices), { isQuiescent })) ?? this.#first;
    if (foreign === undefined) return;
    const { method } = program.calls[waiting[0]];
    throw new ScenarioError(
      `${method} waits for something outside of the event loop that is explored: ${foreign.type}${foreign.place === '' ? '' : `, made at ${foreign.place}`}. Give the scenario a stub for it`,
    );
  }
}
