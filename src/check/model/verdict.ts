/**
 * Decisions, with evidence that a reader or `verifyWitness` can check without trusting the code that decided.
 *
 * Operations are named by their ids, which are the same in a history and in all its cuts.
 */
import { showThrown } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import type { AnyObject, Methods, Outcome } from '../../history/model/operation.js';
import type { MonitorCause, RendezvousCause } from './causes.js';

/** Why a check stopped without a decision. */
export type LimitReason = 'steps' | 'time' | 'memory' | 'interrupted';

/** Linearizable, with a witness; or not, with a refutation. */
export type Decided<Witness, Refutation> =
  | { readonly kind: 'linearizable'; readonly witness: Witness }
  | { readonly kind: 'violation'; readonly refutation: Refutation };

export const linearizable = <Witness>(witness: Witness): Decided<Witness, never> => ({
  kind: 'linearizable',
  witness,
});

export const violation = <Refutation>(refutation: Refutation): Decided<never, Refutation> => ({
  kind: 'violation',
  refutation,
});

/** The three answers of every level: a search, a monitor, a part of a history. */
export type Decision<Witness, Refutation> =
  | Decided<Witness, Refutation>
  | { readonly kind: 'undecided'; readonly reason: LimitReason };

/** The decision about a part of a history; if undecided, with how far the search got. */
export type PartDecision<Witness> =
  | Decided<Witness, Counterexample>
  | { readonly kind: 'undecided'; readonly reason: LimitReason; readonly unfinished: Unfinished };

/** The decision about a whole history. */
export type Verdict<T extends Methods<T> = AnyObject> =
  | { readonly kind: 'linearizable'; readonly witness: Witness; readonly stats: SearchStats }
  | {
      readonly kind: 'violation';
      readonly counterexample: Counterexample<T>;
      /** The names of the parts that reached a limit, and of those that were not examined to the end: one violation is enough. */
      readonly undecided: readonly string[];
      readonly notExamined: readonly string[];
      readonly stats: SearchStats;
    }
  | {
      readonly kind: 'undecided';
      readonly reason: LimitReason;
      readonly unfinished: readonly Unfinished[];
      readonly stats: SearchStats;
    };

/** An undecided part, and how far the search got in it. */
interface Unfinished {
  readonly part: string;
  /** Returns that some linearization includes, of all returns. */
  readonly explained: number;
  readonly of: number;
}

/** A linearization. It may omit pending operations. */
export interface Witness {
  readonly order: Int32Array;
  /**
   * The operations of rendezvous objects are not in `order` but here: the rendezvous in sequence, each with its calls.
   * For a stuck history: those of the returned calls, after which no blocked calls can synchronise.
   */
  readonly rendezvous?: readonly Int32Array[];
  /** For a stuck history: for each pending operation, a linearization of its part after which it blocks. */
  readonly waits?: readonly Wait[];
}

export interface Wait {
  readonly operation: number;
  readonly order: Int32Array;
}

/** Where a witness fails, and which of the rules of `verifyWitness` it breaks there. */
export interface Fault {
  readonly operation: number;
  readonly rule: 'unknown' | 'twice' | 'missing' | 'real-time' | 'after' | 'spec' | 'waits';
}

/** Projections that make parts. */
export type PartCut = 'object' | 'part' | 'values';

/** Operations without a linearization, and why. */
export interface Counterexample<T extends Methods<T> = AnyObject> {
  /** The name of its part; empty if the history has one part only. */
  readonly part: string;
  /** A cut of the history; ids are the original ones. */
  readonly core: History<T>;
  /** The projections that made the core. Each is sound: if the core is not linearizable, neither is the history. */
  readonly cuts: readonly (PartCut | 'prefix' | 'reads' | 'earlier' | 'pending' | 'partners')[];
  /**
   * Whether no operation can be left out of the core: without any one of them, the rest is linearizable, another
   * operation is at fault, the spec says something else of the faulty one, or its results have become impossible in any order. Nor can all
   * operations on a value of a container, and none was called after the faulty return.
   */
  readonly minimal: boolean;
  /**
   * Whether the faulty operation is certainly the first return of its part that no linearization includes. Otherwise
   * the search for an earlier one exceeded its limits.
   */
  readonly isFirst: boolean;
  /** safety: an incorrect result. progress: a call is blocked forever though it need not be. */
  readonly property: 'safety' | 'progress';
  readonly cause: Cause;
  /** Whether `cause.allowed` lists every result that was allowed. */
  readonly allowedIsComplete: boolean;
  /** The limit of the user that ended the explanation early: with more time, it may say more. The violation is certain. */
  readonly cutBy?: LimitReason;
  /** The error that ended the explanation: a bug of straightedge, or of the spec. The violation is certain. */
  readonly failure?: string;
}

/**
 * Why, as data: the faulty operation, the results that were allowed, and why the spec refuses the call.
 * Reports turn it into sentences.
 */
export type Cause =
  /** Every order was tried; no linearization includes this return. */
  | {
      readonly kind: 'stuck';
      readonly operation: number;
      readonly allowed: readonly Outcome[];
      readonly refused: readonly string[];
      /** One or two, in different states. */
      readonly longest: readonly Longest[];
      /** The read value was written, but replaced before the read was called. */
      readonly overwritten?: Overwritten;
    }
  /** A monitor found a contradiction. */
  | (MonitorCause & { readonly allowed: readonly Outcome[]; readonly refused: readonly string[] })
  /** A rendezvous object: no sequence of rendezvous explains the results. */
  | (RendezvousCause & { readonly allowed: readonly Outcome[]; readonly refused: readonly string[] })
  /** No linearization includes this return; the explanation exceeded its limits, or failed. */
  | {
      readonly kind: 'late';
      readonly operation: number;
      readonly allowed: readonly Outcome[];
      readonly refused: readonly [];
    }
  /** The history is stuck and this call is pending, although it blocks in no linearization. */
  | {
      readonly kind: 'waits';
      readonly operation: number;
      readonly allowed: readonly Outcome[];
      readonly refused: readonly string[];
    };

/**
 * A linearization of the core without the faulty return, the state it leads to, and what the spec says of the
 * faulty operation there. If the spec says nothing, the operation fits, but one that it comes "after" does not.
 */
export interface Longest {
  readonly order: Int32Array;
  readonly state: string;
  readonly answers: readonly Outcome[];
  /** Whether the call may block there. */
  readonly waits: boolean;
  /** Why the spec refuses the call. */
  readonly refused: readonly string[];
}

/** A write of the value that a read returned, and the operation that replaced the value. Both had returned, in this order, before the read was called. */
export interface Overwritten {
  readonly write: number;
  readonly by: number;
}

/** What a check did. */
export interface SearchStats {
  readonly checker: string;
  /** The monitor for this object, if it declined the history or a part of it, and why. */
  readonly declined?: { readonly monitor: string; readonly reason: string };
  readonly steps: number;
  readonly configurations: number;
  /** The number of parts of the history, and how many of them were decided. */
  readonly parts: number;
  readonly decided: number;
}

/** A counterexample, with the limit of the user that ended its explanation early, if one did. */
export const withCut = (
  counterexample: Counterexample,
  { explanationCutBy }: { readonly explanationCutBy: LimitReason | undefined },
): Counterexample =>
  explanationCutBy === undefined ? counterexample : { ...counterexample, cutBy: explanationCutBy };

/** What is known of a violation whose explanation failed. */
export function explanationFailure(
  error: unknown,
): Pick<Counterexample, 'minimal' | 'isFirst' | 'allowedIsComplete'> & { readonly failure: string } {
  const text = showThrown(error);
  return { minimal: false, isFirst: false, allowedIsComplete: false, failure: text };
}
