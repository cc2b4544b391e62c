/**
 * All sequential runs of a program with threads: phase 1 of Line-Up, from which the expected results are learned.
 *
 *   S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up: a complete and automatic
 *   linearizability checker. PLDI 2010, figure 5.
 *
 * One operation runs at a time, in every order that the threads allow. An operation that is blocked ends its run.
 *
 * If the state between two operations has occurred before, its continuations are known, and the run leads to the node of that state.
 * This stops when a thread makes a choice, because then one run may lead to several states.
 */
import { lowestBit } from '../../base/collections/ints.js';
import type { Execution } from '../../execution/execution.js';
import type { Fingerprint } from '../../execution/fingerprint.js';
import {
  ChoiceTree,
  DEFAULT_MAX_STEPS,
  type ExplorationStats,
  type Learner,
  noStats,
  withoutStacks,
} from '../model/engine.js';
import type { LearnedRuns } from './learned-runs.js';

const NO_STATE = -1;

export interface SequentialOptions {
  readonly maxSteps?: number | undefined;
  /** Distinguishes states, if that is possible. */
  readonly fingerprint?: Fingerprint | undefined;
  /** Called where all calls of a run have ended. */
  readonly onEnd?: ((node: number) => void) | undefined;
}

export class SequentialRuns implements Learner {
  readonly name: string = 'sequential runs';
  readonly stats: ExplorationStats = noStats();
  readonly #execution: Execution;
  readonly #learned: LearnedRuns;
  readonly #maxSteps: number;
  readonly #onEnd: SequentialOptions['onEnd'];
  readonly #tree = new ChoiceTree();
  #fingerprint: Fingerprint | undefined;
  /** State to the node of the run that first led to it. */
  readonly #nodes: number[] = [];
  #isComplete = false;

  constructor(
    execution: Execution,
    learned: LearnedRuns,
    { maxSteps = DEFAULT_MAX_STEPS.threads, fingerprint, onEnd }: SequentialOptions = {},
  ) {
    this.#execution = execution;
    this.#learned = learned;
    this.#maxSteps = maxSteps;
    this.#fingerprint = fingerprint;
    this.#onEnd = onEnd;
  }

  advance(budget: number): boolean {
    const end = this.stats.steps + budget;
    while (!this.#isComplete && this.stats.steps < end) {
      withoutStacks(() => this.#run());
      this.#isComplete = !this.#tree.next();
    }
    return this.#isComplete;
  }

  #run(): void {
    const execution = this.#execution;
    this.stats.executions++;
    execution.reset(true);
    let node = this.#learned.root;
    /** The thread that runs an operation, or -1. */
    let inside = -1;
    for (let place = 0, steps = 0; ; steps++) {
      if (steps === this.#maxSteps) {
        this.stats.unfinished++;
        execution.abandon();
        return;
      }
      if (execution.choosing >= 0) {
        this.#fingerprint = undefined;
        execution.choose(this.#tree.take(place++, (1 << execution.alternatives) - 1));
      } else {
        if (inside < 0) {
          const next = this.#alive();
          if (next === 0) {
            this.#onEnd?.(node);
            return;
          }
          inside = this.#tree.take(place++, next);
        }
        if (!(execution.enabled() & (1 << inside))) {
          this.#learned.blocked(node, execution.operation[inside]);
          return;
        }
        execution.step(inside);
        this.stats.steps++;
        this.stats.depth = Math.max(this.stats.depth, steps + 1);
      }
      if (!execution.isLast) continue;
      const state = place > this.#tree.repeated ? this.#state() : NO_STATE;
      const known = this.#nodes[state];
      node = this.#learned.ended(node, execution.stepped, execution.outcome[execution.stepped], known);
      if (known !== undefined) return;
      if (state !== NO_STATE) this.#nodes[state] = node;
      inside = -1;
    }
  }

  /** The number of the present state, between two operations; NO_STATE if states are not compared. */
  #state(): number {
    if (this.#fingerprint === undefined) return NO_STATE;
    const state = this.#fingerprint.numberOf(0);
    return this.#fingerprint.hasOpaqueObjects ? NO_STATE : state;
  }

  /** The threads that have an operation left, even if it is blocked. */
  #alive(): number {
    let threads = 0;
    for (let rest = this.#execution.pending(); rest !== 0; rest &= rest - 1)
      threads |= 1 << this.#execution.threadOf[lowestBit(rest)];
    return threads;
  }
}
