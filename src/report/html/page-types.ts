/**
 * All that a page tells, as data. Field names are between us and the page: both come from one build.
 *
 * The page is checked with the types of browsers, which do not go with those of all rooms: so this file imports few.
 */
import type { ToldMeeting } from '../common/drawn-meetings.js';
import type { Reason, Sentence } from '../sentences/sentence.js';
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
  /** Where calls meet: who met whom, in order. */
  readonly meetings: readonly MeetingData[];
  /** The same calls, one after another, that have ended in two ways. */
  readonly runs?: readonly HistoryData[];
  /** Of an explored failure: how it went, and which lines are to blame if somebody asked. */
  readonly trace?: TraceData;
  readonly cause?: CauseData;
}

/** The counterexample; operations by id. */
export interface CoreData {
  readonly title: string;
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

export interface MeetingData extends ToldMeeting {
  /** The state after it, in words; empty where it is not told. */
  readonly state: string;
}

export interface StepData {
  /** By id. */
  readonly operation: number;
  /** `reads`, `writes` and so on, or what fires in an event loop, empty for a call that only begins; and of what, or where. */
  readonly access: string;
  readonly name: string;
  readonly value: string | null;
  /** Where it stands; null where it has no place. */
  readonly file: number | null;
  readonly line: number;
  /** The operations that end after it, by id. */
  readonly ends: readonly number[];
}

export interface SourceFileData {
  readonly name: string;
  readonly lines: readonly (readonly [number, string])[];
}

export interface TraceData {
  readonly steps: readonly StepData[];
  readonly files: readonly SourceFileData[];
}

export interface CauseData {
  readonly told: string;
  /** The best first. */
  readonly repairs: readonly RepairData[];
}

/** Blocks of source that would have to be run in one step. Steps are numbered from 0. */
export interface RepairData {
  /** `stack.ts:22-23`. */
  readonly name: string;
  /** Null where it is for some violations only. */
  readonly rank: number | null;
  readonly outcome: string;
  /** What came of trying it; empty where nobody has. */
  readonly tried: string;
  /** Classes of executions that are right and that it forbids, of how many. */
  readonly forbidden: number;
  readonly of: number;
  readonly blocks: readonly { readonly file: number; readonly from: number; readonly to: number }[];
  /** The steps that belong to it. */
  readonly inside: readonly number[];
  /** Who came in between, and by which steps. */
  readonly between: readonly { readonly sentence: Sentence; readonly steps: readonly number[] }[];
}
