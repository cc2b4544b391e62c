/** What comes of exploring one matrix, and what can be asked of it; whichever back end explores. */
import type { Program } from '../execution/program.js';
import type { History } from '../history/history.js';
import type { AsyncProgram } from './async/program.js';
import type { Warnings } from './classes/atomicity.js';
import type { RacePlaces } from './classes/data-races.js';
import type { ObservationSet } from './learning/read-observations.js';
import type { SerialEnding } from './learning/serial-endings.js';
import type { Coverage, Effort, Schedule } from './model/engine.js';
import type { Matrix } from './scenario/matrix.js';
import type { StageOptions } from './stages.js';

export interface LineUpOptions extends StageOptions {
  readonly allowNondeterminism?: boolean | undefined;
  /** What is right, instead of what serial runs show now. */
  readonly observed?: readonly ObservationSet[] | undefined;
  /** Is what serial runs show written down? */
  readonly isObserving?: boolean | undefined;
  /** Are executions also asked whether they are serializable? */
  readonly atomicity?: boolean | undefined;
}

/** What is wrong, and how to make it happen again. */
export type Violation =
  | {
      readonly kind: 'outcome' | 'wait';
      readonly operation: number;
      readonly schedule: Schedule;
      /** Without a spec: the results that serial runs have shown at its place, in words. */
      readonly allowed?: readonly string[];
    }
  /** Two serial histories that differ only in how the last call ended. */
  | { readonly kind: 'nondeterminism'; readonly histories: readonly [History, History] };

/** Counts of an effort are sums over all engines. */
export interface Explored extends Readonly<Omit<Effort, 'depth'>> {
  readonly matrix: Matrix;
  readonly program: Program | AsyncProgram;
  readonly violation: Violation | undefined;
  /** What has been covered, by one engine after another. */
  readonly coverage: readonly Coverage[];
  /** Nodes of the tree of serial histories; 0 where there is a spec. */
  readonly serial: number;
  /** How calls ended there, method by method. */
  readonly endings: readonly SerialEnding[];
  /** Between plain accesses. */
  readonly races: readonly RacePlaces[];
  /** Of executions that are not serializable, where that was asked for. */
  readonly warnings: Warnings | undefined;
  /** What serial runs have shown, as a set of observations, where that was asked for. */
  readonly observations: string | undefined;
  /** Sources of luck and time, by name, that gave the same in every run; where they have no place in the source. */
  readonly asked: readonly string[];
  /** Asynchronous code that tells what it reads and writes: what it called that does not, by name. After that, no two orders were the same. */
  readonly strangers: readonly string[];
  /** Has the object asked which thread calls, so that threads can not change places? */
  readonly seesThreads: boolean;
  /** Was a thread held back that would have done the same over and over? */
  readonly spins: boolean;
}
