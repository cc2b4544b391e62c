/**
 * A fast monitor of one kind of object: exact at each event, in memory proportional to what is open
 * or inside, as long as the object is used in the way that it knows. Where it is not, it steps aside,
 * and before that it has changed nothing on behalf of the event.
 */
import type { ConfigurationLimits } from './configurations.js';
import type { OnlineOperation } from './operation.js';
import type { Call, Steps } from './steps.js';
import type { OnlineCause, OnlineDoubt } from './violation.js';

/** A monitor that does not know what to do with an event; perhaps another does. */
export class StepAside {
  readonly because: OnlineDoubt['because'];
  readonly other: CreateFamilyMonitor | undefined;
  constructor(because: StepAside['because'], other?: CreateFamilyMonitor) {
    this.because = because;
    this.other = other;
  }
}

export const REPEATED: StepAside = new StepAside('repeated value');
export const METHOD: StepAside = new StepAside('method');
export const ANSWER: StepAside = new StepAside('answer');

/** Undefined: there is an order. */
export type Finding = OnlineCause | StepAside | undefined;

export interface FamilyMonitor {
  call(operation: OnlineOperation): Finding;
  /** `operation.outcome` tells how it ended, `now` when. */
  end(operation: OnlineOperation, now: number): Finding;
  /** How many values and operations it remembers. */
  readonly held: number;
  /** Does nothing tell it from an object that was never called? Asked when nothing is open. */
  readonly isInitial: boolean;
  /** Calls that lead from the initial state to the only one in which the object can be; asked when nothing is open. */
  calls(): readonly Call[] | undefined;
}

/** `args`: those of the first call, for objects that are watched key by key. `from`: the state it begins in, if another monitor has stepped aside. */
export type CreateFamilyMonitor = (
  steps: Steps,
  args: readonly unknown[],
  limits: ConfigurationLimits,
  from?: number,
) => FamilyMonitor | undefined;
