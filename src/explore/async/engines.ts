/**
 * Engines for asynchronous code that need no accesses: exhaustive search, random sampling, and one given schedule.
 *
 * Without accesses, no two orders of tasks are known to be equivalent, so exhaustive search runs them all. The first
 * alternative at each choice is Node's own order, and any other counts as one *preemption*. With a preemption bound,
 * executions with fewer preemptions run first.
 */
import { Random } from '../../base/random.js';
import {
  ChoiceTree,
  type Coverage,
  type Engine,
  type ExplorationStats,
  noStats,
  type Schedule,
  type ScheduleViolation,
} from '../model/engine.js';
import type { Choose, Ending } from './program.js';
import type { AsyncRun } from './run.js';

/** Checks a finished execution. */
export type Look = (ending: Ending) => ScheduleViolation | undefined;

abstract class AsyncEngine implements Engine {
  abstract readonly name: string;
  abstract readonly coverage: Coverage | undefined;
  readonly stats: ExplorationStats = noStats();
  readonly #run: AsyncRun;
  readonly #look: Look;

  constructor(run: AsyncRun, look: Look) {
    this.#run = run;
    this.#look = look;
  }

  abstract advance(stepBudget: number): ScheduleViolation | 'done' | undefined;

  protected execute(choose: Choose, isQuiescent = false): ScheduleViolation | undefined {
    const ending = this.#run.run(choose, { isQuiescent });
    const { steps } = this.#run;
    this.stats.executions++;
    this.stats.steps += steps;
    this.stats.depth = Math.max(this.stats.depth, steps);
    if (ending === 'unfinished') this.stats.unfinished++;
    return this.#look(ending);
  }
}

/** All executions: without a bound, or with 0 preemptions, then 1, and so on up to a bound. */
export class AsyncTree extends AsyncEngine {
  readonly name: string = 'all orders of tasks';
  coverage: Coverage | undefined;
  readonly #most: number;
  #bound: number;
  #tree = new ChoiceTree();
  /** Did the bound exclude an alternative? */
  #isCut = false;
  #isOver = false;

  readonly #isQuiescent: boolean;

  /** `most` bounds the preemptions. Without it, executions come in depth-first order. */
  constructor(run: AsyncRun, look: Look, most?: number, isQuiescent = false) {
    super(run, look);
    this.#isQuiescent = isQuiescent;
    this.#most = most ?? Number.POSITIVE_INFINITY;
    this.#bound = most === undefined ? Number.POSITIVE_INFINITY : 0;
  }

  advance(stepBudget: number): ScheduleViolation | 'done' | undefined {
    const end = this.stats.steps + stepBudget;
    while (!this.#isOver && this.stats.steps < end) {
      let place = 0;
      let preemptions = 0;
      const finding = this.execute((alternatives) => {
        const isFree = preemptions < this.#bound;
        if (!isFree) this.#isCut = true;
        const taken = this.#tree.take(place++, isFree ? (1 << alternatives) - 1 : 1);
        if (taken > 0) preemptions++;
        return taken;
      }, this.#isQuiescent);
      if (!this.#tree.next()) this.#deeper();
      if (finding) return finding;
    }
    return this.#isOver ? 'done' : undefined;
  }

  /** All executions within this bound have run. */
  #deeper(): void {
    const isWhole = this.stats.unfinished === 0;
    if (isWhole) this.coverage = this.#isCut ? { kind: 'bound', preemptions: this.#bound } : { kind: 'all' };
    this.#isOver = !this.#isCut || this.#bound >= this.#most;
    this.#bound++;
    this.#isCut = false;
    this.#tree = new ChoiceTree();
  }
}

/**
 * All orders of calls, each of which runs alone. If no call of a run waits or starts something that runs later, its
 * results depend on the order of the calls alone. So if no run does, these are all executions. Otherwise, or if there is a
 * violation, other engines are needed: then this one covers nothing.
 */
export class CallOrders extends AsyncTree {
  override readonly name = 'all orders of calls';
  readonly #calls: AsyncRun;

  constructor(run: AsyncRun, look: Look) {
    super(run, look, undefined, true);
    this.#calls = run;
  }

  override advance(stepBudget: number): 'done' | undefined {
    const found = this.#calls.hasWaited ? 'done' : super.advance(stepBudget);
    if (found === undefined && !this.#calls.hasWaited) return undefined;
    if (found !== 'done' || this.#calls.hasWaited) this.coverage = undefined;
    return 'done';
  }
}

/** Random sampling: alternatives are chosen uniformly. */
export class AsyncSamples extends AsyncEngine {
  readonly name: string = 'samples of orders of tasks';
  readonly #random: Random;

  constructor(run: AsyncRun, look: Look, seed: number) {
    super(run, look);
    this.#random = new Random(seed);
  }

  get coverage(): Coverage {
    return { kind: 'samples', count: this.stats.executions - this.stats.unfinished };
  }

  advance(stepBudget: number): ScheduleViolation | undefined {
    const end = this.stats.steps + stepBudget;
    while (this.stats.steps < end) {
      const finding = this.execute((alternatives) => this.#random.below(alternatives));
      if (finding) return finding;
    }
    return undefined;
  }
}

/** One recorded schedule. */
export class AsyncPlanned extends AsyncEngine {
  readonly name: string = 'one schedule';
  readonly coverage: Coverage = { kind: 'samples', count: 1 };
  readonly #schedule: Schedule;

  constructor(run: AsyncRun, look: Look, schedule: Schedule) {
    super(run, look);
    this.#schedule = schedule;
  }

  advance(): ScheduleViolation | 'done' {
    return this.execute(planned(this.#schedule)) ?? 'done';
  }
}

/** Follows a schedule. After its end, or if its choice is impossible, the first alternative is taken; the latter calls `onLeft`. */
export function planned(schedule: Schedule, onLeft: () => void = () => {}): Choose {
  let place = 0;
  return (alternatives) => {
    const taken = schedule[place++] ?? 0;
    if (taken < alternatives) return taken;
    onLeft();
    return 0;
  };
}
