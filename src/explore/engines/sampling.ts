/**
 * Sampling: explores the schedules that a strategy chooses. The whole equivalence class of each run is judged, so a
 * sample stands for every execution that differs only in the order of independent steps.
 */

import { lowestBit } from '../../base/collections/ints.js';
import type { Random } from '../../base/random.js';
import type { Execution } from '../../execution/execution.js';
import { kindOf, locationOf, NOTHING, READ } from '../../execution/memory/access.js';
import type { HappensBefore } from '../classes/happens-before.js';
import type { Coverage, Judge, Schedule, ScheduleViolation } from '../model/engine.js';
import { JudgedRuns } from './run-by-run.js';

/** Chooses schedules of a program that has too many to explore all. */
export interface Strategy {
  readonly name: string;
  /** Starts a run; the longest so far had this many steps. */
  begin(execution: Execution, longest: number): void;
  /** Returns one of the enabled threads, which are given as bits. */
  next(enabled: number, execution: Execution): number;
  /** The thread has taken its step. */
  stepped(thread: number, execution: Execution): void;
  /** Returns the number of an alternative, less than `alternatives`. */
  choose(alternatives: number): number;
}

/** The enabled thread (a bit of `enabled`) with the highest priority; threads are positions. */
function highest(priorities: readonly number[], enabled: number): number {
  let best = -1;
  for (let thread = 0; thread < priorities.length; thread++)
    if (enabled & (1 << thread) && (best < 0 || priorities[thread] > priorities[best])) best = thread;
  return best;
}

/** Follows a given schedule. Past its end, or if its thread is not enabled, the first enabled thread runs. */
export class Planned implements Strategy {
  readonly name: string = 'one schedule';
  readonly #schedule: Schedule;
  #at = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  begin(): void {
    this.#at = 0;
  }

  next(enabled: number): number {
    const planned = this.#schedule[this.#at++];
    return planned !== undefined && enabled & (1 << planned) ? planned : lowestBit(enabled);
  }

  stepped(): void {}

  choose(alternatives: number): number {
    return Math.min(this.#schedule[this.#at++] ?? 0, alternatives - 1);
  }
}

const MOST = 2 ** 30;

/**
 * Partial-order sampling: announced accesses run by random priorities, and races draw new ones.
 *
 *   X. Yuan, J. Yang, R. Gu. Partial order aware concurrency sampling. CAV 2018.
 *
 * Each announced access has a priority, and the highest runs first. After a step, the announced accesses that conflict
 * with it get new priorities. So both orders of a race are equally likely, however many independent steps lie between.
 */
export class PartialOrderSampling implements Strategy {
  readonly name: string = 'partial-order sampling';
  readonly #random: Random;
  /** Thread to the priority of its announced access. */
  #priority: number[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  begin({ threads }: Execution): void {
    this.#priority = Array.from({ length: threads }, () => this.#random.below(MOST));
  }

  next(enabled: number): number {
    return highest(this.#priority, enabled);
  }

  stepped(thread: number, { announced, kind, location, memory }: Execution): void {
    this.#priority[thread] = this.#random.below(MOST);
    announced.forEach((other, at) => {
      const conflicts =
        other >= 0 &&
        kindOf(other) !== NOTHING &&
        memory.overlap(locationOf(other), location) &&
        !(kind === READ && kindOf(other) === READ);
      if (conflicts) this.#priority[at] = this.#random.below(MOST);
    });
  }

  choose(alternatives: number): number {
    return this.#random.below(alternatives);
  }
}

export interface SamplingOptions {
  readonly samples: number;
  readonly maxSteps?: number | undefined;
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
    { samples, maxSteps }: SamplingOptions,
  ) {
    super(execution, steps, judge, maxSteps);
    this.name = strategy.name;
    this.#execution = execution;
    this.#strategy = strategy;
    this.#samples = samples;
  }

  get coverage(): Coverage {
    return { kind: 'samples', count: this.stats.executions - this.stats.unfinished };
  }

  protected run(): ScheduleViolation | undefined {
    this.#execution.reset();
    this.#strategy.begin(this.#execution, this.stats.depth);
    return this.follow(this.#strategy);
  }

  protected another(): boolean {
    return this.stats.executions < this.#samples;
  }
}
