/**
 * An operation of an event stream.
 *
 * Times are numbers of events, from 1. An operation is dropped when it has ended and nothing depends on it.
 */
import type { Outcome } from '../../history/model/operation.js';

/** The time of an event that has not happened. */
export const NOT_YET: number = Number.POSITIVE_INFINITY;

export class OnlineOperation {
  readonly object: string | undefined;
  readonly process: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** The numbers of the event, and of its line if there is a file. */
  readonly call: number;
  readonly line: number | undefined;
  return: number = NOT_YET;
  /** Pending until it has ended, and forever if the outcome is unknown. */
  outcome: Outcome = PENDING_OUTCOME;

  constructor(
    object: string | undefined,
    process: string,
    method: string,
    args: readonly unknown[],
    call: number,
    line: number | undefined,
  ) {
    this.object = object;
    this.process = process;
    this.method = method;
    this.args = args;
    this.call = call;
    this.line = line;
  }
}

const PENDING_OUTCOME: Outcome = { kind: 'pending' };
