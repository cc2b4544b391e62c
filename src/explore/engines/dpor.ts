/**
 * Partial-order reduction: explores one execution of each equivalence class, by source sets and sleep sets.
 *
 *   P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas. Source sets: a foundation for
 *   optimal dynamic partial order reduction. JACM 64(4), 2017. Algorithm 1.
 *
 * All executions of a class have the same outcomes. The orders of calls and returns that the class allows are computed
 * from one of its executions (explore/classes/orders.ts). So only accesses conflict here; calls and returns do not.
 *
 * A run follows a path of nodes (`Path` in sleep-sets.ts). It repeats the previous run up to the last node with another
 * thread to try, and runs that thread there. After that the thread that ran last continues while it can. The races of
 * the run (races.ts) determine which threads to try at which node.
 *
 * Symmetric threads start in the order of their numbers (`Turns` in explore/classes/happens-before.ts). To this
 * algorithm that is an ordinary program in which threads start other threads. Threads that choose before their first
 * step are not symmetric, so the order is dropped.
 *
 * Departure: no wakeup trees, so a run may end with all enabled threads asleep. On all named tests, few runs did or none.
 */
import type { Execution } from '../../execution/execution.js';
import { kindOf, LOCK } from '../../execution/memory/access.js';
import { ProgramError } from '../../execution/memory/program-error.js';
import type { HappensBefore, Turns } from '../classes/happens-before.js';
import type { Coverage, Judge, Schedule, ScheduleViolation } from '../model/engine.js';
import type { Races } from './races.js';
import { RunByRun } from './run-by-run.js';
import type { Path } from './sleep-sets.js';

/** The parts of the engine. All of them observe the same execution. */
export interface DporParts {
  readonly execution: Execution;
  readonly steps: HappensBefore;
  readonly path: Path;
  readonly races: Races;
  readonly judge: Judge;
  /** Absent if classes that differ only in the names of threads must all be explored. */
  readonly turns?: Turns | undefined;
}

export interface DporOptions {
  readonly maxSteps?: number | undefined;
  /** Called for each equivalence class, with its violation, if any, and a function that returns a schedule of it. */
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
    { maxSteps, onClass }: DporOptions = {},
  ) {
    super(maxSteps);
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

  /** Executes one run. It ends early if all enabled threads are in the sleep set: its continuations are already explored. */
  protected run(): ScheduleViolation | undefined {
    const execution = this.#execution;
    const path = this.#path;
    execution.reset();
    if (execution.choosing >= 0) this.#turns?.drop();
    this.#steps.cut(path.repeated);
    this.#races.reset();
    let last = -1;
    for (let node = 0; node < this.maxSteps; node++) {
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
    return this.giveUp(execution);
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

  /** Throws if a repeated step differs from the same step of the previous run. */
  #compare(node: number): void {
    const { location, kind, calls, stepped } = this.#execution;
    if (location !== this.#steps.location[node] || kind !== this.#steps.kind[node])
      throw new ProgramError(
        `${calls[stepped].method} made other accesses when the same schedule ran again. It may depend on the time, on random numbers, or on state that an earlier run has left`,
      );
  }
}
