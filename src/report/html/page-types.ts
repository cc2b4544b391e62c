/**
 * All that a page tells, as data. Field names are between us and the page: both come from one build.
 *
 * The page is checked with the types of browsers, which do not go with those of all rooms: so this file imports few.
 */
import type { Reason } from '../reasons/sentence.js';
import type { HistoryData } from './history-data.js';

type Verdict = 'linearizable' | 'violation' | 'undecided';

export interface PageData {
  readonly file: string;
  readonly spec: string;
  /** `unchecked`: there is no spec, and the history is only drawn. */
  readonly verdict: Verdict | 'unchecked';
  /** Instead of the verdict's own word. */
  readonly headline?: string;
  /** `36 operations`, `4 processes`, and so on. */
  readonly facts: readonly string[];
  /** What else there is to say, a sentence each. */
  readonly notes: readonly string[];
  readonly history: HistoryData;
  /** How many operations the history has that are not in the page. */
  readonly omitted: number;
  readonly parts: readonly PartData[];
  /** Position in the page's history to the number of its part. */
  readonly partOf: readonly number[];
  readonly core?: CoreData;
  readonly orders: readonly OrderData[];
  /** Of an explored failure: how it went. */
  readonly trace?: TraceData;
}

/** The counterexample; operations by id. */
export interface CoreData {
  readonly part: number;
  readonly fault: number;
  readonly operations: readonly number[];
  /** Those to look at first, a failed one perhaps among them. */
  readonly shown: readonly number[];
  readonly minimal: boolean;
  readonly reasons: readonly Reason[];
}

export interface PartData {
  readonly name: string;
  /** `undecided` also where one violation was enough, and nobody looked at the others. */
  readonly verdict: Verdict;
  readonly operations: number;
}

export interface OrderData {
  readonly part: number;
  readonly title: string;
  /** Operations by id; where none explains all, the one at fault is the last. */
  readonly order: readonly number[];
  /** The state at first. */
  readonly start: string;
  /** For each operation, as far as told: the state after it (null: the spec does not allow it), and what it allows. */
  readonly steps: readonly { readonly state: string | null; readonly allowed: readonly string[] }[];
}

export interface StepData {
  /** By id. */
  readonly operation: number;
  /** `reads`, `writes` and so on; and of what, where that has a name. */
  readonly access: string;
  readonly name: string;
  readonly value: string | null;
  /** Where it stands; null where it has no place. */
  readonly file: number | null;
  readonly line: number;
}

export interface TraceData {
  readonly steps: readonly StepData[];
  readonly files: readonly {
    readonly name: string;
    readonly lines: readonly (readonly [number, string])[];
  }[];
}
