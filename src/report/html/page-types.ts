/**
 * The data of a page. The package and the page come from one build, so the field names are internal.
 *
 * The page is compiled with the types of browsers, which conflict with those of some modules: this file imports few.
 */
import type { ReportedRendezvous } from '../common/choose-operations.js';
import type { Reason, Sentence } from '../sentences/words.js';
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
  /** What the history is, if it is not the whole one: `Round 3`. */
  readonly shows?: string;
  /** How many operations the history has that are not in the page. */
  readonly omitted: number;
  readonly parts: readonly PartData[];
  /** Position in the page's history to the number of its part. */
  readonly partOf: readonly number[];
  readonly core?: CoreData;
  /** How far the history is from linearizable, a line each. */
  readonly consistency?: TopicsData;
  /** Of a linearizable history: what it tested. */
  readonly evidence?: TopicsData;
  readonly orders: readonly OrderData[];
  /** For rendezvous objects: the rendezvous in sequence. */
  readonly rendezvous: readonly RendezvousData[];
  /** Two sequential runs of the same calls with different outcomes. */
  readonly runs?: readonly HistoryData[];
  /** For an explored failure: its steps, and the root cause if it was requested. */
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
  /** The annotations during the operations to look at first, as a sentence. */
  readonly meanwhile?: string;
  readonly reasons: readonly Reason[];
  /** A structured result and the allowed one that is nearest to it, in lines. */
  readonly compared?: { readonly returned: readonly string[]; readonly allowed: readonly string[] };
}

/** A titled list of topics, with a few sentences on each. */
export interface TopicsData {
  readonly title: string;
  readonly lines: readonly TopicData[];
}

export interface TopicData {
  readonly topic: string;
  readonly sentence: Sentence;
  /** For each item of the list in the sentence: an amount, drawn as a bar; `over time` if the items follow each other in time. */
  readonly bars?: { readonly amounts: readonly number[]; readonly kind: 'by name' | 'over time' };
  /** Instead of the sentence: rows of a table, the first one its head. */
  readonly table?: readonly (readonly string[])[];
}

export interface PartData {
  readonly name: string;
  /** `not examined`: one violation is enough. */
  readonly verdict: Verdict | 'not examined';
  readonly operations: number;
}

export interface OrderData {
  readonly part: number;
  readonly title: string;
  /** Does it lack operations that returned before the faulty one? Then more results are allowed than in the whole history. */
  readonly isPartial: boolean;
  /** Operations by id; if there is no linearization, the faulty one is the last. */
  readonly order: readonly number[];
  /** The initial state. */
  readonly start: string;
  /**
   * For each of the first operations: the state after it (null: the spec does not allow it), and the allowed outcomes.
   * No outcomes of an operation that is allowed: it only returns.
   */
  readonly steps: readonly { readonly state: string | null; readonly allowed: readonly string[] }[];
}

export interface RendezvousData extends ReportedRendezvous {
  /** The state after it as text; empty if it is omitted. */
  readonly state: string;
}

export interface StepData {
  /** By id. */
  readonly operation: number;
  /** `reads`, `writes` and so on, or the task of an event loop; empty for a call that only starts. */
  readonly access: string;
  readonly name: string;
  readonly value: string | null;
  /** Was the value stored, not read? */
  readonly isStored: boolean;
  /** The position in the source; null if there is none. */
  readonly file: number | null;
  readonly line: number;
  /** The operations that end after it, by id, and how. */
  readonly ends: readonly { readonly operation: number; readonly text: string }[];
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
  readonly summary: string;
  /** The best first. */
  readonly repairs: readonly RepairData[];
  /** Patches that were explored, the best first. */
  readonly patches?: readonly PatchData[];
}

export interface PatchData {
  readonly title: string;
  readonly diff: string;
  /** What was explored, and what a reviewer should know: a sentence each. */
  readonly notes: readonly string[];
}

/** Blocks of source that must be atomic. Steps are numbered from 0. */
export interface RepairData {
  /** `stack.ts:22-23`. */
  readonly name: string;
  /** Null if it removes some violations only. */
  readonly rank: number | null;
  readonly outcome: string;
  /** The result of the verification; empty if there was none. */
  readonly tried: string;
  /** Passing equivalence classes that it excludes, of how many. */
  readonly forbidden: number;
  readonly of: number;
  readonly blocks: readonly { readonly file: number; readonly from: number; readonly to: number }[];
  /** The steps that belong to it. */
  readonly inside: readonly number[];
  /** The interruptions, each with its steps. */
  readonly between: readonly { readonly sentence: Sentence; readonly steps: readonly number[] }[];
}
