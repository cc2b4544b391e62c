/**
 * One execution of each class, by source sets and sleep sets.
 *
 *   P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas. Source sets: a foundation for
 *   optimal dynamic partial order reduction. JACM 64(4), 2017. Algorithm 1.
 *
 * Executions of a class give the same outcomes, and which orders of calls and
 * returns they allow is computed from one of them (explore/classes/orders.ts). So only accesses count
 * here; calls and returns do not.
 *
 * A run goes down a path of nodes (path.ts): first as the run before, then another
 * way, and then whoever ran last goes on. What races with what (races.ts) says what else to try at which node.
 *
 * Threads that make the same calls take turns to begin (explore/classes/thread-symmetry.ts): a program in which threads start others, to which
 * nothing here is new. Not so where they may choose before they begin, since then they do not begin alike.
 *
 * Departure: no check for optimality (wakeup trees). Runs in vain were none or few on all named tests.
 */
import type { Execution } from '../../execution/execution.js';
import { kindOf, LOCK } from '../../execution/memory/access.js';
import { ProgramError } from '../../execution/memory/program-error.js';
import type { HappensBefore, Turns } from '../classes/happens-before.js';
import type { Coverage, Judge, Schedule, ScheduleViolation } from '../model/engine.js';
import type { Races } from './races.js';
import { RunByRun } from './run-by-run.js';
import type { Path } from './sleep-sets.js';

/** The parts that look at one execution together. */
export interface DporParts {
  readonly execution: Execution;
  readonly steps: HappensBefore;
  readonly path: Path;
  readonly races: Races;
  readonly judge: Judge;
  /** None where each class counts. */
  readonly turns?: Turns | undefined;
}

export interface DporOptions {
  readonly mostSteps?: number;
  /** Told of each class: what is wrong with it, or a schedule of it. */
  readonly onClass?: ((finding: ScheduleViolation | undefined, schedule: () => Schedule) => void) | undefined;
}

export class Dpor extends RunByRun {
  readonly name: string = 'partial-order reduction';
  readonly #execution: Execution;
  readonly #steps: HappensBefore;
  readonly #path: Path;
  readonly #races: Races;
  readonly #judge: Judge;
  readonly #turns: Turns | undefined;
  readonly #onClass: DporOptions['onClass'];

  constructor(
    { execution, steps, path, races, judge, turns }: DporParts,
    { mostSteps, onClass }: DporOptions = {},
  ) {
    super(mostSteps);
    this.#execution = execution;
    this.#steps = steps;
    this.#path = path;
    this.#races = races;
    this.#judge = judge;
    this.#turns = turns;
    this.#onClass = onClass;
  }

  get coverage(): Coverage | undefined {
    return this.isWhole && this.#judge.hasSeen !== false ? { kind: 'all' } : undefined;
  }

  protected another(): boolean {
    if (!this.#turns?.areOver()) return this.#path.next();
    this.#path.clear();
    return true;
  }

  /** One run. It may lead nowhere: all that it could come to has been seen. */
  protected run(): ScheduleViolation | undefined {
    const execution = this.#execution;
    const path = this.#path;
    execution.reset();
    if (execution.choosing >= 0) this.#turns?.drop();
    this.#steps.cut(path.repeated);
    this.#races.reset();
    let last = -1;
    for (let node = 0; node < this.mostSteps; node++) {
      const isChoice = execution.choosing >= 0;
      if (node === path.length) {
        if (isChoice) path.addChoice(execution.alternatives);
        else {
          const enabled = execution.enabled();
          if (enabled === 0) return this.#ended();
          if (!path.addStep(this.#turns?.of(enabled) ?? enabled, last)) return undefined;
        }
      }
      last = isChoice ? execution.choosing : path.chosen[node];
      this.#step(node, last);
      this.#races.remember(node);
      this.count(node);
    }
    return this.giveUp();
  }

  #ended(): ScheduleViolation | undefined {
    this.#races.ofBlocked();
    const finding = this.#judge.judge();
    this.#onClass?.(finding, () => [...this.#path.chosen.subarray(0, this.#steps.length)]);
    this.stats.classes++;
    this.stats.histories = this.#judge.histories;
    return finding;
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
