/** What a check and the members of its crew tell each other. */
import type { MessagePort } from 'node:worker_threads';
import type { SharedHistory } from '../../history/shared.js';
import type { Share } from '../model/budget.js';
import type { Counterexample } from '../model/verdict.js';
import type { SearchName } from '../search/choose-search.js';
import type { Finding, Found } from './part-check.js';

/** Cells of the memory that all share. */
export const CONTROL = {
  /** The next task that nobody has begun. */
  next: 0,
  /** Not 0: everybody comes to an end. */
  stop: 1,
  /** The part that the check itself is busy with; -1 for none. */
  current: 2,
  /** Counts messages, so that one can wait for the next. */
  messages: 3,
  /** From here on, a cell for each member: it counts while the member is alive. */
  beats: 4,
} as const;

/** What a member begins with. */
export interface Assignment {
  readonly history: SharedHistory;
  readonly module: string;
  readonly data: unknown;
  readonly control: Int32Array;
  /** Which member this is, from 0. */
  readonly member: number;
  /** The numbers of the parts to search. */
  readonly tasks: readonly number[];
  readonly port: MessagePort;
  /** Whether monitors took part in taking the history apart. */
  readonly monitors: boolean;
  readonly searches: readonly SearchName[];
  /** The searches for the part that the check itself is busy with. */
  readonly rivals: readonly SearchName[];
  readonly share: Share;
}

/** A counterexample whose core is told by the ids of its operations. */
export type ToldCounterexample = Omit<Counterexample, 'core'> & { readonly core: Int32Array };
export type ToldFinding =
  | Exclude<Finding, { kind: 'none' }>
  | { readonly kind: 'none'; readonly counterexample: ToldCounterexample };

export type Report =
  /** A violation, before it is explained. */
  | { readonly kind: 'found'; readonly found: Found }
  | {
      readonly kind: 'finding';
      readonly part: number;
      readonly finding: ToldFinding;
      readonly steps: number;
      readonly configurations: number;
      readonly searches: readonly string[];
    }
  /** The member has nothing more to do, or can not. */
  | { readonly kind: 'left' };
