/**
 * The answer, with evidence that a reader, or `replay`, can check without trusting us.
 *
 * Operations are named by their ids: the same in a history and in all its cuts.
 */
import type { History } from '../../history/history.js';
import type { AnyObject, Methods, Outcome } from '../../history/model/operation.js';
import type { FamilyCause } from './monitor-causes.js';
import type { MeetingCause } from './rendezvous-causes.js';

/** Where a witness fails, and which of the rules of `check/replay.ts` it breaks there. */
export interface Fault {
  readonly operation: number;
  readonly rule: 'unknown' | 'twice' | 'missing' | 'real-time' | 'after' | 'spec' | 'waits';
}

export type Verdict<T extends Methods<T> = AnyObject> =
  | { readonly kind: 'linearizable'; readonly witness: Witness; readonly effort: Effort }
  | {
      readonly kind: 'violation';
      readonly counterexample: Counterexample<T>;
      /** The names of the parts that were left undecided, since one is enough. */
      readonly undecided: readonly string[];
      readonly effort: Effort;
    }
  | {
      readonly kind: 'undecided';
      readonly because: Exhausted;
      readonly unfinished: readonly Unfinished[];
      readonly effort: Effort;
    };

/** What ran out before there was an answer. */
export type Exhausted = 'steps' | 'time' | 'memory' | 'interrupted';

/** A part that was left undecided, and how far the search got in it. */
export interface Unfinished {
  readonly part: string;
  /** Returns that some order explains, of all. */
  readonly explained: number;
  readonly of: number;
}

/** An order in which the operations may have taken effect. A pending one that need not have run is left out. */
export interface Witness {
  readonly order: Int32Array;
  /**
   * The operations of objects whose calls meet are not in that order, but here: who met whom, in
   * an order of the meetings. Of a stuck history: those of all that returned, after which nobody who waits can meet.
   */
  readonly meetings?: readonly Int32Array[];
  /** Of a stuck history: for each pending operation, an order of its part after which it has to wait. */
  readonly waits?: readonly Wait[];
}
export interface Wait {
  readonly operation: number;
  readonly order: Int32Array;
}

/** The cuts that make parts. */
export type PartCut = 'object' | 'part' | 'values';

/** Operations that no order explains, and why. */
export interface Counterexample<T extends Methods<T> = AnyObject> {
  /** The name of the part that it is in; empty where there are no parts. */
  readonly part: string;
  /** A cut of the history; ids are the original ones. */
  readonly core: History<T>;
  /** The cuts that made the core. Each keeps "no order explains it" true of the whole history. */
  readonly cuts: readonly (PartCut | 'prefix' | 'reads' | 'partners')[];
  /** Whether none of these cuts, made or not, could make it smaller and show as much. */
  readonly minimal: boolean;
  /** safety: a wrong answer. progress: a call waits for ever that need not. */
  readonly property: 'safety' | 'progress';
  readonly cause: Cause;
}

/**
 * Why, as data: the operation at fault, what it could have answered, and the reasons
 * for which the spec refuses it. Prose is the report's business.
 */
export type Cause =
  /** All orders were tried; none gets past this return. */
  | {
      readonly kind: 'stuck';
      readonly operation: number;
      readonly allowed: readonly Outcome[];
      readonly refused: readonly string[];
      /** One or two, in different states. */
      readonly longest: readonly Longest[];
    }
  /** A monitor found these values in each other's way. What is allowed is told if it was cheap to find out. */
  | (FamilyCause & { readonly allowed: readonly Outcome[]; readonly refused: readonly string[] })
  /** Of an object whose calls meet: no meetings explain it. What is allowed is not always all that is. */
  | (MeetingCause & { readonly allowed: readonly Outcome[]; readonly refused: readonly string[] })
  /** A monitor found that no order gets past this return; to find out more took too long. */
  | {
      readonly kind: 'late';
      readonly operation: number;
      readonly allowed: readonly [];
      readonly refused: readonly [];
    }
  /** Nothing moves any more, and this call waits although no order leaves it waiting. */
  | {
      readonly kind: 'waits';
      readonly operation: number;
      readonly allowed: readonly Outcome[];
      readonly refused: readonly string[];
    };

/**
 * An order of all in the core that came before the return that nothing explains; the
 * state it leads to; and what the spec says of the operation at fault in that state.
 * If that is nothing at all, the operation fits, but not what it comes "after".
 */
export interface Longest {
  readonly order: Int32Array;
  readonly state: string;
  readonly answers: readonly Outcome[];
  /** The caller would, or might, have to wait. */
  readonly waits: boolean;
  /** Why the spec refuses the call. */
  readonly refused: readonly string[];
}

export interface Effort {
  readonly checker: string;
  /** A monitor that there is for such objects, and why it could not read the history, or a part of it. */
  readonly aside?: { readonly monitor: string; readonly because: string };
  readonly steps: number;
  readonly configurations: number;
  /** Parts that the history falls into, and how many of them were decided. */
  readonly parts: number;
  readonly decided: number;
}
