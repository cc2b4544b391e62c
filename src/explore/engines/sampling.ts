/**
 * Some schedules, as a strategy chooses them. Of each the whole class is judged, so a sample
 * stands for every execution that differs only in the order of steps that do not affect each other.
 */
import type { Execution } from '../../execution/execution.js';
import type { HappensBefore } from '../classes/happens-before.js';
import type { Coverage, Finding, Judge } from '../model/engine.js';
import type { Strategy } from '../strategies/strategy.js';
import { JudgedRuns } from './run-by-run.js';

export interface SamplingOptions {
  readonly samples: number;
  readonly mostSteps?: number;
}

export class Sampling extends JudgedRuns {
  readonly name: string;
  readonly #execution: Execution;
  readonly #strategy: Strategy;
  readonly #samples: number;

  constructor(
    execution: Execution,
    steps: HappensBefore,
    judge: Judge,
    strategy: Strategy,
    { samples, mostSteps }: SamplingOptions,
  ) {
    super(execution, steps, judge, mostSteps);
    this.name = strategy.name;
    this.#execution = execution;
    this.#strategy = strategy;
    this.#samples = samples;
  }

  get coverage(): Coverage {
    return { kind: 'samples', count: this.effort.executions - this.effort.unfinished };
  }

  protected run(): Finding | undefined {
    this.#execution.reset();
    this.#strategy.begin(this.#execution, this.effort.depth);
    return this.follow(this.#strategy);
  }

  protected another(): boolean {
    return this.effort.executions < this.#samples;
  }
}
