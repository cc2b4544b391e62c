/**
 * One execution of each class, by source sets and sleep sets.
 *
 *   P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas. Source sets: a foundation for
 *   optimal dynamic partial order reduction. JACM 64(4), 2017. Algorithm 1.
 *
 * Executions of a class give the same outcomes, and which orders of calls and
 * returns they allow is computed from one of them (orders.ts). So only accesses count
 * here; calls and returns do not.
 *
 * A run goes down a path of nodes (path.ts): first as the run before, then another
 * way, and then whoever ran last goes on. What races with what (races.ts) says what else to try at which node.
 *
 * Departure: no check for optimality (wakeup trees). Runs in vain were none or few on all named tests.
 */
import { kindOf, LOCK } from './access.js';
import {
  type Coverage,
  type Effort,
  type Engine,
  type Finding,
  type Judge,
  MOST_STEPS,
  noEffort,
  type Schedule,
} from './engine.js';
import type { Execution } from './execution.js';
import type { HappensBefore } from './happens-before.js';
import type { Path } from './path.js';
import { ProgramError } from './program-error.js';
import type { Races } from './races.js';

/** The parts that look at one execution together. */
export interface DporParts {
  readonly execution: Execution;
  readonly steps: HappensBefore;
  readonly path: Path;
  readonly races: Races;
  readonly judge: Judge;
}

export interface DporOptions {
  readonly mostSteps?: number;
  /** Told of each class: what is wrong with it, or a schedule of it. */
  readonly onClass?: ((finding: Finding | undefined, schedule: () => Schedule) => void) | undefined;
}

export class Dpor implements Engine {
  readonly name: string = 'partial-order reduction';
  readonly effort: Effort = noEffort();
  readonly #execution: Execution;
  readonly #steps: HappensBefore;
  readonly #path: Path;
  readonly #races: Races;
  readonly #judge: Judge;
  readonly #mostSteps: number;
  readonly #onClass: DporOptions['onClass'];
  #isOver = false;

  constructor(
    { execution, steps, path, races, judge }: DporParts,
    { mostSteps = MOST_STEPS, onClass }: DporOptions = {},
  ) {
    this.#execution = execution;
    this.#steps = steps;
    this.#path = path;
    this.#races = races;
    this.#judge = judge;
    this.#mostSteps = mostSteps;
    this.#onClass = onClass;
  }

  get coverage(): Coverage | undefined {
    return this.#isOver && this.effort.unfinished === 0 ? { kind: 'all' } : undefined;
  }

  advance(fuel: number): Finding | 'done' | undefined {
    const end = this.effort.steps + fuel;
    while (!this.#isOver && this.effort.steps < end) {
      const finding = this.#run() ? this.#judged() : undefined;
      this.#isOver = !this.#path.backtrack();
      if (finding) return finding;
    }
    return this.#isOver ? 'done' : undefined;
  }

  #judged(): Finding | undefined {
    const finding = this.#judge.judge();
    this.#onClass?.(finding, () => [...this.#path.chosen.subarray(0, this.#steps.length)]);
    return finding;
  }

  /** One run. Tells whether it came to its end; not if it led nowhere, or was given up. */
  #run(): boolean {
    const execution = this.#execution;
    const path = this.#path;
    this.effort.executions++;
    execution.reset();
    this.#steps.cut(path.repeated);
    this.#races.reset();
    let last = -1;
    for (let node = 0; node < this.#mostSteps; node++) {
      const isChoice = execution.choosing >= 0;
      if (node === path.length) {
        if (isChoice) path.addChoice(execution.alternatives);
        else {
          const enabled = execution.enabled();
          if (enabled === 0) {
            this.#races.ofBlocked();
            return true;
          }
          if (!path.addStep(enabled, last)) return false;
        }
      }
      last = isChoice ? execution.choosing : path.chosen[node];
      this.#step(node, last);
      this.#races.remember(node);
      this.effort.steps++;
      this.effort.depth = Math.max(this.effort.depth, node + 1);
    }
    this.effort.unfinished++;
    return false;
  }

  #step(node: number, thread: number): void {
    const execution = this.#execution;
    const announced = execution.announced[thread];
    const isChoice = execution.choosing >= 0;
    if (isChoice) execution.choose(this.#path.chosen[node]);
    else execution.step(thread);
    if (node < this.#path.repeated) this.#compare(node);
    else {
      this.#steps.add(thread);
      if (!isChoice) this.#races.of(node, kindOf(announced) === LOCK);
    }
  }

  /** A step must be as in the run before. */
  #compare(node: number): void {
    const { location, kind, calls, stepped } = this.#execution;
    if (location !== this.#steps.location[node] || kind !== this.#steps.kind[node])
      throw new ProgramError(
        `${calls[stepped].method} did something else when it was run again under the same schedule; does it depend on the time, on chance, or on what an earlier run has left behind?`,
      );
  }
}
