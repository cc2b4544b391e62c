/**
 * The interface of stream monitors, the online monitors of one kind of object.
 *
 * A stream monitor is exact at each event, in memory proportional to what is open or inside, as long as it knows the
 * methods, values and results that occur. If it does not, it declines, and has then changed nothing for this event.
 */

import type { History } from '../../history/history.js';
import type { Outcome } from '../../history/model/operation.js';
import type { MonitorCause } from '../model/causes.js';
import type { ConfigurationLimits } from './configurations.js';
import type { Call, OnlineOperation, Steps } from './steps.js';

/** The monitor declines an event; another monitor may be able to continue. */
export class Declined {
  readonly reason: Unmonitored['reason'];
  readonly other: CreateStreamMonitor | undefined;
  constructor(reason: Declined['reason'], other?: CreateStreamMonitor) {
    this.reason = reason;
    this.other = other;
  }
}

export const DECLINE_DUPLICATE: Declined = new Declined('repeated value');
export const DECLINE_METHOD: Declined = new Declined('method');
export const DECLINE_RESULT: Declined = new Declined('answer');

/** Undefined: the history is linearizable so far. */
export type OnlineResult = OnlineCause | Declined | undefined;

export interface StreamMonitor {
  call(operation: OnlineOperation): OnlineResult;
  /** `operation.outcome` is how it ended, `now` is when. */
  end(operation: OnlineOperation, now: number): OnlineResult;
  /** How many values and operations it holds. */
  readonly held: number;
  /** Whether it is indistinguishable from an object that was never called; used when no operation is open. */
  readonly isInitial: boolean;
  /** Calls that lead from the initial state to the only possible state; used when no operation is open. */
  calls(): readonly Call[] | undefined;
}

/**
 * `args`: those of the first call, for objects that are monitored key by key. `from`: the state to start in, if
 * another monitor has declined.
 */
export type CreateStreamMonitor = (
  steps: Steps,
  args: readonly unknown[],
  limits: ConfigurationLimits,
  from?: number,
) => StreamMonitor | undefined;

// What an online monitor reports: a violation and its cause, or why a part is no longer monitored.

/** Why no linearization includes the end of an operation. */
export interface OnlineCause {
  readonly kind: /** No configuration remains. */
    | 'stuck'
    /** A value that is not present: never added, or removed before. */
    | 'absent value'
    /** A value left before another that had been added before it. */
    | 'overtaken'
    /** Found empty, although a value was present all the time. */
    | 'never empty'
    /** A read returned a value that was never written, or had been overwritten and forgotten. */
    | 'not current'
    /** Two values were read alternately, although each was written once. */
    | 'replaced'
    /** A count that the object did not have at any moment of the call. */
    | 'no such count'
    /** A removal from an empty object. */
    | 'nothing left'
    /** A state that the object did not have during the call, and that no pending operation can have caused. */
    | 'no such state'
    /** A returned call for which there is no partner. */
    | 'no partner'
    /** Returned calls whose possible partners are fewer. */
    | 'too few partners';
  /** The operations that contradict each other, as far as they are known, including the faulty one. */
  readonly operations: readonly OnlineOperation[];
  /** What the spec would have allowed, if known. */
  readonly allowed?: readonly Outcome[];
}

/** The first event without a linearization, and the reason. */
export interface OnlineViolation {
  /** The number of the first event, from 1, that no linearization includes, and its line if there is a file. */
  readonly event: number;
  readonly line?: number;
  /** The part: the object, the key, or both; empty if there is only one part. */
  readonly part: string;
  /** The process, method and arguments of the faulty operation, and how it ended. */
  readonly process: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly outcome: Outcome;
  readonly cause: OnlineCause['kind'];
  /** The cause in the terms of `check`, if it can be computed; operations are named by id, as in `shown`. */
  readonly reason?: MonitorCause;
  readonly allowed?: readonly Outcome[];
  /** The operations of the cause, and the last ones before it. */
  readonly shown: History;
  /** The position of the faulty operation in `shown`. */
  readonly fault: number;
  /** The positions in `shown` of the operations that contradict each other. */
  readonly contradicting: readonly number[];
}

/** A part that is no longer monitored, from which event on, and why. */
export interface Unmonitored {
  readonly part: string;
  readonly event: number;
  readonly reason:
    | 'configurations'
    | 'memory'
    /** An operation belongs to several parts that were monitored separately. */
    | 'parts tied'
    /** The stream monitor declined, and the log was too long to start again. */
    | 'repeated value'
    | 'method'
    | 'answer';
}

/** The verdict of an `OnlineMonitor` on the events so far. */
export type OnlineVerdict =
  | { readonly kind: 'linearizable' }
  | { readonly kind: 'violation'; readonly violation: OnlineViolation }
  /** No violation was found, but some parts are no longer monitored. */
  | { readonly kind: 'undecided'; readonly doubts: readonly Unmonitored[] };
