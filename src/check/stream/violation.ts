/** What a monitor finds, as data: a violation and its cause, or why it can not tell. */
import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import type { MonitorCause } from '../model/monitor-causes.js';
import type { OnlineOperation } from './operation.js';

/** Why no order explains the end of an operation. */
export interface OnlineCause {
  readonly kind: /** No configuration gets past it. */
    | 'stuck'
    /** A value that is not there: never put in, or taken out before. */
    | 'absent value'
    /** A value left before another that had been put in before it was. */
    | 'overtaken'
    /** Found empty, though something was in it all the time. */
    | 'never empty'
    /** A value that others had replaced, read when it no longer stood. */
    | 'replaced'
    /** A number that was not there at any moment of the call. */
    | 'no such count'
    /** Taken, but there was nothing to take. */
    | 'nothing left'
    /** Neither was there at any moment of the call, nor can a pending operation have seen to it. */
    | 'no such state'
    /** A call that returned can have met nobody. */
    | 'lonely'
    /** Calls that returned can only have met others who are fewer. */
    | 'too few partners';
  /** The operations that contradict each other, as far as they are known; the one at fault is among them. */
  readonly operations: readonly OnlineOperation[];
  /** What the spec would have allowed, where that is known. */
  readonly allowed?: readonly Outcome[];
}

export interface OnlineViolation {
  /** The number of the event that no order gets past, from 1, and its line where there is a file. */
  readonly event: number;
  readonly line?: number;
  /** The part that it is in: the object, the key, or both; empty where there are none. */
  readonly part: string;
  /** The method and arguments at fault, who called it, and how it ended. */
  readonly process: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly outcome: Outcome;
  readonly cause: OnlineCause['kind'];
  /** The cause as those tell it who check whole histories, where it can be told; operations are named by id, as in `shown`. */
  readonly reason?: MonitorCause;
  readonly allowed?: readonly Outcome[];
  /** The operations in the cause, and the last ones before it: to look at. */
  readonly shown: History;
  /** The position in `shown` of the operation at fault. */
  readonly fault: number;
  /** The positions in `shown` of the operations that contradict each other. */
  readonly contradicting: readonly number[];
}

/** From which event on a part can not be told about, and why. */
export interface Unmonitored {
  readonly part: string;
  readonly event: number;
  readonly reason:
    | 'configurations'
    | 'memory'
    /** An operation of several parts that have been watched one by one. */
    | 'parts tied'
    /** What the fast monitor of this kind of object does not know, too late to begin again. */
    | 'repeated value'
    | 'method'
    | 'answer';
}

export type OnlineVerdict =
  | { readonly kind: 'linearizable' }
  | { readonly kind: 'violation'; readonly violation: OnlineViolation }
  /** No violation was found, but some parts are no longer watched. */
  | { readonly kind: 'undecided'; readonly doubts: readonly Unmonitored[] };
