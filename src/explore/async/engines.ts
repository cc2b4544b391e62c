/**
 * What chooses at each place of an execution of asynchronous code.
 *
 * Nothing is known of what tasks read and write, so no two orders are taken to be the same: all are run.
 * The first alternative at each place is what Node would do; an execution that takes another so and so often
 * has that many *preemptions*, and those with few come first.
 */
import { Random } from '../../base/random.js';
import { ChoiceTree } from '../model/choice-tree.js';
import {
  type Coverage,
  type Engine,
  type ExplorationStats,
  noStats,
  type Schedule,
  type ScheduleViolation,
} from '../model/engine.js';
import type { AsyncRun, Choose, Ending } from './run.js';

/** Looks at an execution that has come to its end. */
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

  abstract advance(fuel: number): ScheduleViolation | 'done' | undefined;

  protected execute(choose: Choose): ScheduleViolation | undefined {
    const ending = this.#run.run(choose);
    const { steps } = this.#run;
    this.stats.executions++;
    this.stats.steps += steps;
    this.stats.depth = Math.max(this.stats.depth, steps);
    if (ending === 'unfinished') this.stats.unfinished++;
    return this.#look(ending);
  }
}

/** All executions: without a bound, or with 0 preemptions, with one more, and so on up to a bound. */
export class AsyncTree extends AsyncEngine {
  readonly name: string = 'all orders of tasks';
  coverage: Coverage | undefined;
  readonly #most: number;
  #bound: number;
  #tree = new ChoiceTree();
  /** Was something left out because of the bound? */
  #isCut = false;
  #isOver = false;

  /** `most` preemptions: those with few first. Without it, all in no such order. */
  constructor(run: AsyncRun, look: Look, most?: number) {
    super(run, look);
    this.#most = most ?? Number.POSITIVE_INFINITY;
    this.#bound = most === undefined ? Number.POSITIVE_INFINITY : 0;
  }

  advance(fuel: number): ScheduleViolation | 'done' | undefined {
    const end = this.stats.steps + fuel;
    while (!this.#isOver && this.stats.steps < end) {
      let place = 0;
      let preemptions = 0;
      const finding = this.execute((alternatives) => {
        const isFree = preemptions < this.#bound;
        if (!isFree) this.#isCut = true;
        const taken = this.#tree.take(place++, isFree ? (1 << alternatives) - 1 : 1);
        if (taken > 0) preemptions++;
        return taken;
      });
      if (!this.#tree.next()) this.#deeper();
      if (finding) return finding;
    }
    return this.#isOver ? 'done' : undefined;
  }

  /** All with this bound have been run. */
  #deeper(): void {
    const isWhole = this.stats.unfinished === 0;
    if (isWhole) this.coverage = this.#isCut ? { kind: 'bound', preemptions: this.#bound } : { kind: 'all' };
    this.#isOver = !this.#isCut || this.#bound >= this.#most;
    this.#bound++;
    this.#isCut = false;
    this.#tree = new ChoiceTree();
  }
}

/** Each alternative as likely as the others. */
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

  advance(fuel: number): ScheduleViolation | undefined {
    const end = this.stats.steps + fuel;
    while (this.stats.steps < end) {
      const finding = this.execute((alternatives) => this.#random.below(alternatives));
      if (finding) return finding;
    }
    return undefined;
  }
}

/** One schedule, as it was written down. */
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

/** As a schedule says; where it says nothing, or what can not be, the first alternative. */
export function planned(schedule: Schedule, onLeft: () => void = () => {}): Choose {
  let place = 0;
  return (alternatives) => {
    const taken = schedule[place++] ?? 0;
    if (taken < alternatives) return taken;
    onLeft();
    return 0;
  };
}
