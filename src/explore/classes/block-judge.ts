/**
 * Judges classes of executions of a program whose blocks are run in one step: those of the program as it is, without the executions that
 * interrupt a block. For programs whose states can not be told apart: whoever goes by classes can not hold threads back (execution/atomic-block-lock.ts).
 *
 * Which block a step belongs to takes another run to know, so it is asked only of classes in which something is wrong; and of one that is
 * right, since there must be one: else each would have to wait inside of a block, and nothing was seen.
 */
import { type Blocks, NO_RUN } from '../../execution/atomic-blocks.js';
import type { Finding, Judge, Schedule } from '../model/engine.js';
import type { Trace } from '../model/trace-types.js';
import type { WholeBlocks } from './contract-blocks.js';
import type { HappensBefore } from './happens-before.js';
import { scheduleThrough } from './reschedule.js';

export interface UninterruptedParts {
  readonly steps: HappensBefore;
  /** Judges all of a class. */
  readonly all: Judge;
  readonly whole: WholeBlocks;
  /** Judges what is left of it. */
  readonly left: Judge;
}

export class Uninterrupted implements Judge {
  hasSeen = false;
  readonly #parts: UninterruptedParts;
  readonly #blocks: Blocks;
  readonly #trace: (schedule: Schedule) => Trace;

  constructor(parts: UninterruptedParts, blocks: Blocks, trace: (schedule: Schedule) => Trace) {
    this.#parts = parts;
    this.#blocks = blocks;
    this.#trace = trace;
  }

  get histories(): number {
    return this.#parts.all.histories;
  }

  judge(): Finding | undefined {
    const { all, left } = this.#parts;
    const isWrong = all.judge() !== undefined;
    if ((!isWrong && this.hasSeen) || !this.#isPossible()) return undefined;
    this.hasSeen = true;
    return isWrong ? left.judge() : undefined;
  }

  /** Is there an execution of the class that interrupts no block? */
  #isPossible(): boolean {
    const { steps, waiting } = this.#trace(scheduleThrough(this.#parts.steps, []));
    const runs = steps.map(({ levels }) => this.#blocks.runOf(levels));
    const isInside = waiting.some(({ thread, levels }) => {
      const run = this.#blocks.runOf(levels);
      return run !== NO_RUN && run === runs[steps.findLastIndex((step) => step.thread === thread)];
    });
    return !isInside && this.#parts.whole.read(this.#parts.steps, runs);
  }
}
