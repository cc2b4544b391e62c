/** The result of exploring one test, on any back end. */
import type { History } from '../history/history.js';
import type { Backend, BackendNotes } from './backend.js';
import type { SerialEnding } from './learning/serial-endings.js';
import type { Coverage, Effort, Schedule } from './model/engine.js';
import type { Matrix } from './scenario/matrix.js';

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
export interface Explored extends Readonly<Omit<Effort, 'depth'>>, BackendNotes {
  readonly matrix: Matrix;
  readonly backend: Backend;
  readonly violation: Violation | undefined;
  /** What has been covered, by one engine after another. */
  readonly coverage: readonly Coverage[];
  /** Nodes of the tree of serial histories; 0 where there is a spec. */
  readonly serial: number;
  /** How calls ended there, method by method. */
  readonly endings: readonly SerialEnding[];
  /** The results of sequential runs as an observation set, if `isObserving`. */
  readonly observations: string | undefined;
}
