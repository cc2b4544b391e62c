/**
 * Base of the engines. It executes runs from the start, counts their steps, and pauses only between two runs. A subclass
 * defines one run, and whether another one is left.
 */

import type { Execution } from '../../execution/execution.js';
import type { HappensBefore } from '../classes/happens-before.js';
import {
  type Coverage,
  DEFAULT_MAX_STEPS,
  type Engine,
  type ExplorationStats,
  type Judge,
  noStats,
  type ScheduleViolation,
  withoutStacks,
} from '../model/engine.js';

export abstract class RunByRun implements Engine {
  abstract readonly name: string;
  abstract readonly coverage: Coverage | undefined;
  readonly stats: ExplorationStats = noStats();
  /** Runs are abandoned after this many steps. */
  protected readonly maxSteps: number;
  protected isOver = false;

  constructor(maxSteps: number = DEFAULT_MAX_STEPS.threads) {
    this.maxSteps = maxSteps;
  }

  advance(budget: number): ScheduleViolation | 'done' | undefined {
    return withoutStacks(() => this.#advance(budget));
  }

  #advance(budget: number): ScheduleViolation | 'done' | undefined {
    const end = this.stats.steps + budget;
    while (!this.isOver && this.stats.steps < end) {
      this.stats.executions++;
      const finding = this.run();
      this.isOver = !this.another();
      if (finding) return finding;
    }
    return this.isOver ? 'done' : undefined;
  }

  /** Executes one run from the start. */
  protected abstract run(): ScheduleViolation | undefined;

  /** Is another run left? */
  protected abstract another(): boolean;

  protected get isWhole(): boolean {
    return this.isOver && this.stats.unfinished === 0;
  }

  /** Counts a step; `place` is its position in the run, from 0. */
  protected count(place: number): void {
    this.stats.steps++;
    if (place >= this.stats.depth) this.stats.depth = place + 1;
  }

  protected giveUp(execution: Execution): undefined {
    this.stats.unfinished++;
    execution.abandon();
    return undefined;
  }
}

/** Chooses the thread of each step, in runs that are judged at their end. */
export interface Chooser {
  next(enabled: number, execution: Execution): number;
  stepped(thread: number, execution: Execution): void;
  choose(alternatives: number): number;
}

/** An engine that judges the equivalence class of each run at its end. */
export abstract class JudgedRuns extends RunByRun {
  readonly #execution: Execution;
  readonly #steps: HappensBefore;
  readonly #judge: Judge;

  constructor(execution: Execution, steps: HappensBefore, judge: Judge, maxSteps?: number) {
    super(maxSteps);
    this.#execution = execution;
    this.#steps = steps;
    this.#judge = judge;
  }

  protected follow(chooser: Chooser): ScheduleViolation | undefined {
    const execution = this.#execution;
    this.#steps.cut(0);
    for (let place = 0; place < this.maxSteps; place++) {
      let thread = execution.choosing;
      if (thread >= 0) execution.choose(chooser.choose(execution.alternatives));
      else {
        const enabled = execution.enabled();
        if (enabled === 0) return this.#judged();
        thread = chooser.next(enabled, execution);
        execution.step(thread);
        chooser.stepped(thread, execution);
      }
      this.#steps.add(thread);
      this.count(place);
    }
    return this.giveUp(execution);
  }

  #judged(): ScheduleViolation | undefined {
    const finding = this.#judge.judge();
    this.stats.histories = this.#judge.histories;
    return finding;
  }
}
