/** The messages and the shared memory between a check and its search helpers. */
import type { MessagePort } from 'node:worker_threads';
import type { SharedHistory } from '../../history/shared.js';
import type { BudgetShare } from '../model/budget.js';
import type { Counterexample } from '../model/verdict.js';
import type { SearchName } from '../search/choose-search.js';
import type { EarlyViolation, PartResult } from './part-check.js';

/** Cells of the shared memory. */
export const CONTROL = {
  /** The next task that no thread has started. */
  next: 0,
  /** Not 0: all helpers stop. */
  stop: 1,
  /** The part that the check itself searches; -1 for none. */
  current: 2,
  /** Counts messages, so that the check can wait for the next one. */
  messages: 3,
  /** From here on, one cell per helper: a heartbeat. */
  beats: 4,
} as const;

/** What a helper starts with. */
export interface Assignment {
  readonly history: SharedHistory;
  readonly specModule: string;
  readonly specData: unknown;
  readonly control: Int32Array;
  /** The number of this helper, from 0. */
  readonly helper: number;
  /** The numbers of the parts to search. */
  readonly tasks: readonly number[];
  readonly port: MessagePort;
  /** Whether monitors were asked when the history was split. */
  readonly monitors: boolean;
  readonly searches: readonly SearchName[];
  /** The searches for the part that the check itself searches. */
  readonly rivals: readonly SearchName[];
  readonly share: BudgetShare;
}

/** A counterexample whose core is sent as the ids of its operations. */
export type SentCounterexample = Omit<Counterexample, 'core'> & { readonly core: Int32Array };
export type SentResult =
  | Exclude<PartResult, { kind: 'violation' }>
  | { readonly kind: 'violation'; readonly refutation: SentCounterexample };

export type HelperMessage =
  /** A violation before it is explained. */
  | { readonly kind: 'violation'; readonly violation: EarlyViolation }
  | {
      readonly kind: 'result';
      readonly part: number;
      readonly result: SentResult;
      readonly steps: number;
      readonly configurations: number;
      readonly searches: readonly string[];
    }
  /** The helper has finished, or has failed. */
  | { readonly kind: 'finished' };
