/**
 * Some schedules, as a strategy chooses them. Of each the whole class is judged, so a sample
 * stands for every execution that differs only in the order of steps that do not affect each other.
 */
import {
  type Coverage,
  type Effort,
  type Engine,
  type Finding,
  type Judge,
  MOST_STEPS,
  noEffort,
} from './engine.js';
import type { Execution } from './execution.js';
import type { HappensBefore } from './happens-before.js';
import type { Strategy } from './strategies/strategy.js';

export interface SamplingOptions {
  readonly samples: number;
  readonly mostSteps?: number;
}

export class Sampling implements Engine {
  readonly name: string;
  readonly effort: Effort = noEffort();
  readonly #execution: Execution;
  readonly #steps: HappensBefore;
  readonly #judge: Judge;
  readonly #strategy: Strategy;
  readonly #samples: number;
  readonly #mostSteps: number;

  constructor(
    execution: Execution,
    steps: HappensBefore,
    judge: Judge,
    strategy: Strategy,
    { samples, mostSteps = MOST_STEPS }: SamplingOptions,
  ) {
    this.name = strategy.name;
    this.#execution = execution;
    this.#steps = steps;
    this.#judge = judge;
    this.#strategy = strategy;
    this.#samples = samples;
    this.#mostSteps = mostSteps;
  }

  get coverage(): Coverage {
    return { kind: 'samples', count: this.effort.executions - this.effort.unfinished };
  }

  advance(fuel: number): Finding | 'done' | undefined {
    const end = this.effort.steps + fuel;
    while (this.effort.executions < this.#samples && this.effort.steps < end) {
      const finding = this.#run() ? this.#judge.judge() : undefined;
      if (finding) return finding;
    }
    return this.effort.executions < this.#samples ? undefined : 'done';
  }

  /** One run. Tells whether it came to its end. */
  #run(): boolean {
    const execution = this.#execution;
    const strategy = this.#strategy;
    this.effort.executions++;
    execution.reset();
    this.#steps.cut(0);
    strategy.begin(execution, this.effort.depth);
    for (let step = 0; step < this.#mostSteps; step++) {
      let thread = execution.choosing;
      if (thread >= 0) execution.choose(strategy.choose(execution.alternatives));
      else {
        const enabled = execution.enabled();
        if (enabled === 0) return true;
        thread = strategy.next(enabled, execution);
        execution.step(thread);
        strategy.stepped(thread, execution);
      }
      this.#steps.add(thread);
      this.effort.steps++;
      this.effort.depth = Math.max(this.effort.depth, step + 1);
    }
    this.effort.unfinished++;
    return false;
  }
}
