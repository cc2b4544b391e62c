/**
 * A fast monitor of one kind of object: exact at each event, in memory proportional to what is open
 * or inside, as long as the object is used in the way that it knows. Where it is not, it steps aside,
 * and before that it has changed nothing on behalf of the event.
 */
import type { ConfigurationLimits } from './configurations.js';
import type { OnlineOperation } from './operation.js';
import type { Call, Steps } from './steps.js';
import type { OnlineCause, Unmonitored } from './violation.js';

/** A monitor that does not know what to do with an event; perhaps another does. */
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

/** Undefined: there is an order. */
export type OnlineResult = OnlineCause | Declined | undefined;

export interface StreamMonitor {
  call(operation: OnlineOperation): OnlineResult;
  /** `operation.outcome` tells how it ended, `now` when. */
  end(operation: OnlineOperation, now: number): OnlineResult;
  /** How many values and operations it remembers. */
  readonly held: number;
  /** Does nothing tell it from an object that was never called? Asked when nothing is open. */
  readonly isInitial: boolean;
  /** Calls that lead from the initial state to the only one in which the object can be; asked when nothing is open. */
  calls(): readonly Call[] | undefined;
}

/** `args`: those of the first call, for objects that are watched key by key. `from`: the state it begins in, if another monitor has stepped aside. */
export type CreateStreamMonitor = (
  steps: Steps,
  args: readonly unknown[],
  limits: ConfigurationLimits,
  from?: number,
) => StreamMonitor | undefined;
