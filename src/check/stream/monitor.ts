/**
 * The interface of stream monitors, the online monitors of one kind of object.
 *
 * A stream monitor is exact at each event, in memory proportional to what is open or inside, as long as it knows the
 * methods, values and results that occur. If it does not, it declines, and has then changed nothing for this event.
 */

import type { ConfigurationLimits } from './configurations.js';
import type { Call, OnlineOperation, Steps } from './steps.js';
import type { OnlineCause, Unmonitored } from './violation.js';

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
