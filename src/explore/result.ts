/** The result of exploring one test, on any back end. */
import type { History } from '../history/history.js';
import type { Backend, BackendNotes } from './backend.js';
import type { MethodResult, NearestStep } from './learning/learned-results.js';
import type { BlockedThread, Coverage, ExplorationStats, Schedule } from './model/engine.js';
import type { TestCase } from './scenario/test-case.js';

/**
 * A violation of a test.
 *
 *   outcome          no linearization includes the return of `operation`
 *   wait             a deadlock in which `operation` is blocked, though no linearization leaves it blocked
 *   uncaught         a callback of the event loop threw, and nothing catches that; it belongs to `operation`
 *   nondeterminism   two learned runs that differ only in the results of the last step
 */
export type Violation =
  | {
      readonly kind: 'outcome' | 'wait' | 'uncaught';
      readonly operation: number;
      readonly schedule: Schedule;
      /** Without a spec: the results of learned runs at this place, as text, and the nearest of these runs. */
      readonly allowed?: readonly string[];
      readonly nearest?: readonly NearestStep[];
      /** Of a blocked call: it is not blocked if it starts after the other calls have returned. */
      readonly isLostWakeUp?: boolean;
      /** With `fair`: the results need a call that takes effect later than it started. */
      readonly isUnfair?: boolean;
      /** Of an uncaught error: its source and text. */
      readonly error?: string;
      /** Only with atomic blocks: the deadlock exists because of a block. */
      readonly blocked?: BlockedThread;
    }
  | { readonly kind: 'nondeterminism'; readonly histories: readonly [History, History] };

/** The result of exploring one test. Statistics are sums over all engines. */
export interface TestResult extends Readonly<Omit<ExplorationStats, 'depth'>>, BackendNotes {
  readonly test: TestCase;
  readonly backend: Backend;
  readonly violation: Violation | undefined;
  /** Executions of concurrent schedules; the others are sequential runs. */
  readonly schedules: number;
  /** What each engine covered, in the order in which they ran. */
  readonly coverage: readonly Coverage[];
  /** Steps of learned runs; 0 if there is a spec. */
  readonly sequential: number;
  /** The outcomes of learned runs, by method. */
  readonly methodResults: readonly MethodResult[];
  /** The learned runs as an observation set, if `isObserving`. */
  readonly observations: string | undefined;
}
