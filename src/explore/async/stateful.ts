/**
 * Stateful search for asynchronous code: no state between two macrotasks is explored twice.
 *
 * A state is all that the rest of an execution depends on (heap-state.ts), together with what the judge remembers of the history
 * (`memory` of judge.ts): the sets of configurations, not the history itself. So histories of any length lead to one state.
 *
 * Why no violation is missed: take an execution with a violation, and its first state that is left because it is known. The
 * earlier execution that reached an equal state has been continued from there in every way, or is being continued in depth-first
 * order. Continuations of equal states make the same steps, and the judge gives the same verdict on them. Choices inside a
 * macrotask are all explored, but for one: if no tick and no microtask is queued where a call may start, then it need not
 * start before the macrotask has ended. Nothing runs between that place and the end of the macrotask. So the run in which the
 * call is the next macrotask makes the same steps, with the same events of the history. If the macrotask is a callback from
 * outside, Node can run another one next (the `poll` phase of loop-state.ts), and then whatever it could have run otherwise.
 *
 * The search declines, and covers nothing, as soon as something is not visible: part of the state, code that is not traced, the
 * clock, random numbers, a repeating timer, a write to an object of the engine. `declined` says what.
 *
 * Violations are found in runs that end. Runs that never end are cycles of states (engines/endless-runs.ts). If a fair one exists, then a call may
 * wait forever, so nothing is covered. Otherwise the coverage holds for fair schedules, which `isOnlyFair` says.
 *
 * Executions cannot be copied, so backtracking repeats the run from its start. Cost: one execution for each step to a known
 * state.
 */
import { CLOCK, RANDOMNESS, type Task, TIMER_NUMBERS } from '../../event-loop/event-loop.js';
import type { Listener } from '../../instrument/tracing/locations.js';
import { tracer } from '../../instrument/tracing/tracer.js';
import { EndlessRuns, type Lasso } from '../engines/endless-runs.js';
import {
  ChoiceTree,
  type Coverage,
  type Engine,
  type ExplorationStats,
  noStats,
  type ScheduleViolation,
  withoutStacks,
} from '../model/engine.js';
import { numberOfBuiltIn } from './built-in-objects.js';
import type { JudgeMemory, SharedStates } from './client-names.js';
import type { Look } from './engines.js';
import { HeapState, HiddenState } from './heap-state.js';
import type { Watcher } from './program.js';
import { PromiseStates } from './promise-states.js';
import type { AsyncRun } from './run.js';

/** Resources that are not part of a state. */
const HIDDEN = new Map<object, string>([
  [CLOCK, 'the clock'],
  [RANDOMNESS, 'random numbers'],
  [TIMER_NUMBERS, 'the number of a timer'],
]);

export class AsyncStates implements Engine, Watcher, Listener {
  readonly name: string = 'states between tasks';
  readonly stats: ExplorationStats = noStats();
  coverage: Coverage | undefined;
  hasEndlessRun = false;
  /** What could not be seen, if the search has declined. */
  declined: string | undefined;
  readonly #run: AsyncRun;
  readonly #look: Look;
  readonly #judge: JudgeMemory;
  readonly #shared: SharedStates;
  readonly #promises = new PromiseStates();
  readonly #heap: HeapState;
  /** States of this test. */
  readonly #known = new Set<number>();
  readonly #tree = new ChoiceTree();
  /** Is the current macrotask a callback from outside? */
  #isOutside = false;
  /** Places of choices in this macrotask at which no microtask was queued. */
  readonly #empty: number[] = [];
  readonly #endless = new EndlessRuns();
  #isOver = false;
  #hasViolation = false;

  constructor(run: AsyncRun, look: Look, judge: JudgeMemory, shared: SharedStates) {
    this.#run = run;
    this.#look = look;
    this.#judge = judge;
    this.#shared = shared;
    this.#heap = new HeapState(run, this.#promises, shared);
  }

  advance(stepBudget: number): ScheduleViolation | 'done' | undefined {
    const before = tracer.listener;
    tracer.listener = this;
    try {
      return this.#promises.during(() => withoutStacks(() => this.#advance(this.stats.steps + stepBudget)));
    } finally {
      tracer.listener = before;
    }
  }

  /** Does the coverage leave out runs that never end because a macrotask that could run does not? */
  get isOnlyFair(): boolean {
    return this.#endless.hasUnfair;
  }

  #advance(end: number): ScheduleViolation | 'done' | undefined {
    while (!this.#isOver && this.stats.steps < end) {
      const finding = this.#execute();
      this.#isOver = this.declined !== undefined || !this.#tree.next();
      this.#hasViolation ||= finding !== undefined;
      if (finding) return finding;
    }
    if (!this.#isOver) return undefined;
    if (this.declined !== undefined || this.stats.unfinished > 0) return 'done';
    const lasso = this.#endless.fair();
    if (lasso !== undefined) {
      this.hasEndlessRun = true;
      this.#follow(lasso);
      return 'done';
    }
    this.coverage = { kind: 'all' };
    if (!this.#hasViolation) for (const state of this.#known) this.#shared.explored.add(state);
    return 'done';
  }

  #execute(): ScheduleViolation | undefined {
    const { stats } = this;
    let place = 0;
    let isCompared = true;
    this.#empty.length = 0;
    this.#endless.begin(this.#tree.repeated);
    this.#promises.reset();
    tracer.reset();
    const all = (count: number): number => 2 ** count - 1;
    const ending = this.#run.run((ways) => this.#tree.take(place++, all(ways)), {
      watcher: this,
      start: (ways, none) => this.#start(place++, all(ways), none),
      pick: (tasks) => {
        this.#leaveOutStarts(tasks);
        // comparing costs more than a step without choices; comparing every second state notices a cycle
        isCompared = !isCompared || tasks.length > 1 || (tasks[0].kind === 'call' && this.#run.toEnd > 1);
        if (isCompared && place <= this.#tree.repeated) this.#endless.repeats(place, this.#run.loop.tasks);
        else if (isCompared && !this.#isNew(place, tasks)) return -1;
        return this.#tree.take(place++, all(tasks.length));
      },
    });
    stats.executions++;
    stats.steps += this.#run.steps;
    stats.depth = Math.max(stats.depth, this.#run.steps);
    stats.states = this.#known.size;
    if (ending === 'left' || this.declined !== undefined) return undefined;
    if (ending === 'unfinished') stats.unfinished++;
    return this.#look(ending);
  }

  /** May a call start before the macrotask has ended? `none`: the choice in which none does. */
  #start(place: number, choices: number, none: number): number {
    const isFirst = place === this.#tree.length;
    const taken = this.#tree.take(place, choices, none);
    const { loop, hasWaited } = this.#run;
    if (isFirst && this.#isOutside && hasWaited && loop.ticks.length === 0) {
      const { microtasks } = loop;
      this.#promises.afterQueued((jobs) => {
        if (jobs === 0 && microtasks === loop.microtasks) this.#empty.push(place);
      });
    }
    return taken;
  }

  #leaveOutStarts(next: readonly Task[]): void {
    if (next.some(({ kind }) => kind === 'call')) for (const place of this.#empty) this.#tree.drop(place);
    this.#empty.length = 0;
  }

  /** The run that repeats a cycle until it is abandoned, so that reports can say where. */
  #follow({ before, repeated }: Lasso): void {
    let place = 0;
    this.#run.run(() => {
      const over = place++ - before.length;
      if (over < 0) return before[place - 1];
      return repeated.length === 0 ? 0 : repeated[over % repeated.length];
    });
    this.stats.unfinished++;
  }

  /** Is the state new in which one of these macrotasks is next? */
  #isNew(place: number, next: readonly Task[]): boolean {
    if (this.declined !== undefined) return false;
    try {
      const state = this.#heap.numberOf(this.#judge);
      this.#endless.reaches(place, state, this.#run.loop.tasks, next, this.#run.schedule);
      if (this.#known.has(state) || this.#shared.explored.has(state)) return false;
      this.#known.add(state);
      return true;
    } catch (error) {
      if (!(error instanceof HiddenState)) throw error;
      this.declined = error.message;
      return false;
    }
  }

  // ── reports of traced code and of the run ──

  read(): void {}

  written(object: object): void {
    if (numberOfBuiltIn(object) !== undefined) this.declined ??= 'an object of the engine that is written';
  }

  unknown(what: string): void {
    this.declined ??= what;
  }

  onUse(resource: object): void {
    this.declined ??= HIDDEN.get(resource);
  }

  onTask({ handle }: Task): void {
    if (handle?.isRepeated) this.declined ??= 'a repeating timer';
  }

  inside(_operation: number, run: () => unknown): unknown {
    return run();
  }

  called(): void {}
  ended(): void {}

  fires({ kind }: Task): void {
    this.#isOutside = kind === 'call' || kind === 'answer';
  }
}
