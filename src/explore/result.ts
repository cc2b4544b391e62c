/** The result of exploring one test, on any back end. */
import type { History } from '../history/history.js';
import type { Backend, BackendNotes } from './backend.js';
import type { MethodResult } from './learning/sequential-results.js';
import type { Coverage, ExplorationStats, Schedule } from './model/engine.js';
import type { TestCase } from './scenario/test-case.js';

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
export interface TestResult extends Readonly<Omit<ExplorationStats, 'depth'>>, BackendNotes {
  readonly test: TestCase;
  readonly backend: Backend;
  readonly violation: Violation | undefined;
  /** What has been covered, by one engine after another. */
  readonly coverage: readonly Coverage[];
  /** Nodes of the tree of serial histories; 0 where there is a spec. */
  readonly sequential: number;
  /** How calls ended there, method by method. */
  readonly methodResults: readonly MethodResult[];
  /** The results of sequential runs as an observation set, if `isObserving`. */
  readonly observations: string | undefined;
}
