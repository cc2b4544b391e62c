/**
 * Preemption bounding: explores all schedules without preemptions, then all with one, then all with two …
 *
 *   M. Musuvathi, S. Qadeer. Iterative context bounding for systematic testing of
 *   multithreaded programs. PLDI 2007.
 *
 * A preemption is a switch away from a thread that is still enabled. Most bugs need few. If a bound excluded no
 * schedule, there are no others, and all schedules have been explored.
 *
 * Each bound repeats the runs with fewer preemptions; their equivalence classes are judged once.
 *
 * With `isSmallest` the search continues after a violation to the end of the bound, and reports only smaller violations. Its judge must
 * judge each schedule itself: another schedule of the same class may have more preemptions.
 */
import type { Execution } from '../../execution/execution.js';
import type { HappensBefore } from '../classes/happens-before.js';
import {
  ChoiceTree,
  type Coverage,
  type Judge,
  type ScheduleSize,
  type ScheduleViolation,
} from '../model/engine.js';
import { type Chooser, JudgedRuns } from './run-by-run.js';

export interface BoundedOptions {
  /** The largest bound to explore. */
  readonly mostPreemptions?: number;
  readonly maxSteps?: number | undefined;
  readonly isSmallest?: boolean | undefined;
}

export class Bounded extends JudgedRuns implements Chooser {
  readonly name: string = 'preemption bounding';
  readonly #execution: Execution;
  readonly #mostPreemptions: number;
  readonly #isSmallest: boolean;
  /** The size of the smallest failing schedule so far. */
  #smallest: ScheduleSize | undefined;
  #bound = 0;
  /** Has the bound excluded a schedule? */
  #wasHeld = false;
  #tree = new ChoiceTree();
  #covered: Coverage | undefined;
  /** Of the current run: the number of choices made, the thread that ran last, and the preemptions left. */
  #place = 0;
  #last = -1;
  #left = 0;
  #switches = 0;

  constructor(
    execution: Execution,
    steps: HappensBefore,
    judge: Judge,
    { mostPreemptions = Number.POSITIVE_INFINITY, maxSteps, isSmallest = false }: BoundedOptions = {},
  ) {
    super(execution, steps, judge, maxSteps);
    this.#execution = execution;
    this.#mostPreemptions = mostPreemptions;
    this.#isSmallest = isSmallest;
  }

  get coverage(): Coverage | undefined {
    return this.stats.unfinished === 0 ? this.#covered : undefined;
  }

  protected run(): ScheduleViolation | undefined {
    this.#execution.reset();
    this.#place = 0;
    this.#last = -1;
    this.#left = this.#bound;
    this.#switches = 0;
    const found = this.follow(this);
    return found && this.#isSmallest ? this.#smaller(found) : found;
  }

  /** A violation, if it is smaller than those before. Those of a larger bound have more preemptions. */
  #smaller(found: ScheduleViolation): ScheduleViolation | undefined {
    const size = { preemptions: this.#bound, switches: this.#switches, steps: found.schedule.length };
    const least = this.#smallest;
    const isSmaller =
      least === undefined ||
      size.switches < least.switches ||
      (size.switches === least.switches && size.steps < least.steps);
    if (!isSmaller) return undefined;
    this.#smallest = size;
    return { ...found, smallest: size };
  }

  protected another(): boolean {
    return this.#tree.next() || this.#nextBound();
  }

  choose(alternatives: number): number {
    return this.#tree.take(this.#place++, (1 << alternatives) - 1);
  }

  next(enabled: number): number {
    const last = this.#last;
    const canContinue = last >= 0 && (enabled & (1 << last)) !== 0;
    const hasNoneLeft = this.#left === 0 || this.#switches === this.#smallest?.switches;
    const isHeld = canContinue && hasNoneLeft && enabled !== 1 << last;
    if (isHeld) this.#wasHeld = true;
    this.#last = this.#tree.take(this.#place++, isHeld ? 1 << last : enabled, last);
    if (canContinue && this.#last !== last) this.#left--;
    if (last >= 0 && this.#last !== last) this.#switches++;
    return this.#last;
  }

  stepped(): void {}

  #nextBound(): boolean {
    this.#covered = this.#wasHeld ? { kind: 'bound', preemptions: this.#bound } : { kind: 'all' };
    const isOver = !this.#wasHeld || this.#smallest !== undefined || this.#bound >= this.#mostPreemptions;
    this.#bound++;
    this.#wasHeld = false;
    this.#tree = new ChoiceTree();
    return !isOver;
  }
}
