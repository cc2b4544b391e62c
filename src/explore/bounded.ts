/**
 * All schedules with few preemptions: first none, then one, then two …
 *
 *   M. Musuvathi, S. Qadeer. Iterative context bounding for systematic testing of
 *   multithreaded programs. PLDI 2007.
 *
 * A preemption takes the turn from a thread that could have gone on. Most bugs need
 * few. If at some bound no run was held back by it, there are no other schedules: all is explored.
 *
 * A run with fewer preemptions than the bound is made again at each bound; its class
 * is judged once.
 */
import { ChoiceTree } from './choice-tree.js';
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

export interface BoundedOptions {
  /** The last bound to try. */
  readonly mostPreemptions?: number;
  readonly mostSteps?: number;
}

export class Bounded implements Engine {
  readonly name: string = 'preemption bounding';
  readonly effort: Effort = noEffort();
  readonly #execution: Execution;
  readonly #steps: HappensBefore;
  readonly #judge: Judge;
  readonly #mostPreemptions: number;
  readonly #mostSteps: number;
  #bound = 0;
  /** Has the bound held back a run? */
  #wasHeld = false;
  #tree = new ChoiceTree();
  #isOver = false;
  #covered: Coverage | undefined;

  constructor(
    execution: Execution,
    steps: HappensBefore,
    judge: Judge,
    { mostPreemptions = Number.POSITIVE_INFINITY, mostSteps = MOST_STEPS }: BoundedOptions = {},
  ) {
    this.#execution = execution;
    this.#steps = steps;
    this.#judge = judge;
    this.#mostPreemptions = mostPreemptions;
    this.#mostSteps = mostSteps;
  }

  get coverage(): Coverage | undefined {
    return this.effort.unfinished === 0 ? this.#covered : undefined;
  }

  advance(fuel: number): Finding | 'done' | undefined {
    const end = this.effort.steps + fuel;
    while (!this.#isOver && this.effort.steps < end) {
      const finding = this.#run() ? this.#judge.judge() : undefined;
      if (!this.#tree.next()) this.#nextBound();
      if (finding) return finding;
    }
    return this.#isOver ? 'done' : undefined;
  }

  #nextBound(): void {
    this.#covered = this.#wasHeld ? { kind: 'bound', preemptions: this.#bound } : { kind: 'all' };
    this.#isOver = !this.#wasHeld || this.#bound >= this.#mostPreemptions;
    this.#bound++;
    this.#wasHeld = false;
    this.#tree = new ChoiceTree();
  }

  /** One run. Tells whether it came to its end. */
  #run(): boolean {
    const execution = this.#execution;
    this.effort.executions++;
    execution.reset();
    this.#steps.cut(0);
    let last = -1;
    let left = this.#bound;
    for (let place = 0; place < this.#mostSteps; place++) {
      let thread = execution.choosing;
      if (thread >= 0) execution.choose(this.#tree.take(place, (1 << execution.alternatives) - 1));
      else {
        const enabled = execution.enabled();
        if (enabled === 0) return true;
        const couldGoOn = last >= 0 && (enabled & (1 << last)) !== 0;
        const isHeld = couldGoOn && left === 0 && enabled !== 1 << last;
        if (isHeld) this.#wasHeld = true;
        thread = this.#tree.take(place, isHeld ? 1 << last : enabled, last);
        if (couldGoOn && thread !== last) left--;
        last = thread;
        execution.step(thread);
      }
      this.#steps.add(thread);
      this.effort.steps++;
      this.effort.depth = Math.max(this.effort.depth, place + 1);
    }
    this.effort.unfinished++;
    return false;
  }
}
