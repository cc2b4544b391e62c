/** What is reported, before it is put into words. */

import type { SourcePosition } from '../../base/source-position.js';
import { describedLike, withDescriptions } from '../../check/descriptions.js';
import type { Verdict } from '../../check/model/verdict.js';
import type { OnlineStatus } from '../../check/online/monitor.js';
import type { AnySpecOf } from '../../check/rendezvous/split-objects.js';
import type { OnlineVerdict } from '../../check/stream/monitor.js';
import type { Consistency } from '../../consistency/measure.js';
import type { Exploration } from '../../explore/explore.js';
import type { ReplayResult } from '../../explore/failure/failure.js';
import type { Trace } from '../../explore/model/trace-types.js';
import type { TestResult } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { History } from '../../history/history.js';
import type { Explanation } from '../../root-cause/explain.js';
import type { PatchSearch } from '../../root-cause/patches/patches.js';
import type { StressResult } from '../../stress/stress.js';

/* The data of a report on one checked history. */

/** A history with its verdict, as reports show it. */
export interface CheckedHistory {
  readonly file: string;
  /** The name of the spec, or of several, by object. */
  readonly spec: string;
  readonly history: History;
  readonly verdict: Verdict;
  readonly ms: { readonly read: number; readonly check: number };
  /** The specs that were checked. With them, the drawing of a small core has more operations of the same part. */
  readonly specOf?: AnySpecOf | undefined;
  /** How far it is from linearizable, if that was measured. */
  readonly consistency?: Consistency | undefined;
  /** Whether every contradiction is listed. */
  readonly all?: boolean | undefined;
}

/** The result with the texts of its specs for operations and values. Without `specOf`, those of a counterexample are known. */
export function described(result: CheckedHistory): CheckedHistory {
  const { history, verdict, specOf } = result;
  const core = verdict.kind === 'violation' ? verdict.counterexample.core : history;
  return { ...result, history: specOf ? withDescriptions(history, specOf) : describedLike(history, core) };
}

/** Where a step stands, the text of that line, and the name of what it accesses, empty where that is computed. */
export type SourceOf = (site: number) =>
  | {
      readonly place: SourcePosition;
      readonly text: string;
      readonly name: string;
      /** The whole file. */
      readonly lines: readonly string[];
    }
  | undefined;

/** An explanation, and how its files are read. */
export interface Explained {
  readonly explanation: Explanation;
  readonly placeOf: (site: number) => SourcePosition;
  readonly linesOf: (file: string) => readonly string[];
  /** The files of other failing tests that it is based on. */
  readonly saved: ReadonlyMap<TestResult, string>;
}

export interface ExplorationReport {
  readonly file: string;
  readonly exploration: Exploration;
  /** Of a violation: what to show of it, which may be smaller than what was found. */
  readonly failure: { readonly explored: TestResult; readonly trace: Trace | undefined } | undefined;
  readonly sourceOf: SourceOf;
  /** The number of executions that suffices if not every schedule can be covered. */
  readonly requiredExecutions?: number | undefined;
  /** The file of the failure, if it was written; and the same as a short text. */
  readonly saved: { readonly path: string; readonly token: string } | undefined;
  readonly explained?: Explained | undefined;
  /** Why there is no explanation: an exception, in a sentence. */
  readonly explainFault?: string | undefined;
  readonly ms: { readonly explore: number; readonly shrink?: number; readonly explain?: number };
}

/** The patches of a failure, and what was done with them. */
export interface PatchReport {
  readonly search: PatchSearch;
  /** Files with the diffs of the first patches, in their order. */
  readonly saved: readonly string[];
  /** Was the first patch written to its file? */
  readonly isApplied: boolean;
  /** The command that ran on a copy of the project. */
  readonly testCommand: string | undefined;
}

export interface ReplayReport {
  readonly file: string;
  readonly scenario: Scenario;
  /** Of its module; a test has none. */
  readonly path?: string | undefined;
  readonly replayed: ReplayResult;
  /** Where the code follows: how it went. */
  readonly trace: Trace | undefined;
  readonly sourceOf: SourceOf;
  readonly explained?: Explained | undefined;
  /** Why there is no explanation: an exception, in a sentence. */
  readonly explainFault?: string | undefined;
  readonly patching?: PatchReport | undefined;
}

export interface Watched {
  readonly file: string;
  /** The name of the spec, or of several, by object. */
  readonly spec: string;
  readonly status: OnlineStatus;
  readonly verdict: OnlineVerdict;
  /** Why it ended before the stream did, if not by a violation. */
  readonly reason?: 'interrupted' | 'memory';
}

export interface StressReport {
  readonly file: string;
  readonly scenario: Scenario;
  readonly stressed: StressResult;
  /** The file of the history, if something was wrong. */
  readonly saved: string | undefined;
}
