/** What comes of exploring one matrix, and what can be asked of it; whichever back end explores. */
import type { History } from '../history/index.js';
import type { AsyncProgram } from './async/async-program.js';
import type { Block } from './blocks.js';
import type { DporOptions } from './dpor.js';
import type { Coverage, Schedule } from './engine.js';
import type { Matrix } from './matrix.js';
import type { Program } from './program.js';

export interface LineUpOptions {
  readonly seed: number;
  /** Only schedules with so many preemptions. */
  readonly preemptions?: number | undefined;
  readonly allowNondeterminism?: boolean | undefined;
  /** Nothing less than all of them, in all of the time. */
  readonly isExhaustive?: boolean | undefined;
  /** Only this one. */
  readonly schedule?: Schedule | undefined;
  /** Told of every class of schedules. Then exploring does not end with what is wrong. */
  readonly onClass?: DporOptions['onClass'];
  /** To be run in one step. Then all schedules are tried, or there is no answer. */
  readonly blocks?: readonly Block[] | undefined;
}

/** What is wrong, and how to make it happen again. */
export type Violation =
  | { readonly kind: 'outcome' | 'wait'; readonly operation: number; readonly schedule: Schedule }
  /** Two serial histories that differ only in how the last call ended. */
  | { readonly kind: 'nondeterminism'; readonly histories: readonly [History, History] };

export interface Explored {
  readonly matrix: Matrix;
  readonly program: Program | AsyncProgram;
  readonly violation: Violation | undefined;
  /** What has been covered, by one engine after another. */
  readonly coverage: readonly Coverage[];
  /** Nodes of the tree of serial histories; 0 where there is a spec. */
  readonly serial: number;
  readonly executions: number;
  readonly steps: number;
  /** Runs that were given up, because they did not come to their end. */
  readonly unfinished: number;
  /** Different states, classes, and histories among the executions, as far as engines have counted them. */
  readonly states: number;
  readonly classes: number;
  readonly histories: number;
  /** Sources of luck and time, by name, that gave the same in every run; where they have no place in the source. */
  readonly asked: readonly string[];
}
